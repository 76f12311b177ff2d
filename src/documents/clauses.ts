/** Collects the clauses that a document's keywords own: each place one clause, with an id, a sentence and that place. */

import type { ClauseFile } from "../check/compile.ts";
import { ofUnion } from "../check/schema.ts";
import { createNaming, kebab, memberOf, opaqueSentence, type Path, pathOfPointer, sentenceOf } from "./words.ts";

/** A JSON Schema that touchstone judges by. */
export type Schema = Record<string, unknown>;

export type ClauseEntry = ClauseFile["clauses"][number];

/** A clause that people wrote in a file of their own: it stands for what is derived at its place. */
export interface WrittenClause {
  readonly id: string;
  readonly entry: ClauseEntry;
  /** Whether code decides it, and no keyword. */
  readonly byCode: boolean;
}

/** The sections of derived clauses, named as the side of an exchange they are on. */
export type SectionName = "request" | "response" | "stream" | "error";

export interface Section {
  /**
   * The id of the clause that owns a keyword; undefined where somebody wrote that nothing can show it.
   * @param pointer where the keyword stands, itself included
   * @param member the member that it is about, if the keyword at this place is about several
   */
  readonly own: (
    path: Path,
    keyword: string,
    value: unknown,
    pointer: string,
    level?: "must" | "should",
    member?: string,
  ) => string | undefined;
  /**
   * Writes who owns a keyword of a schema, with the parameters of `own`.
   * @param as the keyword in the schema; `required` has an owner for each member
   * @returns whether a clause owns it
   */
  readonly assign: (schema: Schema, as: string, ...of: Parameters<Section["own"]>) => boolean;
  /** Notes a keyword that cannot be decided. */
  readonly leave: (path: Path, keyword: string, pointer: string, reason: string) => void;
  /** All clauses. Also writes into schemas how findings word a clause that stands for several places. */
  readonly entries: () => readonly ClauseEntry[];
}

/** The readings that grade what breaks a keyword, perhaps on one side alone. */
const readingsOf: Readonly<Record<string, readonly string[]>> = {
  closed: ["X-EXTRA"],
  status: ["X-LISTED"],
  "response media": ["X-CT-RESPONSE"],
};

/** The word of an id for a keyword. */
const words: Readonly<Record<string, string>> = {
  closed: "additional-properties",
  either: "one-required",
  media: "media-type",
};

/** A keyword of a schema, and how its clause is worded for the values of that schema. */
interface Use {
  readonly schema: Schema;
  readonly as: string;
  readonly member: string;
  readonly says: string;
}

/** A clause and all places that it was derived for. */
interface Derived {
  entry: ClauseEntry;
  /** Its sentence if it stands for several places: it names where the document has it. */
  readonly neutral: string | undefined;
  readonly uses: Use[];
  isShared: boolean;
}

/**
 * The clauses of one section.
 * @param prefix `<interface>.<section>`
 * @param written by place, what people wrote instead of derived clauses
 */
export function createSection(prefix: string, on: SectionName, written: ReadonlyMap<string, WrittenClause>): Section {
  const known = new Map<string, Derived>();
  const freeName = createNaming();
  const nameOf = (path: Path, keyword: string): string => {
    const word = words[keyword] ?? kebab(keyword);
    const name = [...path.steps.map(kebab).filter((step) => step !== ""), word].join("-");
    return freeName(path.steps.length === 0 ? `body-${word}` : name);
  };
  const add = (
    key: string,
    path: Path,
    keyword: string,
    derived: Omit<ClauseEntry, "name">,
    neutral?: string,
  ): string | undefined => {
    const own = written.get(derived.at);
    if (own) {
      const { unobservable, opaque } = own.entry;
      return unobservable === undefined && opaque === undefined && !own.byCode ? own.id : undefined;
    }
    const before = known.get(key);
    // What cannot be decided in one place of a schema may be in another.
    if (!before || (before.entry.opaque !== undefined && derived.opaque === undefined)) {
      const entry = { name: before?.entry.name ?? nameOf(path, keyword), ...derived };
      known.set(key, { entry, neutral, uses: [], isShared: false });
      return `${prefix}.${entry.name}`;
    }
    if (derived.opaque === undefined && derived.says !== before.entry.says) before.isShared = true;
    return `${prefix}.${before.entry.name}`;
  };
  const keyOf: (...of: Parameters<Section["own"]>) => string = (_path, keyword, _value, pointer, _level, member) =>
    `${pointer} ${keyword}${member === undefined ? "" : ` ${member}`}`;
  const own: Section["own"] = (...of) => {
    const [path, keyword, value, pointer, level = "must", member] = of;
    const named = keyword === "required" ? { ...path, steps: [...path.steps, String(value)] } : path;
    const says = sentenceOf(path, keyword, value);
    const place = pathOfPointer(pointer);
    const readings = readingsOf[`${on} ${keyword}`] ?? readingsOf[keyword];
    const entry = { at: pointer, says, on, level, ...(readings && { readings }) };
    const ofMember = member === undefined || keyword === "required" ? place : place && memberOf(place, member);
    return add(keyOf(...of), named, keyword, entry, ofMember && sentenceOf(ofMember, keyword, value));
  };
  return {
    own,
    assign(schema, as, ...of) {
      const id = own(...of);
      if (id === undefined) return false;
      const [path, keyword, value] = of;
      const member = String(value);
      setOwner(schema, as, member, id);
      known.get(keyOf(...of))?.uses.push({ schema, as, member, says: sentenceOf(path, keyword, value) });
      return true;
    },
    leave(path, keyword, pointer, reason) {
      const says = opaqueSentence(path, keyword);
      add(`${pointer} ${keyword}`, path, keyword, { at: pointer, says, on, level: "must", opaque: reason });
    },
    entries: () =>
      [...known.values()].map(({ entry, neutral = entry.says, uses, isShared }) => {
        if (!isShared) return entry;
        for (const { schema, as, member, says } of uses)
          if (says !== neutral) setMember(schema, "says", as, member, says);
        return { ...entry, says: neutral };
      }),
  };
}

/** Writes what a schema says of one of its keywords. Of `required` it says something for each member. */
function setMember(schema: Schema, of: "clause" | "says", as: string, member: string, text: string): void {
  const all = (schema[of] ??= {}) as Record<string, unknown>;
  if (as === "required") ((all[as] ??= {}) as Record<string, string>)[member] = text;
  else all[as] = text;
}

function setOwner(schema: Schema, as: string, member: string, id: string): void {
  if (as === "required") ((schema[as] ??= []) as string[]).push(member);
  setMember(schema, "clause", as, member, id);
}

/** The section of alternatives that are tried: their assertions belong to the clause of the union. What merely warns is not demanded. */
export const sectionOfAlternatives: Section = {
  own: (_path, _keyword, _value, _pointer, level = "must") => (level === "must" ? ofUnion : undefined),
  assign(schema, as, ...[, , value, , level = "must"]) {
    if (level === "must") setOwner(schema, as, String(value), ofUnion);
    return level === "must";
  },
  leave: () => {},
  entries: () => [],
};
