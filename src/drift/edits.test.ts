/** Holds that an edit of any kind is told as one change, and an edit of content as none. */
import { expect, test } from "vitest";
import { replaceText } from "../replace-text.test-kit.ts";
import { type EditableEvent, editBody, editHeader, editStatus } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Entry } from "./compare-recordings.ts";
import { changed, drop, type Edit, edited, editedEvents, entriesOf, linesOf, set } from "./drift.test-kit.ts";
import { everyKind } from "./edited-recordings.test-kit.ts";
import { toldOtherwise } from "./edits-told.test-kit.ts";

const reply = await entriesOf("chat-completions/response/text");
const chosen = await entriesOf("chat-completions/tools/named-function");
const chunks = await entriesOf("chat-completions/streaming/usage");
const several = await entriesOf("chat-completions/streaming/two-choices");
const message = await entriesOf("messages/tools/two-calls");
const events = await entriesOf("messages/streaming/text");
const candidates = await entriesOf("generate-content/response/text");

type Sides = readonly [readonly Entry[], readonly Entry[]];

const inReply = (...edits: Edit[]): Sides => [reply, edited(reply, "response", ...edits)];
const inMessage = (...edits: Edit[]): Sides => [message, edited(message, "response", ...edits)];
const inRequest = (...edits: Edit[]): Sides => [chosen, edited(chosen, "request", ...edits)];
const inExchange = (change: (exchange: Exchange) => Exchange): Sides => [reply, changed(reply, change)];
const inEvents = (change: (events: EditableEvent[]) => EditableEvent[] | void): Sides => [
  events,
  editedEvents(events, change),
];
const inChunks = (change: (events: EditableEvent[]) => EditableEvent[] | void): Sides => [
  chunks,
  editedEvents(chunks, change),
];
/** The reply with other text of JSON. */
const inText = (change: (text: string) => string | Uint8Array): Sides =>
  inExchange((exchange) => {
    const body = change(Buffer.from(exchange.response!.body).toString("utf8"));
    return editBody(exchange, "response", Buffer.from(body as string));
  });
const typeOf = ({ data }: EditableEvent): unknown => (data as { type: unknown }).type;

