/** Recordings in memory for tests of drift, and edits of what they answer. */
import { join } from "node:path";
import { readCassette } from "../cassette/read.ts";
import { namesFrom } from "../check/names.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { allowedText } from "../report/drift/words.ts";
import { type EditableEvent, editEvents, editJson } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { pointer, resolvePointer, tokensOf } from "../wire/pointer.ts";
import { type CompareOptions, compareRecordings, type Entry } from "./compare-recordings.ts";
import type { Change, DriftDocument } from "./document.ts";

const catalogue = await openCatalogue();
const policy = { strict: new Set<string>(), openEnums: false };

/** The entries of a recording that ships with touchstone. */
export async function entriesOf(name: string): Promise<Entry[]> {
  const { header, exchanges } = await readCassette(join(home, "recordings", `${name}.json`));
  const names = namesFrom(header.bindings ?? {});
  return exchanges.map(({ exchange }, position) => ({ exchange, source: name, position, names }));
}

export const drift = (
  before: readonly Entry[],
  after: readonly Entry[],
  options?: CompareOptions,
): Promise<DriftDocument> =>
  compareRecordings({ entries: () => before }, { entries: () => after }, catalogue, { policy }, options);

type Json = Record<string, unknown>;

/** Edits a JSON value at a pointer: gives the parent of what stands there, and its name. */
function parentOf(root: unknown, at: string): [parent: Json, name: string] {
  const tokens = tokensOf(at);
  const name = tokens.pop()!;
  return [resolvePointer(root, pointer(...tokens)) as Json, name];
}

export type Edit = (root: unknown) => void;

/** Puts there what `change` makes of the value. */
export const set =
  (at: string, change: (value: never) => unknown): Edit =>
  (root) => {
    const [parent, name] = parentOf(root, at);
    Object.defineProperty(parent, name, {
      value: change(parent[name] as never),
      ...{ enumerable: true, configurable: true, writable: true },
    });
  };

/** Takes it away. */
export const drop =
  (at: string): Edit =>
  (root) => {
    const [parent, name] = parentOf(root, at);
    delete parent[name];
  };

/** The entries with every exchange changed. */
export const changed = (entries: readonly Entry[], change: (exchange: Exchange) => Exchange): Entry[] =>
  entries.map((entry) => ({ ...entry, exchange: change(entry.exchange) }));

/** The entries with the JSON body of every message of one side edited. */
export const edited = (entries: readonly Entry[], side: "request" | "response", ...edits: readonly Edit[]): Entry[] =>
  changed(entries, (exchange) =>
    editJson(exchange, side, (body: unknown) => {
      for (const edit of edits) edit(body);
    }),
  );

/** The entries with the events of every stream edited. */
export const editedEvents = (
  entries: readonly Entry[],
  change: (events: EditableEvent[]) => EditableEvent[] | void,
): Entry[] => changed(entries, (exchange) => editEvents(exchange, change));

/** A change as one line: kind, place, and what is said of it. */
export function lineOf(change: Change): string {
  const { kind, side, in: place, pointer: at, where, before, after, allowed, allowedBefore } = change;
  const line = `${[kind, side, place, at, ...where].filter((word) => word !== "").join(" ")}: ${before} -> ${after} (${allowed})`;
  return allowed !== false && allowedBefore === false ? `${line}, ${allowedText({ ...change, clause: null })}` : line;
}

export const linesOf = async (before: readonly Entry[], after: readonly Entry[]): Promise<string[]> =>
  (await drift(before, after)).changes.map(lineOf);
