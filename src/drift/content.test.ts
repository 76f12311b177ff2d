/** Holds that content is no change, whatever it says, and that depth and width do not matter. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { type EditableEvent, editBody, editEvents, editHeader, editJson } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isEventStream } from "../wire/headers.ts";
import type { Entry } from "./compare-recordings.ts";
import { changed, drift, edited, entriesOf, linesOf, set } from "./drift.test-kit.ts";

const names = [
  "chat-completions/request/metadata",
  "chat-completions/response/log-probabilities",
  "chat-completions/streaming/two-tool-calls",
  "chat-completions/tools/round-trip",
  "images/generations/two-base64",
  "messages/content/document",
  "messages/streaming/thinking",
  "messages/tools/round-trip",
  "generate-content/generation-config/json",
  "generate-content/streaming/function-call",
  "generate-content/tools/round-trip",
];
const recordings = new Map(await Promise.all(names.map(async (name) => [name, await entriesOf(name)] as const)));

/** Members whose values the documents list, and those by which a client says what it wants. */
const listed = new Set(
  `type object role finish_reason stop_reason finishReason category probability modality threshold mode size quality style detail
  tool_choice response_format responseMimeType mimeType media_type service_tier blocked model alt`.split(/\s+/),
);
/** Objects of which the documents name no member. */
const maps = new Set([
  "metadata",
  "input",
  "args",
  "response",
  "parameters",
  "input_schema",
  "responseSchema",
  "schema",
]);

interface Random {
  readonly text: string;
  readonly number: number;
  readonly object: Record<string, unknown>;
  readonly more: boolean;
}

/** The value with other content: texts, numbers, lengths of lists, maps of clients. */
function withContent(value: unknown, name: string, next: () => Random): unknown {
  const { text, number, object, more } = next();
  if (listed.has(name)) return value;
  if (typeof value === "string") return value === "" ? "" : text;
  if (typeof value === "number") return Number.isInteger(value) ? number : -number - 0.5;
  if (typeof value !== "object" || value === null) return value;
  if (maps.has(name)) return object;
  if (Array.isArray(value)) {
    const items = value.map((item) => withContent(item, "", next));
    return more && items.length > 0 ? [...items, items.at(-1)] : items;
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withContent(member, key, next)]));
}

const random = fc.record({
  text: fc.string({ minLength: 1, unit: "grapheme" }),
  number: fc.nat(),
  object: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
  more: fc.boolean(),
});

/** The exchange with other content everywhere. */
function said(exchange: Exchange, next: () => Random): Exchange {
  const edit = (body: unknown): unknown => withContent(body, "", next);
  const asked = editHeader(editJson(exchange, "request", edit), "response", "Date", String(next().number));
  if (!isEventStream(exchange.response)) return editJson(asked, "response", edit);
  return editEvents(asked, (events) =>
    events.flatMap((event) => {
      const other = () => ({ ...event, data: typeof event.data === "string" ? event.data : edit(event.data) });
      // Pieces of what is said, as many as there happen to be.
      return JSON.stringify(event.data).includes('"delta') && next().more ? [other(), other()] : [other()];
    }),
  );
}

test("other texts, numbers, ids, times, lengths, maps, and pieces of streams are no change", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.array(random, { minLength: 20 }), async (name, randoms) => {
      let at = 0;
      // No two texts are the same: an event that comes again word for word is a change.
      const next = (): Random => {
        const one = randoms[at++ % randoms.length]!;
        return { ...one, text: `${one.text}${at}`, number: one.number + at };
      };
      const entries = recordings.get(name)!;
      const after = changed(entries, (exchange) => said(exchange, next));
      expect((await linesOf(entries, after)).join("\n")).toBe("");
    }),
    fuzz(80),
  );
});

/** One stream `n` times, with events added to the first few. */
function streams(name: string, n: number, few: number, add: (events: EditableEvent[]) => EditableEvent[]): Entry[] {
  const [entry] = recordings.get(name)!;
  return Array.from({ length: n }, (_, position) => ({
    ...entry!,
    exchange: position < few ? editEvents(entry!.exchange, add) : entry!.exchange,
    position,
  }));
}
const twice = (is: (text: string) => boolean) => (events: EditableEvent[]) =>
  events.flatMap((event) => (is(JSON.stringify(event.data)) ? [event, event] : [event]));

