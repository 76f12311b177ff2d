/** Makes examples follow the laws of their interface: assembles streams in a lawful order, and sets values that depend on others. */
import type { Example } from "../check/example.ts";
import { createMender, type LawClause, orderOfEvents } from "../check/laws/compile.ts";
import type { OrderOfEvents } from "../check/laws/kind.ts";
import type { Selector } from "../check/laws/selector.ts";
import { draftOf, typeOfEvent, type ViewEvent, withDraft } from "../check/laws/view.ts";

/** Names of the events that a selector picks; data that is not JSON has its own. */
const namesOf = ({ event, data }: Selector): readonly string[] =>
  data === undefined ? [event ?? []].flat() : [`data ${data}`];
const nameOf = (event: ViewEvent): string => (event.isJson ? (typeOfEvent(event) ?? "") : `data ${event.data}`);
const picks = (selector: Selector, name: string): boolean => {
  const names = namesOf(selector);
  return names.includes(name) || (names.includes("*") && !name.startsWith("data "));
};

/** The first event of each name in all examples, and the data that laws name. */
function samplesIn(examples: readonly Example[], order: readonly OrderOfEvents[]): Map<string, ViewEvent> {
  const samples = new Map<string, ViewEvent>();
  for (const { exchange } of examples)
    for (const event of draftOf(exchange).events ?? [])
      if (!samples.has(nameOf(event))) samples.set(nameOf(event), event);
  for (const { needs = [] } of order)
    for (const { data } of needs)
      if (data !== undefined) samples.set(`data ${data}`, { event: undefined, data, isJson: false });
  return samples;
}

/** The names that a stream with an event of one name has: what every stream needs, and what comes with these. */
function namesWith(
  name: string,
  order: readonly OrderOfEvents[],
  samples: ReadonlyMap<string, ViewEvent>,
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

/** Sorts names so that each comes before those that have to follow it. Names without constraints keep their order. */
function sorted(names: readonly string[], order: readonly OrderOfEvents[]): string[] {
  const left = [...names];
  const done: string[] = [];
  while (left.length > 0) {
    const at = left.findIndex((name) => left.every((other) => other === name || !isBefore(other, name, order)));
    done.push(...left.splice(Math.max(at, 0), 1));
  }
  return done;
}

/** Most events of one name that streams are made around. */
const maxOfName = 60;

/**
 * Returns the examples that follow the laws. A stream of unrelated events becomes one stream per event, with the events that
 * have to come with it. An example that cannot be made to follow all laws is left out.
 */
export function lawfulExamples(examples: readonly Example[], laws: readonly LawClause[]): Example[] {
  const mend = createMender(laws);
  const order = orderOfEvents(laws);
  const samples = samplesIn(examples, order);
  const known = [...samples.keys()];
  const streams = new Map<string, ViewEvent[]>();
  const made = new Map<string, number>();
  const streamFor = (event: ViewEvent): ViewEvent[] => {
    const name = nameOf(event);
    if (!streams.has(name)) {
      const names = namesWith(name, order, samples);
      const inOrder = sorted(
        known.filter((one) => names.has(one)),
        order,
      );
      streams.set(
        name,
        inOrder.map((one) => samples.get(one)!),
      );
    }
    return streams.get(name)!.map((one) => structuredClone(nameOf(one) === name ? event : one));
  };
  return examples.flatMap((example): Example[] => {
    const { exchange } = example;
    const { events } = draftOf(exchange);
    const isOrdered = order.length > 0 && events !== undefined && events.some(({ isJson }) => isJson);
    if (!isOrdered) {
      const mended = mend(exchange);
      return mended ? [{ ...example, exchange: mended }] : [];
    }
    return events
      .filter(({ isJson }) => isJson)
      .flatMap((event, i): Example[] => {
        const count = made.get(nameOf(event)) ?? 0;
        if (count >= maxOfName) return [];
        made.set(nameOf(event), count + 1);
        const draft = draftOf(exchange);
        draft.events!.splice(0, draft.events!.length, ...streamFor(event));
        const mended = mend(withDraft(exchange, draft));
        return mended
          ? [{ ...example, name: i === 0 ? example.name : `${example.name}, event ${i + 1}`, exchange: mended }]
          : [];
      });
  });
}
