/** Reading X-UTF8: bytes that are not UTF-8 are an error in a JSON body, and a warning in events, whose readers replace them. */
import { describe, expect, test } from "vitest";
import { type FindingLevel, lenient, type Policy } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { jsonResponse } from "../../wire/build.ts";
import type { Exchange, WireRequest, WireResponse } from "../../wire/exchange.ts";
import { openCatalogue } from "../catalogue.ts";
import { examples } from "../examples.ts";

const catalogue = await openCatalogue();
const strictly: Policy = { strict: new Set(["X-UTF8"]), openEnums: false };

/** The findings about bodies as JSON, as clause and level with the event. */
function found(exchange: Exchange, policy: Policy): [string, FindingLevel, number | null][] {
  const options = { names: namesFrom(), policy };
  return judge(exchange, { source: "", exchange: 0 }, catalogue, options)
    .findings.filter(({ actual }) => actual.includes("not UTF-8"))
    .map(({ clause, level, event }) => [clause, level, event]);
}

/** The beginning of the last text in a body that is the name of a member or a word. */
const lastText = (body: Uint8Array): number =>
  [
    ...Buffer.from(body)
      .toString("latin1")
      .matchAll(/"[a-z](?=\w)/g),
  ].at(-1)!.index + 1;

/** The message with a byte that no UTF-8 holds in its last text. */
function broken<T extends WireRequest | WireResponse>({ chunks: _chunks, ...message }: T & { chunks?: unknown }): T {
  const body = Buffer.from(message.body);
  body[lastText(body)] = 0xff;
  return { ...message, body } as unknown as T;
}

const whole = (name: string): Exchange =>
  examples[name]!.find(({ exchange: { request, response } }) => {
    const [asked, said] = [request, response].map((one) => Buffer.from(one?.body ?? []).toString());
    return asked!.startsWith("{") && said!.startsWith("{") && response!.status === 200;
  })!.exchange;
const streamed = (name: string): Exchange =>
  examples[name]!.find(({ exchange }) =>
    Buffer.from(exchange.response?.body ?? [])
      .toString()
      .startsWith("data"),
  )!.exchange;

describe.each([
  ["chat-completions", "request.body-json", "response.body-is-json"],
  ["images", "generations.body-json", "response.json"],
  ["messages", "request.body-json", "response.body-json"],
  ["generate-content", "request.body-json", "response.body-json"],
])("JSON that is not UTF-8, in %s", (name, ofRequest, ofResponse) => {
  const { request, response } = whole(name);

  test("is an error in a request and in a reply", () => {
    expect(found({ request, response }, strictly)).toEqual([]);
    expect(found({ request: broken(request), response: null }, lenient)).toEqual([
      [`${name}.${ofRequest}`, "error", null],
    ]);
    expect(found({ request, response: broken(response!) }, lenient)).toEqual([
      [`${name}.${ofResponse}`, "error", null],
    ]);
  });
});

test.each(["messages", "generate-content"])("a failed reply of %s that is not UTF-8 is an error", (name) => {
  const { request } = whole(name);
  const response = broken(
    jsonResponse({ error: { type: "server_error", code: 500, status: "INTERNAL", message: "broken" } }, 500),
  );
  expect(found({ request, response }, lenient)).toEqual([[`${name}.errors.body-json`, "error", null]]);
});

test("a fault of the bytes is told in our own words, without quotes", () => {
  const { request } = whole("messages");
  const at = { source: "", exchange: 0 };
  const judgement = judge({ request: broken(request), response: null }, at, catalogue, {
    names: namesFrom(),
    policy: lenient,
  });
  expect(judgement.findings.map(({ actual }) => actual)).toContain("bytes that are not UTF-8");
});

test.each([
  ["chat-completions", "streaming.event-is-json"],
  ["generate-content", "streaming.events-json"],
])("an event of %s that is not UTF-8 is a warning where it stands, and an error when strict", (name, clause) => {
  const { request, response } = streamed(name);
  const body = Buffer.from(response!.body);
  const before = body.subarray(0, lastText(body)).toString().split("\n\n").length - 1;
  const exchange = { request, response: broken(response!) };
  expect(found({ request, response }, strictly)).toEqual([]);
  expect(found(exchange, lenient)).toEqual([[`${name}.${clause}`, "warning", before]]);
  expect(found(exchange, strictly)).toEqual([[`${name}.${clause}`, "error", before]]);
});