const kinds: readonly [what: string, sides: Sides, line: string][] = [
  [
    "a member that the document demands goes",
    inReply(drop("/choices/0/finish_reason")),
    "removed response body /choices/*/finish_reason: string -> null (false)",
  ],
  [
    "a member that the document leaves open goes",
    inReply(drop("/system_fingerprint")),
    "removed response body /system_fingerprint: string -> null (true)",
  ],
  [
    "a member with members of its own goes",
    inReply(drop("/usage")),
    "removed response body /usage: object -> null (false)",
  ],
  [
    "a member comes that the document does not know",
    inReply(set("/usage/cost", () => ({ total: 0.1, currency: "EUR" }))),
    "added response body /usage/cost: null -> object (null)",
  ],
  [
    "a member comes that is called as built-in ones are",
    inReply(set("/toString", () => ({ hasOwnProperty: 2 }))),
    "added response body /toString: null -> object (null)",
  ],
  ["a type changes", inReply(set("/created", String)), "type response body /created: whole number -> string (false)"],
  [
    "a whole number becomes a fraction",
    inReply(set("/usage/total_tokens", () => 1.5)),
    "type response body /usage/total_tokens: whole number -> number (false)",
  ],
  [
    "a value becomes null",
    inReply(set("/system_fingerprint", () => null)),
    "nullability response body /system_fingerprint: string -> null (true)",
  ],
  [
    "a value that the documents list changes for another one",
    inReply(set("/choices/0/finish_reason", () => "length")),
    "enum response body /choices/*/finish_reason: stop -> length (true)",
  ],
  [
    "a value comes that the documents do not list",
    inReply(set("/choices/0/finish_reason", () => "eos")),
    "enum response body /choices/*/finish_reason: stop -> eos (false)",
  ],
  [
    "the items of a list change their type",
    inMessage(
      set("/content/0", () => "a"),
      set("/content/1", () => "b"),
    ),
    "type response body /content/*: object -> string (false)",
  ],
  [
    "a member of one variant of an object goes",
    inMessage(drop("/content/0/input"), drop("/content/1/input")),
    "removed response body /content/*/input type: tool_use: object -> null (false)",
  ],
  [
    "a member goes from some of the objects in a list",
    inMessage(drop("/content/1/name")),
    "removed response body /content/*/name type: tool_use: string, always -> string, sometimes (false)",
  ],
  [
    "a variant of an object comes",
    inMessage(set("/content/2", () => ({ type: "new_block", of: 1 }))),
    "enum response body /content/*/type: tool_use -> new_block, tool_use (false)",
  ],
  [
    "a status changes",
    inExchange((exchange) => editStatus(exchange, 201)),
    "status response status: 200 -> 201 (null)",
  ],
  [
    "an answer is no longer given",
    inExchange((exchange) => ({ ...exchange, response: null })),
    "status response status: 200 -> no answer (null)",
  ],
  [
    "an answer breaks off",
    inExchange((exchange) => ({ ...exchange, aborted: "upstream" })),
    "status response status: 200 -> 200, broken off (null)",
  ],
  [
    "a header comes",
    inExchange((exchange) => editHeader(exchange, "response", "X-Served-By", "a")),
    "header response headers /x-served-by: null -> there (null)",
  ],
  [
    "a media type changes",
    inExchange((exchange) => editHeader(exchange, "response", "Content-Type", "text/plain")),
    "header response headers /content-type: application/json -> text/plain (false)",
  ],
  [
    "a body is no JSON any more",
    inExchange((exchange) => editBody(exchange, "response", Buffer.from("busy"))),
    "type response body: JSON -> text (false)",
  ],
  [
    "a failure comes as a success",
    inExchange((exchange) => editBody(exchange, "response", Buffer.from('{"error":{"message":"no"}}'))),
    "type response body: JSON -> JSON that is no reply (false)",
  ],
  [
    "a header of a request comes",
    inExchange((exchange) => editHeader(exchange, "request", "X-Team", "a")),
    "header request headers /x-team: null -> there (null)",
  ],
  [
    "a member of a request goes",
    inRequest(drop("/tools/0/function/description")),
    "removed request body /tools/*/function/description type: function: string -> null (true)",
  ],
  [
    "a member of a request takes another form",
    inRequest(set("/tool_choice", () => "required")),
    "type request body /tool_choice: object -> string (true)",
  ],
  [
    "events of a type are no longer sent",
    inEvents((list) => list.filter((event) => typeOf(event) !== "content_block_stop")),
    "enum response stream /type: content_block_stop and 5 others -> 5 others (false)",
  ],
  [
    "events of a new type are sent",
    inEvents((list) => [list[0]!, { event: "note", data: { type: "note", of: 1 } }, ...list.slice(1)]),
    "enum response stream /type: 6 others -> note and 6 others (true)",
  ],
  [
    "the order of events changes",
    inEvents((list) => [...list.slice(0, -2), ...list.slice(-2).reverse()]),
    "order response stream message_delta and message_stop: message_start, content_block_start, content_block_delta, content_block_stop, message_delta, message_stop -> message_start, content_block_start, content_block_delta, content_block_stop, message_stop, message_delta (false)",
  ],
  [
    "lines that name events are no longer sent",
    inEvents((list) => list.map(({ data }) => ({ data }))),
    "removed response stream event: line: there -> null (null)",
  ],
  [
    "a member of events of one type goes",
    inEvents((list) => {
      for (const event of list) if (typeOf(event) === "content_block_delta") drop("/index")(event.data);
    }),
    "removed response stream /index type: content_block_delta: whole number -> null (false)",
  ],
  [
    "a member of variants within events goes",
    inEvents((list) => {
      for (const event of list) if (typeOf(event) === "content_block_delta") drop("/delta/text")(event.data);
    }),
    "removed response stream /delta/text type: content_block_delta: string -> null (false)",
  ],
  [
    "a stream no longer says that it ends",
    inChunks((list) => list.slice(0, -1)),
    "removed response stream [DONE]: there -> null (false)",
  ],
  [
    "usage that was asked for is no longer sent",
    inChunks((list) => list.filter(({ data }) => (data as { choices?: unknown[] }).choices?.length !== 0)),
    "nullability response stream /usage: null or object -> null (false)",
  ],
  [
    "usage that was asked for is sent again",
    inChunks((list) =>
      list.filter(({ data }) => (data as { choices?: unknown[] }).choices?.length !== 0),
    ).toReversed() as unknown as Sides,
    "nullability response stream /usage: null -> null or object (true)",
  ],
  [
    "the last event of a stream is no longer sent",
    inEvents((list) => list.slice(0, -1)),
    "enum response stream /type: message_stop and 5 others -> 5 others (false)",
  ],
  [
    "choices of a stream lose the index that tells them apart",
    [
      several,
      editedEvents(several, (list) => {
        for (const { data } of list)
          for (const choice of (data as { choices?: { index?: number }[] }).choices ?? []) delete choice.index;
      }),
    ],
    "removed response stream /choices/*/index: whole number -> null (false)",
  ],
  [
    "a stream says again that it ends",
    inChunks((list) => list.slice(0, -1)).toReversed() as unknown as Sides,
    "added response stream [DONE]: null -> there (true), required",
  ],
  [
    "a member that the document demands comes back",
    inReply(drop("/choices/0/finish_reason")).toReversed() as unknown as Sides,
    "added response body /choices/*/finish_reason: null -> string (true), required",
  ],
  [
    "a value that the document forbids goes",
    inReply(set("/choices/0/finish_reason", () => "eos")).toReversed() as unknown as Sides,
    "enum response body /choices/*/finish_reason: eos -> stop (true), allowed; what was there is forbidden",
  ],
  [
    "every event of a stream is sent twice",
    inEvents((list) => list.flatMap((one) => [one, one])),
    "added response stream events sent twice: null -> content_block_start, content_block_stop, message_delta, message_start, message_stop (false)",
  ],
  [
    "one event of a stream is sent twice",
    inChunks((list) => list.toSpliced(-3, 0, list.at(-3)!)),
    "added response stream events sent twice: null -> finish_reason (",
  ],
  [
    "a stream says twice that it ends",
    inChunks((list) => [...list, list.at(-1)!]),
    "added response stream events sent twice: null -> [DONE] (false)",
  ],
  [
    "a piece of text is sent twice in most streams",
    inEvents((list) => {
      const at = list.findIndex(({ data }) => typeOf({ data }) === "content_block_delta");
      return list.toSpliced(at, 0, { ...list[at]! });
    }),
    "added response stream a piece of text twice in a row: null -> there (null)",
  ],
  [
    "events of a stream are no JSON",
    inChunks((list) => [...list.slice(0, 1), { data: "{" }, ...list.slice(1)]),
    "added response stream data that is no JSON: null -> there (false)",
  ],
  [
    "usage comes before the reason why a choice ended",
    inChunks((list) => [...list.slice(0, -3), list.at(-2)!, list.at(-3)!, list.at(-1)!]),
    "order response stream finish_reason and usage: ",
  ],
  [
    "a stream reports an error in its middle",
    inEvents((list) => [
      ...list.slice(0, 3),
      { event: "error", data: { type: "error", error: { type: "overloaded_error", message: "x" } } },
    ]),
    "type response body: stream of events -> stream with an error (null)",
  ],
  [
    "a member is spelt in the other way that the document allows",
    [
      candidates,
      edited(
        candidates,
        "response",
        set("/candidates/0/finish_reason", () => "STOP"),
        drop("/candidates/0/finishReason"),
      ),
    ],
    "added response body /candidates/*/finish_reason for finishReason: null -> there (null)",
  ],
  [
    "a list that held something is empty",
    inReply(set("/choices", () => [])),
    "removed response body /choices: a list that holds something -> an empty list (false)",
  ],
  [
    "a member stands in its object twice",
    inText((text) => `{"created":1,${text.slice(1)}`),
    "added response body /created /created more than once in its object: null -> there (false)",
  ],
  [
    "a whole number is written with a fraction",
    inText((text) => replaceText(text, /("total_tokens":\s*\d+)/, "$1.0")),
    "added response body /usage/total_tokens /usage/total_tokens written with a fraction or an exponent: null -> there (",
  ],
  [
    "a byte order mark comes before JSON",
    inText((text) => `\ufeff${text}`),
    "added response body a byte order mark: null -> there (",
  ],
  [
    "a media type is sent twice",
    inExchange(({ response, ...exchange }) => ({
      ...exchange,
      response: { ...response!, headers: [...response!.headers, ["Content-Type", "text/plain"]] },
    })),
    "header response headers /content-type: application/json -> application/json and text/plain (",
  ],
  [
    "a switch of a request is turned",
    inRequest(
      set("/stream", () => false),
      set("/logprobs", () => true),
    ).map((side, i) =>
      i === 0
        ? edited(
            chosen,
            "request",
            set("/stream", () => false),
            set("/logprobs", () => false),
          )
        : side,
    ) as unknown as Sides,
    "enum request body /logprobs: false -> true (true)",
  ],
  [
    "a line that names an event says something else than its data",
    inEvents((list) => list.map((one, i) => (i === 1 ? { ...one, event: "renamed" } : one))),
    "enum response stream event: line: its type -> its type, renamed (",
  ],
];

