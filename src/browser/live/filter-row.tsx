/** Controls that narrow the list: interface, status, verdict and words. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Row } from "../../live/protocol.ts";
import { Choice, holdsWords, SearchBox, wordsOf } from "../components/filters.tsx";
import { counted } from "../components/shown.ts";

interface Values {
  readonly words: string;
  /** Whether bodies are searched, too. */
  readonly inBodies: boolean;
  readonly interface: string;
  readonly status: string;
  readonly verdict: string;
}

export interface Filters extends Values {
  /** Tells one choice from another. */
  readonly key: string;
  set(more: Partial<Values>): void;
}

const nothing: Values = { words: "", inBodies: false, interface: "", status: "", verdict: "" };

export function useFilters(): Filters {
  const [values, setValues] = useState(nothing);
  return {
    ...values,
    key: JSON.stringify(values),
    set: (more) => setValues((before) => ({ ...before, ...more })),
  };
}

export type VerdictOf = "error" | "warning" | "unjudged" | "none" | "clean";

/** The worst that was found. */
export function verdictOf({ errors, warnings, unjudged, interface: of }: Row): VerdictOf {
  if (errors > 0) return "error";
  if (warnings > 0) return "warning";
  if (unjudged !== undefined) return "unjudged";
  return of === undefined ? "none" : "clean";
}

/** The verdict `clean` is that of what has no warning either; `none` is what no document describes. */
const verdicts: readonly (readonly [VerdictOf, string])[] = [
  ["error", "errors"],
  ["warning", "warnings"],
  ["clean", "ok"],
  ["unjudged", "not all judged"],
  ["none", "unknown path"],
];

const other = "none";
const statuses: readonly (readonly [string, string])[] = [
  ["2", "2xx"],
  ["3", "3xx"],
  ["4", "4xx"],
  ["5", "5xx"],
  [other, "no answer"],
];

/** @param found exchanges whose bodies hold the words */
export function matches(
  row: Row,
  { words, interface: of, status, verdict }: Values,
  found: ReadonlySet<number> = new Set(),
): boolean {
  if (of !== "" && (row.interface ?? other) !== of) return false;
  if (status !== "" && (row.status === null ? other : String(row.status)[0]) !== status) return false;
  if (verdict !== "" && verdictOf(row) !== verdict) return false;
  if (words.trim() === "" || found.has(row.exchange)) return true;
  const text = [
    row.exchange,
    row.asked,
    row.operation,
    row.status ?? "no answer",
    row.aborted ?? "",
    row.says ?? "",
    ...row.clauses,
  ];
  return holdsWords(text.join(" ").toLowerCase(), wordsOf(words));
}

interface FilterRowProps {
  readonly filters: Filters;
  readonly rows: readonly Row[];
  /** How many of them match. */
  readonly shown: number;
  /** How the search of bodies stands; empty where there is none. */
  readonly searching: string;
}

export function FilterRow({ filters, rows, shown, searching }: FilterRowProps): JSX.Element {
  const { words, inBodies, interface: of, status, verdict, set } = filters;
  const seen = new Set(rows.map((row) => row.interface ?? other));
  if (of !== "") seen.add(of);
  const isNarrow = words !== "" || of !== "" || status !== "" || verdict !== "";
  return (
    <div class="filters">
      <SearchBox label="Word, path or clause" value={words} onValue={(value) => set({ words: value })} />
      <label class="check">
        <input
          type="checkbox"
          checked={inBodies}
          onChange={(event) => set({ inBodies: event.currentTarget.checked })}
        />
        in bodies
      </label>
      <Choice
        label="interface"
        value={of}
        options={[...seen].sort().map((name) => [name, name === other ? "no document" : name])}
        onValue={(value) => set({ interface: value })}
      />
      <Choice label="status" value={status} options={statuses} onValue={(value) => set({ status: value })} />
      <Choice label="result" value={verdict} options={verdicts} onValue={(value) => set({ verdict: value })} />
      {isNarrow && (
        <p class="narrowed">
          <span role="status">
            {counted(shown)} of {counted(rows.length)}
            {searching}
          </span>{" "}
          <button type="button" onClick={() => set(nothing)}>
            show all
          </button>
        </p>
      )}
    </div>
  );
}
