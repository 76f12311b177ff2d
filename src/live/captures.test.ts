/** A saved request takes over ids of earlier answers; others only look alike. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../home.ts";
import { readRecording, recordingsIn } from "../run/plan/recordings.ts";
import type { Exchange } from "../wire/exchange.ts";
import { bindsOf } from "./captures.ts";

const exchange = (asked: unknown, answered: unknown): Exchange => ({
  request: { method: "POST", target: "/v1/x", headers: [], body: Buffer.from(JSON.stringify(asked)) },
  response: {
    status: 200,
    headers: [["Content-Type", "application/json"]],
    body: Buffer.from(typeof answered === "string" ? answered : JSON.stringify(answered)),
  },
});
const id = "call_b7d2f0a9c1";
const other = "call_0e9d8c7b6a";
const asking = { messages: [{ role: "user", content: "hi" }] };
const calling = (...ids: string[]) => ({ choices: [{ message: { tool_calls: ids.map((one) => ({ id: one })) } }] });
const answering = (...ids: string[]) => ({ messages: ids.map((one) => ({ role: "tool", tool_call_id: one })) });
const of = (...exchanges: Exchange[]) => bindsOf(exchanges).map((binds) => binds.map(({ from, to }) => [from, to]));
const from = (exchange: number, pointer: string) => ({ exchange, pointer });

test("each place of a later request that has an id of an answer takes it over", () => {
  const [first, second] = ["/choices/0/message/tool_calls/0/id", "/choices/0/message/tool_calls/1/id"];
  const whole = { messages: [calling(id, other).choices[0]!.message, ...answering(other, id).messages] };
  expect(of(exchange(asking, calling(id, other)), exchange(whole, {}))).toEqual([
    [],
    [
      [from(0, first), "/messages/0/tool_calls/0/id"],
      [from(0, second), "/messages/0/tool_calls/1/id"],
      [from(0, second), "/messages/1/tool_call_id"],
      [from(0, first), "/messages/2/tool_call_id"],
    ],
  ]);
});

test("the id of a container is taken over where it is named as the container is", () => {
  const given = { container: { id: "container_01XyZ" } };
  expect(of(exchange(asking, given), exchange({ container: "container_01XyZ" }, {}))[1]).toEqual([
    [from(0, "/container/id"), "/container"],
  ]);
  expect(of(exchange(asking, given), exchange({ user: "container_01XyZ" }, {}))[1]).toEqual([]);
});

test.each<[string, Exchange[]]>([
  ["what two places of an answer have", [exchange(asking, calling(id, id)), exchange(answering(id), {})]],
  [
    "what two answers have",
    [exchange(asking, calling(id)), exchange(asking, calling(id)), exchange(answering(id), {})],
  ],
  ["what the client had sent before", [exchange(answering(id), calling(id)), exchange(answering(id), {})]],
  ["what is short", [exchange(asking, calling("call_1")), exchange(answering("call_1"), {})]],
  ["what is a word", [exchange(asking, calling("get_weather")), exchange(answering("get_weather"), {})]],
  ["a name that is no id's", [exchange(asking, { model: id }), exchange(answering(id), {})]],
  ["a text that quotes it", [exchange(asking, calling(id)), exchange({ messages: [{ content: id }] }, {})]],
  [
    "what a model chose",
    [exchange(asking, { content: [{ input: { order_id: id } }] }), exchange({ content: [{ order_id: id }] }, {})],
  ],
  [
    "what came in a stream",
    [exchange(asking, `data: ${JSON.stringify(calling(id))}\n\n`), exchange(answering(id), {})],
  ],
  ["what a later answer gives", [exchange(answering(id), {}), exchange(asking, calling(id))]],
])("%s binds nothing", (_, exchanges) => {
  expect(of(...exchanges).flat()).toEqual([]);
});

test("exactly the binds of the recordings are found again", async () => {
  const folder = join(home, "recordings");
  let bound = 0;
  for (const path of recordingsIn(folder)) {
    const { source, section, exchanges } = await readRecording(folder, path);
    // Scenarios of laws ask the same in several ways.
    const found = bindsOf(exchanges.map(({ exchange }) => exchange));
    const wanted = exchanges.map(({ bind = [] }) => bind);
    bound += wanted.flat().length;
    expect([source, section, found]).toEqual([source, section, wanted]);
  }
  expect(bound).toBeGreaterThan(3);
});
