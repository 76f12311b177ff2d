/** Laws acquit exchanges that only look wrong, and accuse those that only look right. */
import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judgeLaws } from "../check/judge-laws.ts";
import { namesFrom } from "../check/names.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { editBody, editEvents } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { openCatalogue } from "./catalogue.ts";
import { editHeads, editUsage, sayInstead } from "./chat-completions/examples/spoil.ts";
import { shippedExamples } from "./examples.ts";

const catalogue = await openCatalogue();
const chat = (name: string): readonly Exchange[] =>
  shippedExamples.conversations["chat-completions"]!.find((one) => one.name.startsWith(name))!.exchanges;
const [whole, stream, other] = chat("one question whole") as [Exchange, Exchange, Exchange];

function judged(...exchanges: readonly Exchange[]) {
  const placed = exchanges.map((exchange, position) => ({ exchange, position }));
  const laws = judgeLaws(placed, "s", catalogue, { names: namesFrom(), policy: lenient });
  const short = (id: string): string => id.replace("chat-completions.", "");
  return {
    exercised: laws.exercised.map(short),
    found: laws.findings.map(({ level, clause, exchange }) => `${level} ${short(clause)} ${exchange}`),
    messages: laws.findings.map(({ message }) => message),
  };
}
const withId = (exchange: Exchange, id: string): Exchange => editHeads(exchange, (head) => void (head.id = id))!;
const counting = (exchange: Exchange, count: number): Exchange =>
  editUsage(exchange, (usage) => {
    usage.completion_tokens = count;
    usage.total_tokens = usage.prompt_tokens + count;
  })!;
/** A stream without its event at a position. */
const without = (position: number): Exchange => editEvents(stream, (events) => void events.splice(position, 1));

test("the same reply to the same request may come again under its id, as from a cache", () => {
  expect(judged(whole, whole, withId(stream, "chatcmpl-1")).found).toEqual([]);
  expect(judged(whole, other, withId(other, "chatcmpl-1")).found).toEqual(["warning response.id-unique 2"]);
  expect(judged(whole, withId(other, "chatcmpl-1")).found).toEqual(["warning response.id-unique 1"]);
});

test("a finding names the other exchange", () => {
  expect(judged(whole, withId(other, "chatcmpl-1")).messages[0]).toContain("exchange 0");
});

test("one reply alone shows nothing, nor do failures and replies that broke off", () => {
  expect(judged(whole).exercised).toEqual([]);
  const failed = { ...whole, response: { ...whole.response!, status: 500 } };
  const cut: Exchange = { ...withId(other, "chatcmpl-1"), aborted: "upstream" };
  expect(judged(whole, failed, cut).found).toEqual([]);
  expect(judged(whole, cut).exercised).toEqual([]);
});

test("other words of a stream are a note; a piece missing of as many tokens is a warning", () => {
  expect(judged(whole, sayInstead(stream, "Other words.")!).found).toEqual(["note laws.stream-text 1"]);
  expect(judged(whole, without(1)).found).toEqual(["warning laws.stream-text 1"]);
  expect(judged(whole, counting(without(1), 3)).found).toEqual(["note laws.stream-text 1"]);
});

test("texts may differ where no temperature of 0 is asked for", () => {
  const warm = ({ request, ...rest }: Exchange): Exchange => {
    const { temperature: _temperature, ...asked } = JSON.parse(Buffer.from(request.body).toString("utf8"));
    return editBody({ ...rest, request }, "request", Buffer.from(JSON.stringify(asked)));
  };
  expect(judged(warm(whole), warm(without(1))).found).toEqual([]);
});

test("a token for the end may be counted or not, but not more", () => {
  expect(judged(whole, counting(stream, 5)).found).toEqual([]);
  expect(judged(whole, counting(stream, 6)).found).toEqual(["warning laws.stream-usage 1"]);
});

test("a creation time that stands still is seen once two seconds have passed, one that moves after one, and neither in what was imported", () => {
  const at = (exchange: Exchange, seconds: number, more: Partial<Exchange> = {}, created = 0): Exchange => ({
    ...editHeads(exchange, (head) => void (head.created = 1_735_689_600 + created))!,
    started: 1_735_689_600_000 + seconds * 1000,
    ...more,
  });
  expect(judged(at(whole, 0), at(other, 2)).found).toEqual(["warning laws.created-moves 1"]);
  expect(judged(at(whole, 0), at(other, 1.9)).exercised).not.toContain("laws.created-moves");
  expect(judged(at(whole, 0), at(other, 1.1, {}, -1)).exercised).not.toContain("laws.created-moves");
  const moved = judged(at(whole, 0), at(other, 1.1, {}, 1));
  expect(moved.exercised).toContain("laws.created-moves");
  expect(moved.found).toEqual([]);
  expect(judged(at(whole, 0), at(other, 0.9, {}, 1)).exercised).not.toContain("laws.created-moves");
  expect(judged(at(whole, 0), at(other, 9, { imported: "HAR" })).exercised).not.toContain("laws.created-moves");
});

