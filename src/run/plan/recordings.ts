/** Finds the recorded cassettes by interface and section, and reads one. */
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Recorded } from "../../cassette/format.ts";
import { readCassette } from "../../cassette/read.ts";
import type { Bindings } from "../../check/names.ts";
import { readPlainFile } from "../../plain-file.ts";

export interface Recording {
  /** `<interface>/<section>/<name>.json`, as findings name it. */
  readonly source: string;
  readonly interface: string;
  readonly section: string;
  /** The interface of each exchange, where they speak several: it is sent only where all of them are asked. */
  readonly spans?: readonly string[];
  /** The features that a target must offer for it. */
  readonly needs: readonly string[];
  /** Clauses its requests break on purpose. */
  readonly violates: readonly string[];
  /** A feature that its requests ask for and no document describes: refusing it is no fault. */
  readonly undocumented?: string;
  /** The meaning of the names in it. */
  readonly bindings: Bindings;
  readonly exchanges: readonly Recorded[];
}

/** The interface that an exchange of a recording speaks. */
export const interfaceAt = (
  { interface: of, spans }: Pick<Recording, "interface" | "spans">,
  exchange: number,
): string => spans?.[exchange] ?? of;

/** All interfaces that a recording speaks: its own first. */
export const interfacesOf = ({ interface: of, spans = [] }: Pick<Recording, "interface" | "spans">): string[] => [
  ...new Set([of, ...spans]),
];

/** Sources of all cassettes below a folder laid out as `<interface>/<section>/<name>.json`, sorted. */
export function recordingsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((source) => source.split("/").length === 3)
    .sort();
}

/** Reads one cassette; throws UserError. */
export async function readRecording(folder: string, source: string): Promise<Recording> {
  const [of = "", section = ""] = source.split("/");
  const path = join(folder, source);
  // Read at once: streams of some two hundred small files cost a run a tenth of the time until its first request.
  const bytes = readPlainFile(path, "Put a cassette there, or take it away.");
  const { header, exchanges } = await readCassette(bytes, path);
  return {
    source,
    interface: of,
    section,
    ...(header.spans && { spans: header.spans }),
    needs: header.needs ?? [],
    violates: header.violates ?? [],
    ...(header.undocumented !== undefined && { undocumented: header.undocumented }),
    bindings: header.bindings ?? {},
    exchanges,
  };
}
