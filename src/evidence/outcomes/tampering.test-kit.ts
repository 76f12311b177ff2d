/** Changes to a folder that somebody might make, and what verifying says of them. */
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { touchstoneHere } from "../../cli/here.test-kit.ts";

/** Where a file of the copy lies. */
export type PathTo = (name: string) => string;

/** A copy of a folder beside it, changed. Its manifest lists the files as they are then, unless it keeps what it says. */
export function changed(from: string, change: (path: PathTo) => void, isListed = true): string {
  const folder = mkdtempSync(`${from}-`);
  cpSync(from, folder, { recursive: true });
  const path = (name: string): string => join(folder, name);
  change(path);
  if (!isListed) return folder;
  const manifest = JSON.parse(readFileSync(path("manifest.json"), "utf8"));
  for (const name of Object.keys(manifest.files))
    manifest.files[name] = createHash("sha256")
      .update(readFileSync(path(name)))
      .digest("hex");
  writeFileSync(path("manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}

interface Told {
  readonly file: string;
  readonly what: string;
  readonly row?: string;
  readonly source?: string;
}

/** What does not hold in a folder, in one line each; of one that is refused, why. */
export async function problemsIn(folder: string): Promise<string[]> {
  const { code, stdout, stderr } = await touchstoneHere(["verify", folder, "--format", "json"]);
  if (code === 2) return [stderr];
  const { problems } = JSON.parse(stdout) as { readonly problems: readonly Told[] };
  if (code !== (problems.length > 0 ? 1 : 0)) throw new Error(`exit code ${code} with ${problems.length} problems`);
  return problems.map(({ file, row, source, what }) => [file, row, source, what].filter(Boolean).join(": "));
}

export const linesOf = (file: string): string[] => readFileSync(file, "utf8").trimEnd().split("\n");
export const writeLines = (file: string, all: readonly string[]): void => writeFileSync(file, `${all.join("\n")}\n`);

/** A copy in which the exchanges are others. */
export const withExchanges = (from: string, change: (kept: string[]) => readonly string[]): string =>
  changed(from, (path) => {
    const [header, ...kept] = linesOf(path("exchanges.jsonl"));
    writeLines(path("exchanges.jsonl"), [header!, ...change(kept)]);
  });

/** A copy in which the results are others. */
export const withResults = (from: string, change: (document: Record<string, never>) => void): string =>
  changed(from, (path) => {
    const document = JSON.parse(readFileSync(path("results.json"), "utf8"));
    change(document);
    writeFileSync(path("results.json"), `${JSON.stringify(document, null, 2)}\n`);
  });

/** Changes one byte of each file: a letter, so that JSON stays JSON where it can. */
export function flip(...paths: readonly string[]): void {
  for (const file of paths) {
    const bytes = readFileSync(file);
    const at = bytes.findIndex((byte, i) => i > bytes.length / 2 && byte >= 0x61 && byte < 0x7a);
    bytes[at]!++;
    writeFileSync(file, bytes);
  }
}

/** Reports of a folder: whoever reads them may not read the results. */
export const reportFiles = ["junit.xml", "report.html", "results.sarif", "summary.md"];