test("content that comes with a failure or another kind of body is no change beside it", async () => {
  const refused = await entriesOf("chat-completions/errors/temperature-too-high");
  const keyless = { ...reply[0]!, exchange: { ...reply[0]!.exchange, response: refused[0]!.exchange.response! } };
  const bare = editBody(editStatus(refused[0]!.exchange, 500), "response", Buffer.from('{"error":{"message":"no"}}'));
  const failing = { ...reply[0]!, exchange: { ...reply[0]!.exchange, response: bare.response! } };
  for (const others of [refused, [...refused, keyless]])
    expect(await linesOf([...reply, ...others], [failing, ...others])).toEqual([
      "status response status: 200 -> 500 (null)",
    ]);
});

test("a header of replies and of refusals alike is one change", async () => {
  const before = [...reply, ...(await entriesOf("chat-completions/auth/missing-key"))];
  const withHeader = (one: Entry): Entry => ({
    ...one,
    exchange: {
      ...one.exchange,
      response: { ...one.exchange.response!, headers: [...one.exchange.response!.headers, ["X-Cost", "1"]] },
    },
  });
  expect(await linesOf(before, before.map(withHeader))).toEqual([
    "header response headers /x-cost: null -> there (null)",
  ]);
  const plain = before.map((one) => ({
    ...one,
    exchange: editHeader(one.exchange, "response", "content-type", "text/plain"),
  }));
  expect(await linesOf(before, plain)).toEqual([
    "header response headers /content-type: application/json -> text/plain (false)",
  ]);
});

test("a status that takes the place of another is one change, also where the key made a third", async () => {
  const before = [...reply, ...(await entriesOf("chat-completions/auth/missing-key"))];
  const after = before.map((one) =>
    one.exchange.response!.status === 200 ? { ...one, exchange: editStatus(one.exchange, 201) } : one,
  );
  const refused = {
    ...before.at(-1)!,
    exchange: { ...reply[0]!.exchange, response: before.at(-1)!.exchange.response },
  };
  const lines = await linesOf([...before, refused], [...after, refused]);
  expect(lines).toEqual(["status response status: 200 -> 201 (null)"]);
});

test.each(kinds)("an edit is the one change if %s", async (_what, [before, after], line) => {
  const lines = await linesOf(before, after);
  expect(lines.map((one) => one.slice(0, line.length)).join("\n")).toBe(line);
});

test("a few edits of every kind, from all recordings, are each told as often as they change structure", async () => {
  expect(await toldOtherwise(everyKind, 397)).toEqual([]);
});
