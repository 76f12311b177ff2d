/** The facts that laws compare of a reply, whatever interface it came by. */

import type { LawFault, Member } from "../../../check/law.ts";
import type { Fault, Spot } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject, parseJson } from "../../../wire/json.ts";
import type { PlacedValue } from "../plausible.ts";

export type { PlacedValue } from "../plausible.ts";

/** A call of a tool. */
export interface Called {
  readonly id: PlacedValue<string> | undefined;
  readonly name: string | undefined;
  /** JSON text; of a stream, its pieces put together. */
  readonly arguments: string | undefined;
  readonly spot: Spot;
}

/** A reply that came to its end, whole or put together again. */
export interface Facts {
  readonly streamed: boolean;
  /** The request, but for what asks for a stream: the same text for the same question. */
  readonly question: string;
  readonly id: PlacedValue<string> | undefined;
  /** In seconds since 1970. */
  readonly created: PlacedValue<number> | undefined;
  /** The text of its first choice. */
  readonly text: PlacedValue<string>;
  /** The text that each event of a stream adds to it; none for a whole reply. */
  readonly pieces: readonly { readonly text: string; readonly event: number }[];
  readonly calls: readonly Called[];
  /** Why its first choice ended. */
  readonly finish: PlacedValue<string> | undefined;
  /** Tokens of the request, cached ones included. */
  readonly asked: PlacedValue<number> | undefined;
  /** Tokens of the reply. */
  readonly generated: PlacedValue<number> | undefined;
  /** Whether it asks for a temperature of 0, or the least that its document allows in every reading. */
  readonly cold: boolean;
  /** The backend that answered a request with a seed, if the reply says it. */
  readonly backend?: string | undefined;
  /** Whether tokens were generated that the reply does not show. */
  readonly thinks: boolean;
  /** All that it says, of every choice; equal for equal values, however their JSON is written. */
  readonly said: string;
}

/** Reads a reply of one interface; undefined where it failed, broke off or is not well-formed. */
export type ReadFacts = (subject: Subject) => Facts | undefined;

/** A reply among those it is compared with. */
export interface Replied {
  readonly member: Member;
  readonly facts: Facts;
}

/** The replies there are to compare. */
export const repliesOf = (members: readonly Member[], read: ReadFacts): Replied[] =>
  members.flatMap((member) => {
    const facts = read(member.subject);
    return facts ? [{ member, facts }] : [];
  });

/** A fault of one exchange, at a value or a place of its reply. */
export const faultOf = (
  { member }: Replied,
  { spot, value }: PlacedValue<unknown>,
  fault: Pick<Fault, "expected" | "hint" | "reading">,
): LawFault => ({ of: member, side: "response", ...spot, actual: value, ...fault });

/** JSON with the members of each object in one order: equal values have equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

/** The same for a text; a text that is not JSON stays as it is. */
export function canonicalText(text: string | undefined): string | undefined {
  const json = text === undefined ? undefined : parseJson(text);
  return json?.ok ? canonicalJson(json.value) : text;
}

/** The members of a request that `asks` lets pass, in an order of their own. */
export function questionOf(request: Readonly<Record<string, unknown>>, asks: (name: string) => boolean): string {
  const members = Object.entries(request).filter(([name]) => asks(name));
  return JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
