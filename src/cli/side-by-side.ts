/** Several targets side by side, for `touchstone report`: printed in one format, or written in all of them. */
import { join } from "node:path";
import type { ClauseData } from "../check/catalogue.ts";
import type { ReadColumn } from "../evidence/read-comparison.ts";
import { createPrinter } from "../report/terminal/printer.ts";
import { UserError } from "../user-error.ts";

/** What `--format` may be of several targets, with the file of each in a folder; text is for terminals alone. */
const files = { json: "side-by-side.json", html: "side-by-side.html", markdown: "side-by-side.md" } as const;

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
  if (format !== "text" && !(format in files))
    throw new UserError(
      `--format ${format} shows one run`,
      `Give one results.json, or one of --format text, ${Object.keys(files).join(", ")}.`,
    );
  const [{ sideBySide }, { formatSideBySide }, { formatSideBySideMarkdown }, { gathered, jsonPieces }] =
    await Promise.all([
      import("../report/side-by-side/compare.ts"),
      import("../report/side-by-side/text.ts"),
      import("../report/side-by-side/markdown.ts"),
      import("../report/json.ts"),
    ]);
  const document = sideBySide(runs, catalogue.clauses);
  const made: Readonly<Record<string, () => Iterable<string> | Promise<Iterable<string>>>> = {
    text: () => [formatSideBySide(document)],
    markdown: () => [formatSideBySideMarkdown(document)],
    json: () => gathered(jsonPieces(document)),
    html: async () => {
      const [{ columnsPage }, { bundleOf }, { openInterfaces }] = await Promise.all([
        import("../evidence/columns-page.ts"),
        import("../bundle.ts"),
        import("../interfaces/open-interfaces.ts"),
      ]);
      return columnsPage(document, runs, {
        catalogue: await openInterfaces(documents),
        bundle: bundleOf("compare"),
      });
    },
  };
  if (out !== undefined) {
    const { makeFolder, replaceFile } = await import("../evidence/files.ts");
    const { refuseForeignReports } = await import("../evidence/ownership.ts");
    try {
      makeFolder(out);
      refuseForeignReports(out, [files.json, files.html, files.markdown], /^\{\s*"touchstone": "/);
      for (const [name, file] of Object.entries(files)) replaceFile(join(out, file), await made[name]!());
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`--out ${out} cannot be written: ${(error as Error).message}`, "Choose another folder.");
    }
  }
  const printer = createPrinter();
  for (const piece of await made[format]!()) await printer.write(piece);
}
