/** Several targets side by side, for `touchstone report`: printed in one format, or written in all of them. */
import { join } from "node:path";
import type { ClauseData } from "../check/catalogue.ts";
import type { ReadColumn } from "../evidence/read-comparison.ts";
import { filesOf, formats, rendered } from "../report/formats.ts";
import type { SideBySide } from "../report/side-by-side/document.ts";
import { createPrinter } from "../report/terminal/printer.ts";
import { UserError } from "../user-error.ts";

export interface SideBySideOutput {
  readonly format: string;
  readonly out: string | undefined;
  readonly catalogue: ClauseData;
  /** Paths of users' own documents. */
  readonly documents: readonly string[] | undefined;
}

/** Prints runs side by side, and writes them into a folder where one is named; UserError for a format that shows one run. */
export async function reportSideBySide(
  runs: readonly ReadColumn[],
  { format, out, catalogue, documents }: SideBySideOutput,
): Promise<void> {
  if (!formats.targets.some(({ name }) => name === format))
    throw new UserError(
      `--format ${format} shows one run`,
      `Give one results.json, or one of --format ${formats.targets.map(({ name }) => name).join(", ")}.`,
    );
  const { sideBySide } = await import("../report/side-by-side/compare.ts");
  const document = sideBySide(runs, catalogue.clauses);
  const made = async (name: string): Promise<Iterable<string>> => {
    const page = name === "html" ? await pageOf(document, runs, documents) : [];
    return rendered("targets", name, document, { clauses: catalogue.clauses, page: () => page });
  };
  await writeSideBySide("targets", format, out, made);
}

/** Prints columns side by side, and writes them in all formats into a folder where one is named. @param made a format's report */
export async function writeSideBySide(
  of: "targets" | "outcomeColumns",
  format: string,
  out: string | undefined,
  made: (format: string) => Promise<Iterable<string>>,
): Promise<void> {
  if (out !== undefined) {
    const { makeFolder, replaceFile } = await import("../evidence/files.ts");
    const { refuseForeignReports } = await import("../evidence/ownership.ts");
    try {
      makeFolder(out);
      const kept = filesOf(of);
      refuseForeignReports(out, [...kept.values()], /^\{\s*"touchstone": "/);
      for (const [name, file] of kept) replaceFile(join(out, file), await made(name));
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`--out ${out} cannot be written: ${(error as Error).message}`, "Choose another folder.");
    }
  }
  const printer = createPrinter();
  for (const piece of await made(format)) await printer.write(piece);
}

async function pageOf(
  document: SideBySide,
  runs: readonly ReadColumn[],
  documents: readonly string[] | undefined,
): Promise<Iterable<string>> {
  const [{ columnsPage }, { bundleOf }, { openInterfaces }] = await Promise.all([
    import("../evidence/columns-page.ts"),
    import("../bundle.ts"),
    import("../interfaces/open-interfaces.ts"),
  ]);
  return columnsPage(document, runs, { catalogue: await openInterfaces(documents), bundle: bundleOf("compare") });
}
