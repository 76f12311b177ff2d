/** Collects the clauses that a document's keywords own: each place one clause, with an id, a sentence and that place. */

import type { ClauseFile } from "../check/compile.ts";
import { ofUnion } from "../check/schema.ts";
import { createNaming, kebab, opaqueSentence, type Path, sentenceOf } from "./words.ts";

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
   */
  readonly own: (
    path: Path,
    keyword: string,
    value: unknown,
    pointer: string,
    level?: "must" | "should",
  ) => string | undefined;
  /** Notes a keyword that cannot be decided. */
  readonly leave: (path: Path, keyword: string, pointer: string, reason: string) => void;
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

/**
 * The clauses of one section.
 * @param prefix `<interface>.<section>`
 * @param written by place, what people wrote instead of derived clauses
 */
export function createSection(prefix: string, on: SectionName, written: ReadonlyMap<string, WrittenClause>): Section {
  const entries = new Map<string, ClauseEntry>();
  const freeName = createNaming();
  const nameOf = (path: Path, keyword: string): string => {
    const word = words[keyword] ?? kebab(keyword);
    const name = [...path.steps.map(kebab).filter((step) => step !== ""), word].join("-");
    return freeName(path.steps.length === 0 ? `body-${word}` : name);
  };
  const add = (key: string, path: Path, keyword: string, derived: Omit<ClauseEntry, "name">): string | undefined => {
    const own = written.get(derived.at);
    if (own) {
      const { unobservable, opaque } = own.entry;
      return unobservable === undefined && opaque === undefined && !own.byCode ? own.id : undefined;
    }
    let entry = entries.get(key);
    // What cannot be decided in one place of a schema may be in another.
    if (!entry || (entry.opaque !== undefined && derived.opaque === undefined)) {
      entry = { name: entry?.name ?? nameOf(path, keyword), ...derived };
      entries.set(key, entry);
    }
    return `${prefix}.${entry.name}`;
  };
  return {
    own(path, keyword, value, pointer, level = "must") {
      const named = keyword === "required" ? { ...path, steps: [...path.steps, String(value)] } : path;
      const says = sentenceOf(path, keyword, value);
      const readings = readingsOf[`${on} ${keyword}`] ?? readingsOf[keyword];
      return add(`${pointer} ${keyword}`, named, keyword, {
        at: pointer,
        says,
        on,
        level,
        ...(readings && { readings }),
      });
    },
    leave(path, keyword, pointer, reason) {
      const says = opaqueSentence(path, keyword);
      add(`${pointer} ${keyword}`, path, keyword, { at: pointer, says, on, level: "must", opaque: reason });
    },
    entries: () => [...entries.values()],
  };
}

/** The section of alternatives that are tried: their assertions belong to the clause of the union. What merely warns is not demanded. */
export const sectionOfAlternatives: Section = {
  own: (_path, _keyword, _value, _pointer, level = "must") => (level === "must" ? ofUnion : undefined),
  leave: () => {},
  entries: () => [],
};
