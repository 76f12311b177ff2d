/** The marks of an exchange: places that findings name, and those at which a probe differs from its twin. */
import type { Finding, FindingLevel, Place, Side } from "../../check/clause.ts";
import type { JsonNodes } from "./json-nodes.ts";
import { find } from "./json-nodes.ts";

/** A place of a message, and what is to be said of it. */
export interface Mark {
  readonly level: FindingLevel | "difference";
  readonly side: Side;
  readonly in: Place;
  /** The event of a stream, if it is known. */
  readonly event: number | null;
  /** JSON Pointer into the place; `/name` of a header, a parameter or a field. */
  readonly pointer: string;
  /** The words beside the place, in short. */
  readonly says: string;
  /** Whether this is the one that is looked at. */
  readonly isFocus: boolean;
}

/** The mark of a finding. */
export const markOf = (finding: Finding, isFocus: boolean): Mark => ({
  level: finding.level,
  side: finding.side,
  in: finding.in,
  event: finding.event,
  pointer: finding.pointer,
  says: `expected ${finding.expected}`,
  isFocus,
});

/** The marks of one place of one side. */
export const marksIn = (marks: readonly Mark[], side: Side, ...places: readonly Place[]): Mark[] =>
  marks.filter((mark) => mark.side === side && places.includes(mark.in));

/** The first step of a pointer: the name of a header, a parameter or a field. */
export const nameOf = ({ pointer }: Mark): string =>
  (pointer.split("/", 2)[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");

/** Marks by the event they stand at; those of a stream as a whole under null. */
export function marksByEvent(marks: readonly Mark[]): ReadonlyMap<number | null, readonly Mark[]> {
  const byEvent = new Map<number | null, Mark[]>();
  for (const mark of marks) {
    const own = byEvent.get(mark.event);
    if (own) own.push(mark);
    else byEvent.set(mark.event, [mark]);
  }
  return byEvent;
}

const ranks: readonly Mark["level"][] = ["error", "warning", "unenforced", "note", "difference"];

/** The worst level of some marks. */
export const worstOf = (marks: readonly Mark[]): Mark["level"] | undefined =>
  ranks.find((level) => marks.some((mark) => mark.level === level));

/** Marks of a JSON text by the node they stand at. */
export interface PlacedMarks {
  readonly at: ReadonlyMap<number, readonly Mark[]>;
  /** The missing values: by the container that lacks them, or that was reached before the pointer led nowhere. */
  readonly missing: ReadonlyMap<number, readonly { readonly name: string; readonly mark: Mark }[]>;
  /** Marks of values in what the page does not hold, or of no value at all. */
  readonly lost: readonly Mark[];
}

export function placed(json: JsonNodes, marks: readonly Mark[]): PlacedMarks {
  const at = new Map<number, Mark[]>();
  const missing = new Map<number, { name: string; mark: Mark }[]>();
  const lost: Mark[] = [];
  for (const mark of marks) {
    const { position, missing: steps } = find(json, mark.pointer);
    const node = json.nodes[position];
    const isBeyond = json.stopped !== undefined && (position < 0 || node!.next === json.nodes.length);
    if (!node || (steps.length > 0 && isBeyond)) lost.push(mark);
    else if (steps.length === 0) at.set(position, [...(at.get(position) ?? []), mark]);
    else if (steps.length === 1 && node.kind === "object")
      missing.set(position, [...(missing.get(position) ?? []), { name: steps[0]!, mark }]);
    else at.set(position, [...(at.get(position) ?? []), mark]);
  }
  return { at, missing, lost };
}
