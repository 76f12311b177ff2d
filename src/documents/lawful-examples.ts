/** Makes examples follow the laws of their interface: assembles streams in a lawful order, and sets values that depend on others. */
import type { Example } from "../check/example.ts";
import { createMender, type LawClause, orderOfEvents } from "../check/laws/compile.ts";
import { type OrderOfEvents, otherValue } from "../check/laws/kind.ts";
import { compileSelector, passes, type Selector } from "../check/laws/selector.ts";
import { draftOf, setAt, typeOfEvent, type ViewEvent, viewOfEvents, withDraft } from "../check/laws/view.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";

/** Returns the event names that a selector picks. Data that is not JSON has names of its own. */
const namesOf = ({ event, data }: Selector): readonly string[] =>
  data === undefined ? [event ?? []].flat() : [`data ${data}`];
const nameOf = (event: ViewEvent): string => (event.isJson ? (typeOfEvent(event) ?? "") : `data ${event.data}`);
const picks = (selector: Selector, name: string): boolean => {
  const names = namesOf(selector);
  return names.includes(name) || (names.includes("*") && !name.startsWith("data "));
};

/** Maximum number of sample events per name. */
const maxSamples = 12;

/** Returns the types of an event and of its direct members. Samples of one name differ in them. */
const typesIn = (data: unknown): string =>
  JSON.stringify([data, ...Object.values(data ?? {})].map((one) => (isObject(one) ? one["type"] : undefined)));

/** Events of each name in all examples that differ in their types, and the data that laws name. */
function samplesIn(examples: readonly Example[], order: readonly OrderOfEvents[]): Map<string, ViewEvent[]> {
  const samples = new Map<string, ViewEvent[]>();
  for (const { exchange } of examples)
    for (const event of draftOf(exchange).events ?? []) {
      const own = samples.get(nameOf(event)) ?? [];
      samples.set(nameOf(event), own);
      const types = typesIn(event.data);
      if (own.length < maxSamples && own.every((one) => typesIn(one.data) !== types)) own.push(event);
    }
  for (const { needs = [] } of order)
    for (const { data } of needs)
      if (data !== undefined) samples.set(`data ${data}`, [{ event: undefined, data, isJson: false }]);
  return samples;
}

/** Returns the event names of a stream around one event: those that every stream needs, and those that laws tie to them. */
function namesWith(
  name: string,
  order: readonly OrderOfEvents[],
  samples: ReadonlyMap<string, readonly ViewEvent[]>,
): Set<string> {
  const names = new Set([name]);
  const add = (selector: Selector): void => {
    const wanted = namesOf(selector);
    if (wanted.includes("*") || wanted.some((one) => names.has(one))) return;
    const known = wanted.find((one) => samples.has(one));
    if (known !== undefined) names.add(known);
  };
  for (const { needs = [] } of order) needs.forEach(add);
  for (let size = 0; size < names.size; ) {
    size = names.size;
    for (const { with: pairs = [] } of order)
      for (const [one, other] of pairs) if ([...names].some((own) => picks(one, own))) add(other);
  }
  return names;
}

/** Whether laws say that one event comes before another one. */
function isBefore(one: string, other: string, order: readonly OrderOfEvents[]): boolean {
  if (one.startsWith("data ") || other.startsWith("data ")) return other.startsWith("data ");
  return order.some(
    ({ first, last, before = [] }) =>
      (first && picks(first, one) && !picks(first, other)) ||
      (last && picks(last, other) && !picks(last, one)) ||
      before.some(([early, late]) => picks(early, one) && picks(late, other) && !picks(early, other)),
  );
}

/** Sorts names so that laws about order hold. Names without constraints keep their order. */
function sorted(names: readonly string[], order: readonly OrderOfEvents[]): string[] {
  const left = [...names];
  const done: string[] = [];
  while (left.length > 0) {
    const at = left.findIndex((name) => left.every((other) => other === name || !isBefore(other, name, order)));
    done.push(...left.splice(Math.max(at, 0), 1));
  }
  return done;
}

/** Maximum number of streams per event name, and of further combinations of samples tried for that name. */
const maxOfName = 40;
const maxTries = 60;

/** Position of the sample used for each other event name. */
type Choice = ReadonlyMap<string, number>;

/** Returns a test for events: whether they have the values that other events of their stream imply. */
function fitsInto(names: ReadonlySet<string>, order: readonly OrderOfEvents[]): (event: ViewEvent) => boolean {
  const tests = order
    .flatMap(({ fits = [] }) => fits)
    .filter((one) => [...names].some((name) => picks(one.if, name)))
    .map((one) => ({ select: compileSelector(one.of), is: one.is }));
  return (event) =>
    tests.every(({ select, is }) => select.all(viewOfEvents([event])).every(({ value }) => passes(is, value)));
}

/** Yields choices that differ from the usual one in a single sample. */
function* choicesNear(usual: Choice, samples: ReadonlyMap<string, readonly ViewEvent[]>): Generator<Choice> {
  for (const [name, at] of usual)
    for (const i of samples.get(name)!.keys()) if (i !== at) yield new Map([...usual, [name, i]]);
}

/** Maximum number of request and response pairs tried for laws without an example. */
const maxPairs = 2000;

/**
 * Returns examples that follow the laws. A stream of unrelated events becomes one stream per event, together with the events
 * that laws require. Examples that cannot follow all laws are dropped.
 * @param recorded good exchanges that are kept unchanged; their events are samples as well
 * @param shownBy returns the clause ids of the laws that an exchange exercises, or undefined if it has findings
 */
