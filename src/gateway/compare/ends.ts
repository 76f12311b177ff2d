/** The two ends of a trip as facts, and how what became of one fact is told. */
import type { AnswerFacts, RequestFacts } from "../../interfaces/common/facts/model.ts";
import { type FactEntry, factData, hasWord } from "../../interfaces/fact-data.ts";
import type { FactComparison, FactOutcome, FactSide, Route } from "../trip.ts";
import { bounded } from "./values.ts";

/** Whether the strict form of a reading holds. */
export type IsStrict = (reading: string) => boolean;

/** The input of all comparisons of one trip. */
export interface Ends {
  readonly route: Route;
  readonly asked: RequestFacts;
  /** The request that reached the upstream, or the last of several; one that asks nothing where none did. */
  readonly arrived: RequestFacts;
  /** All requests that reached the upstream. */
  readonly arrivals: readonly RequestFacts[];
  readonly answered: AnswerFacts | undefined;
  readonly got: AnswerFacts | undefined;
  readonly situation: string | undefined;
  readonly isStrict: IsStrict;
  /** Whether facts go through words of another interface or, in a client library, of none. */
  readonly isTranslated: boolean;
}

/** The result for one fact: its outcome, and how it is reported. */
export interface Verdict {
  readonly outcome: FactOutcome;
  readonly conversion?: string;
  readonly why?: string;
}

export const kept: Verdict = { outcome: "kept" };
export const dropped = (why?: string): Verdict => ({ outcome: "dropped", ...(why && { why }) });
export const changed = (why: string): Verdict => ({ outcome: "changed", why });
export const invented = (why: string): Verdict => ({ outcome: "invented", why });
export const noCounterpart = (why: string): Verdict => ({ outcome: "no-counterpart", why });
export const notShown = (why: string): Verdict => ({ outcome: "not-shown", why });

/** A fair conversion by default; under the strict form of its reading what `literally` says. */
export const converted = (
  ends: Pick<Ends, "isStrict">,
  reading: string,
  conversion: string,
  literally?: Verdict,
): Verdict =>
  ends.isStrict(reading)
    ? (literally ?? changed(`${conversion} ${reading} wants it literally.`))
    : { outcome: "kept", conversion };

/** How something is told that came under a name that no document has. */
export const cameAs = ({ route }: Pick<Ends, "route">, under: string): string =>
  `It came as ${under}, which the document of ${route.to} does not have.`;

/** The entry of a fact of requests. */
export function requestFact(name: string): FactEntry {
  const entry = factData().request[name];
  if (!entry) throw new Error(`${name} is no fact of requests`);
  return entry;
}

/** Whether the interface of the upstream has a word for a fact of requests. */
export const upstreamHas = ({ route }: Ends, fact: string): boolean => hasWord(requestFact(fact), route.to);

/** Whether the interface of the client has a word for a fact of answers. */
export const clientHas = ({ route }: Ends, fact: string): boolean => {
  const entry = factData().answer[fact];
  return entry !== undefined && hasWord(entry, route.from);
};

/** Whether the interface of the client has a word for a detail of a fact of answers. */
export const clientSays = ({ route }: Ends, fact: string, detail: string): boolean =>
  factData().answer[fact]?.details?.[detail]?.includes(route.from) === true;

/** The outcome of a fact that is gone: dropped, or without a counterpart. */
export const gone = (ends: Ends, fact: string): Verdict =>
  upstreamHas(ends, fact) ? dropped() : noCounterpart(`${ends.route.to} has no word for it.`);

/** Two values of a fact, and what became of it. */
export function told(
  side: FactSide,
  fact: string,
  { outcome, conversion, why }: Verdict,
  before: unknown,
  after: unknown,
): FactComparison {
  const [first, second] = [bounded(before), bounded(after)];
  const values =
    side === "request"
      ? { ...(first !== undefined && { asked: first }), ...(second !== undefined && { arrived: second }) }
      : { ...(first !== undefined && { answered: first }), ...(second !== undefined && { got: second }) };
  return { fact, side, outcome, ...values, ...(conversion && { conversion }), ...(why && { why }) };
}