test("a word that is said twice now and then is no change, nor is a ping that comes again", async () => {
  const name = "messages/streaming/thinking";
  const said = twice((text) => /"text":"[^"]{3}/.test(text));
  expect(await linesOf(streams(name, 20, 0, said), streams(name, 20, 9, said))).toEqual([]);
  expect(await linesOf(streams(name, 20, 0, said), streams(name, 20, 20, said))).toEqual([
    "added response stream a piece of text twice in a row: null -> there (null)",
  ]);
  const pinged = (times: number) => (events: EditableEvent[]) => [
    events[0]!,
    ...Array.from({ length: times }, () => ({ event: "ping", data: { type: "ping" } })),
    ...events.slice(1),
  ];
  expect(await linesOf(streams(name, 9, 9, pinged(1)), streams(name, 9, 9, pinged(5)))).toEqual([]);
});

const reply = await entriesOf("chat-completions/response/text");
/** The reply with JSON text of its own as one more member. */
const withMember = (text: string) =>
  changed(reply, (exchange) => {
    const body = Buffer.from(exchange.response!.body).toString("utf8");
    return editBody(exchange, "response", Buffer.from(`{"more":${text},${body.slice(1)}`));
  });
const nested = (levels: number, leaf: string): string => `${"[".repeat(levels)}${leaf}${"]".repeat(levels)}`;

test("a type that changes below 2,000 levels is one change, and its place is shortened", async () => {
  const { changes } = await drift(withMember(nested(2_000, "1")), withMember(nested(2_000, '"a"')));
  expect(changes.map(({ kind, before, after }) => ({ kind, before, after }))).toEqual([
    { kind: "type", before: "number", after: "string" },
  ]);
  expect(changes[0]!.pointer).toMatch(/^\/more\/\*/);
  expect(changes[0]!.pointer.length).toBeLessThan(300);
});

test("an answer that nests deeper than is read was not compared", async () => {
  const { changes, summary } = await drift(reply, withMember(nested(10_000, "1")));
  expect(changes).toEqual([]);
  expect(summary).toMatchObject({
    compared: { before: 1, after: 0 },
    unread: { before: 0, after: 1 },
    unmatched: { before: 0, after: 0 },
    alike: 0,
  });
});

test("a stream with an event that nests deeper than is read was not compared, and what it lacks is no change", async () => {
  const chunks = await entriesOf("chat-completions/streaming/usage");
  const deep = changed(chunks, (exchange) => {
    const body = Buffer.from(exchange.response!.body).toString("utf8");
    return editBody(exchange, "response", Buffer.from(`data: ${nested(70_000, "1")}\n\n${body}`));
  });
  const { changes, summary } = await drift(chunks, deep);
  expect(changes).toEqual([]);
  expect(summary).toMatchObject({ compared: { before: 1, after: 0 }, unread: { before: 0, after: 1 } });
});

test("one item of another type among 100,000 is one change", async () => {
  const items = (last: string): string => `[${"1,".repeat(99_999)}${last}]`;
  expect(await linesOf(withMember(items("2")), withMember(items("true")))).toEqual([
    "type response body /more/*: number -> number or boolean (null)",
  ]);
});

test("names in objects of an undocumented member are structure until they are so many that they must be keys", async () => {
  const object = (n: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i])));
  expect(await linesOf(withMember(object(2)), withMember(object(3)))).toHaveLength(1);
  expect(await linesOf(withMember(object(520)), withMember(object(540)))).toEqual([]);
});

test("names in a map of the request that comes back are content, and that it comes is a change", async () => {
  const echo = (labels: unknown) =>
    edited(
      reply,
      "response",
      set("/metadata", () => labels),
    );
  expect(await linesOf(echo({ topic: "a" }), echo({ place: 1, more: {} }))).toEqual([]);
  expect(await linesOf(reply, echo({ topic: "a" }))).toEqual(["added response body /metadata: null -> object (null)"]);
  expect(await linesOf(echo({ topic: "a" }), echo("a"))).toEqual([
    "type response body /metadata: object -> string (null)",
  ]);
});

test("a schema that a client made up is no change, in a tool of whatever type", async () => {
  const tools = await entriesOf("messages/tools/two-calls");
  const made = (): unknown => ({ anything: [{ at: "all" }] });
  const other = edited(tools, "request", set("/tools/0/input_schema", made), set("/tools/1/input_schema", made));
  expect(await linesOf(tools, other)).toEqual([]);
});