export function lawfulExamples(
  examples: readonly Example[],
  laws: readonly LawClause[],
  recorded: readonly Example[],
  shownBy: (exchange: Exchange) => ReadonlySet<string> | undefined,
): Example[] {
  const mend = createMender(laws);
  const order = orderOfEvents(laws);
  const samples = samplesIn([...examples, ...recorded], order);
  const made = new Map<string, number>();
  const unshown = new Set(laws.map(({ clause }) => clause));
  /** Choices that produced a good stream, by event name. */
  const goodChoices = new Map<string, Choice[]>();
  const triesLeft = new Map<string, number>();

  function mended(exchange: Exchange): Exchange | undefined {
    const changed = mend(exchange);
    const shows = changed && shownBy(changed);
    if (!shows) return undefined;
    for (const clause of shows) unshown.delete(clause);
    return changed;
  }

  /** Assembles a stream around one event; undefined if none follows the laws. */
  function streamWith(exchange: Exchange, event: ViewEvent): Exchange | undefined {
    const own = nameOf(event);
    const names = namesWith(own, order, samples);
    const inOrder = sorted(
      [...samples.keys()].filter((one) => names.has(one)),
      order,
    );
    const known = goodChoices.get(own) ?? [];
    goodChoices.set(own, known);
    function attempt(choice: Choice): Exchange | undefined {
      const draft = draftOf(exchange);
      const events = inOrder.map((one) => structuredClone(one === own ? event : samples.get(one)![choice.get(one)!]!));
      draft.events!.splice(0, draft.events!.length, ...events);
      return mended(withDraft(exchange, draft));
    }
    const fits = fitsInto(names, order);
    const others = inOrder.filter((one) => one !== own);
    const usual = new Map(others.map((one) => [one, Math.max(samples.get(one)!.findIndex(fits), 0)]));
    for (const choice of [usual, ...known]) {
      const found = attempt(choice);
      if (found) return found;
    }
    for (const choice of choicesNear(usual, samples)) {
      const left = triesLeft.get(own) ?? maxTries;
      if (left === 0) return undefined;
      triesLeft.set(own, left - 1);
      const found = attempt(choice);
      if (!found) continue;
      known.push(choice);
      return found;
    }
    return undefined;
  }

  for (const { exchange } of recorded) for (const clause of shownBy(exchange) ?? []) unshown.delete(clause);
  const lawful = examples.flatMap((example): Example[] => {
    const { exchange, name } = example;
    const { events = [] } = draftOf(exchange);
    const own = events.filter(({ isJson }) => isJson);
    if (order.length === 0 || own.length === 0) {
      const changed = mended(exchange);
      return changed ? [{ ...example, exchange: changed }] : [];
    }
    return own.flatMap((event, i): Example[] => {
      const count = made.get(nameOf(event)) ?? 0;
      if (count >= maxOfName) return [];
      made.set(nameOf(event), count + 1);
      const stream = streamWith(exchange, event);
      return stream ? [{ ...example, name: i === 0 ? name : `${name}, event ${i + 1}`, exchange: stream }] : [];
    });
  });
  return [...lawful, ...pairsShowing(unshown, lawful, examples)];

  /** Examples of laws on a request and its response: requests are paired with the responses of other examples. */
  function pairsShowing(wanted: Set<string>, good: readonly Example[], all: readonly Example[]): Example[] {
    const found: Example[] = [];
    let tries = 0;
    const endpoint = ({ exchange: { request } }: Example): string => `${request.method} ${request.target}`;
    // Large bodies show most.
    const bySize = (side: "request" | "response") => (a: Example, b: Example) =>
      (b.exchange[side]?.body.length ?? 0) - (a.exchange[side]?.body.length ?? 0);
    const requests = [...good].sort(bySize("request"));
    const responses = [...good, ...all].filter(({ exchange }) => exchange.response).sort(bySize("response"));
    for (const one of requests)
      for (const other of responses) {
        if (wanted.size === 0 || tries >= maxPairs) return found;
        if (endpoint(one) !== endpoint(other)) continue;
        tries++;
        const before = wanted.size;
        const exchange = mended({ request: one.exchange.request, response: other.exchange.response });
        if (exchange && wanted.size < before)
          found.push({ name: `${one.name}, with the response of ${other.name}`, exchange });
      }
    return found;
  }
}

/** Maximum number of values that are changed on each side. */
const maxVaried = 20;

/** Places of the strings, numbers and booleans in a JSON value. */
function* scalarsIn(value: unknown, pointer = ""): Generator<{ readonly pointer: string; readonly value: unknown }> {
  if (typeof value !== "object" || value === null) yield { pointer, value };
  else for (const [name, one] of Object.entries(value)) yield* scalarsIn(one, `${pointer}/${escapeToken(name)}`);
}

/** Returns an exchange with other values in its request and response, as far as it stays good. */
export function varied(exchange: Exchange, isGood: (exchange: Exchange) => boolean): Exchange {
  const { request, response, events = [] } = draftOf(exchange);
  const roots = [
    { root: request, spot: { side: "request", in: "body" } as const },
    { root: response, spot: { side: "response", in: "body" } as const },
    ...events.flatMap(({ data, isJson }, event) =>
      isJson ? [{ root: data, spot: { side: "response", in: "stream", event } as const }] : [],
    ),
  ];
  let good = exchange;
  for (const { root, spot } of roots) {
    let tries = 0;
    for (const { pointer, value } of root === undefined ? [] : scalarsIn(root)) {
      const other = otherValue(value);
      if (other === undefined || tries++ === maxVaried) continue;
      const draft = draftOf(good);
      setAt(draft, { ...spot, pointer }, other);
      const changed = withDraft(good, draft);
      if (isGood(changed)) good = changed;
    }
  }
  return good;
}
