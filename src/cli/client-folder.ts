/** The folder that `client --out` names: evidence as it comes, results at the end. */
import type { CaseEvidence } from "../cases/client-document.ts";
import type { ClientDocument } from "../cases/document.ts";
import type { Catalogue } from "../check/catalogue.ts";
import type { Kept } from "../evidence/manifest.ts";
import type { Unfinished } from "../evidence/outcomes/unfinished.ts";
import { givenArguments } from "./command-line.ts";

/** Opens the folder that `--out` names, and leaves in it that nothing of it counts yet. */
export async function openClientFolder(
  out: string,
  incomplete: ClientDocument,
  evidence: Kept,
  catalogue: Catalogue,
  unfinished: Unfinished | undefined,
) {
  const [{ openFolder }, { clientFolder }, { clientHeader, observationLines, recordedCase }, { commandLine }] =
    await Promise.all([
      import("../evidence/folder.ts"),
      import("../evidence/outcomes/folders.ts"),
      import("../evidence/outcomes/case-lines.ts"),
      import("./credentials.ts"),
    ]);
  const started = new Date(unfinished?.started ?? Date.now()).toISOString();
  const made = { command: commandLine(givenArguments()), started, evidence };
  const folder = openFolder(out, incomplete, evidence, clientFolder);
  const keep = (one: CaseEvidence): void => {
    for (const recorded of recordedCase(one)) folder.add(recorded);
    for (const line of observationLines([one])) folder.note(line.trimEnd());
  };
  unfinished?.evidence.forEach(keep);
  return {
    keep,
    close(document: ClientDocument, seen: readonly CaseEvidence[]): void {
      const lines = observationLines(seen);
      folder.close(document, clientHeader(document), catalogue, document.documents, made, lines);
    },
  };
}
