/** Faults with requests for messages that users report: rules not enforced, and legal requests refused. */
import { type Fault, fail, inRefusal, unenforced, warning } from "../fault.ts";

export const messagesRequests: readonly Fault[] = [
  {
    name: "messages: any key taken",
    users: "requests without a key are answered",
    expected: fail("messages.auth.missing-key-refused"),
    opens: () => true,
    lets: (clause) => clause.startsWith("messages.auth."),
  },
  {
    name: "messages: wrong keys taken",
    users: "any key is taken",
    probes: "cheap",
    expected: unenforced("messages.auth.invalid-key-refused"),
    opens: ({ headers }) => headers.some(([name, value]) => name.toLowerCase() === "x-api-key" && value !== ""),
  },
  {
    name: "messages: no version needed",
    users: "the version header may be missing",
    probes: "cheap",
    expected: unenforced("messages.request.version-required"),
    lets: (clause) => clause === "messages.request.version-required",
  },
  {
    name: "messages: max_tokens not needed",
    users: "requests without max_tokens are answered",
    probes: "cheap",
    expected: unenforced("messages.request.max-tokens-required"),
    lets: (clause) => clause === "messages.request.max-tokens-required",
  },
  {
    name: "messages: role system taken",
    users: "a message of role system is taken, and ignored",
    probes: "cheap",
    expected: unenforced("messages.request.role-values"),
    lets: (clause) => clause === "messages.request.role-values",
  },
  {
    name: "messages: tool results without tool_use taken",
    users: "tool results that answer nothing are taken",
    probes: "cheap",
    expected: unenforced("messages.tools.result-answers-use"),
    lets: (clause) => clause === "messages.tools.result-answers-use",
  },
  {
    name: "messages: budget beyond max_tokens taken",
    users: "budget_tokens may be larger than max_tokens",
    probes: "all",
    expected: unenforced("messages.request.budget-below-max-tokens"),
    lets: (clause) => clause === "messages.request.budget-below-max-tokens",
  },
  {
    name: "messages: bad requests answered 500",
    users: "a wrong value is an internal error, and clients try again",
    expected: warning("messages.errors.invalid-request-refused"),
    spoils: (exchange) =>
      exchange.response?.status === 400
        ? inRefusal(500, { type: "error", error: { type: "server_error", message: "Sorry.", code: "internal" } })(
            exchange,
          )
        : exchange,
  },
  {
    name: "messages: lists of blocks refused",
    users: "content must be a string",
    probes: "cheap",
    expected: fail("messages.request.content-type"),
    refuses: ({ messages }) =>
      messages.every(({ content }: { content: unknown }) => Array.isArray(content)) && "content must be a text",
  },
];