test("a stream that lacks its own word is no mixing", () => {
  const [first, second] = chat("streams at the same time") as [Exchange, Exchange];
  expect(judged(first, sayInstead(second, "I would rather not.")!).found).toEqual([]);
  expect(judged(first, sayInstead(second, "canary-00000000000a")!).found).toEqual(["warning laws.streams-apart 1"]);
});

test("a count of the request that a cache explains is nobody's fault, and any other is the stream's", () => {
  const asking = (exchange: Exchange, tokens: number): Exchange =>
    editUsage(exchange, (usage) => {
      usage.prompt_tokens = tokens;
      usage.total_tokens = tokens + usage.completion_tokens;
    })!;
  const of = (first: number, streamed: number, again: number | undefined, elsewhere: number): string[] =>
    judged(
      asking(whole, first),
      asking(stream, streamed),
      ...(again === undefined ? [] : [withId(asking(whole, again), "chatcmpl-1")]),
      asking(other, elsewhere),
    ).found.filter((found) => found.includes("stream-usage"));
  const accused = ["warning laws.stream-usage 1"];
  expect(of(79, 1, 1, 79)).toEqual([]);
  expect(of(79, 1, undefined, 79)).toEqual([]);
  expect(of(79, 1, undefined, 5)).toEqual([]);
  expect(of(1, 79, 1, 79)).toEqual([]);
  expect(of(79, 1, 79, 79)).toEqual(accused);
  expect(of(79, 179, undefined, 79)).toEqual(accused);
});

const said = (exchange: Exchange): string => Buffer.from(exchange.response!.body).toString();

/** The JSON text of a generate content body or event, with its responseId escaped and each text split in two. */
function respelled(json: string): string {
  const body = JSON.parse(json);
  for (const { content } of body.candidates)
    content.parts = content.parts.flatMap((part: { text?: string }) => {
      const { text } = part;
      if (text === undefined) return [part];
      // Between the halves of a surrogate pair, if there is one.
      const at = Math.max(1, text.search(/[\ud800-\udbff][\udc00-\udfff]/) + 1);
      return [
        { ...part, text: text.slice(0, at) },
        { ...part, text: text.slice(at) },
      ];
    });
  const escaped = [...body.responseId].map((c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return replaceText(JSON.stringify(body), JSON.stringify(body.responseId), `"${escaped.join("")}"`);
}

test("ids in escapes and texts in several parts change no law of generate content", () => {
  const [one, streamed, ...more] = shippedExamples.conversations["generate-content"]!.find(({ name }) =>
    name.startsWith("one question whole"),
  )!.exchanges;
  const emoji = (exchange: Exchange): Exchange =>
    editBody(exchange, "response", Buffer.from(replaceText(said(exchange), /("text":\s?")/, "$1\u{1f600}")));
  const whole = emoji(one!);
  const stream = emoji(streamed!);
  const wholeRespelled = editBody(whole, "response", Buffer.from(respelled(said(whole))));
  const events = replaceText(said(stream), /(?<=data: )\{[^\n\r]*\}/g, respelled);
  const streamRespelled = editBody(stream, "response", Buffer.from(events));
  const before = judged(whole, stream, ...more);
  expect(before.found).toEqual([]);
  for (const exchanges of [
    [wholeRespelled, stream],
    [whole, streamRespelled],
    [wholeRespelled, streamRespelled],
  ])
    expect(judged(...exchanges, ...more)).toEqual(before);
});

/** The exchange with the arguments of its calls written with other blanks, escapes and another order of members. */
function respellArguments(exchange: Exchange): Exchange {
  const reversed = (value: object): object => Object.fromEntries(Object.entries(value).reverse());
  const written = (text: string): string =>
    replaceText(
      JSON.stringify(reversed(JSON.parse(text)), null, 2),
      /\w(?=\w*")/g,
      (c) => `\\u00${c.charCodeAt(0).toString(16)}`,
    );
  const body = JSON.parse(said(exchange));
  for (const { message } of body.choices ?? [])
    for (const call of message.tool_calls) call.function.arguments = written(call.function.arguments);
  for (const block of body.content ?? []) if (block.input) block.input = reversed(block.input);
  return editBody(exchange, "response", Buffer.from(replaceText(said(exchange), said(exchange), JSON.stringify(body))));
}

test.each([
  ["chat-completions", "calls, whole"],
  ["messages", "tools, whole"],
])("calls of %s may come again under their ids with arguments that are written differently", (of, name) => {
  const [first] = shippedExamples.conversations[of]!.find((one) => one.name.startsWith(name))!.exchanges;
  // Two members, so that their order can change.
  const twoMembers = replaceText(said(first!), /(\\?")city\1:/, "$1day$1:$1today$1,$1city$1:");
  const call = editBody(first!, "response", Buffer.from(twoMembers));
  const { exercised, found } = judged(call, respellArguments(call));
  expect(found).toEqual([]);
  expect(exercised).toEqual([]);
});
