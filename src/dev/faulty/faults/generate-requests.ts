/** Faults with requests for generate content that users report: rules not enforced, and legal requests refused. */
import { type Fault, fail, unenforced, warning } from "../fault.ts";

export const generateRequests: readonly Fault[] = [
  {
    name: "generate: temperature not limited",
    users: "temperature 3 is taken",
    probes: "cheap",
    expected: unenforced("generate-content.generation-config.temperature-range"),
    alsoBreaks: ["generate-content.request.invalid-refused"],
    lets: (clause) => clause === "generate-content.generation-config.temperature-range",
  },
  {
    name: "generate: five stop sequences refused",
    users: "more than four stop sequences are refused",
    probes: "cheap",
    expected: fail("generate-content.generation-config.stop-sequences-count"),
    refuses: ({ generationConfig }) => generationConfig?.stopSequences?.length > 4 && "at most four stop sequences",
  },
  {
    name: "generate: role of another vendor taken",
    users: "role assistant is taken, and the turn is lost",
    probes: "cheap",
    expected: unenforced("generate-content.content.role-values"),
    lets: (clause) => clause === "generate-content.content.role-values",
  },
  {
    name: "generate: thresholds refused",
    users: "BLOCK_NONE is no threshold",
    probes: "cheap",
    expected: warning("generate-content.safety.threshold-values"),
    refuses: ({ safetySettings }) =>
      safetySettings?.some(({ threshold }: { threshold: string }) => threshold === "BLOCK_NONE") &&
      "threshold BLOCK_NONE is not known",
  },
  {
    name: "generate: snake_case refused",
    users: "system_instruction: Cannot find field",
    probes: "cheap",
    expected: fail("generate-content.request.reference-names"),
    refuses: (body) => "system_instruction" in body && 'Cannot find field "system_instruction"',
  },
  {
    name: "generate: wrong keys taken",
    users: "any key is taken",
    probes: "cheap",
    expected: unenforced("generate-content.auth.invalid-key-status"),
    opens: ({ target }) => /[?&]key=[^&]/.test(target),
  },
];
