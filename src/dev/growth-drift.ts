/** Recordings that grow in one respect, for comparing them by structure. */
import { namesFrom } from "../check/names.ts";
import { compareRecordings, type Entry } from "../drift/compare-recordings.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import type { Exchange } from "../wire/exchange.ts";
import { chatOf, chatStream, delta, type Family, list, members, messages, messagesStream } from "./growth-family.ts";

const catalogue = await openCatalogue();
const names = namesFrom();
const policy = { strict: new Set<string>(), openEnums: false };
const entries = (exchanges: readonly Exchange[]): Entry[] =>
  exchanges.map((exchange, position) => ({ exchange, source: "growth", position, names }));

/** Comparing what `make` makes with the same a little larger, so that all of it differs somewhere. */
const comparing = (name: string, make: (n: number) => readonly Exchange[]): Family => ({
  name: `drift: ${name}`,
  make(n) {
    const [before, after] = [entries(make(n)), entries(make(n + 1))];
    return () => compareRecordings({ entries: () => before }, { entries: () => after }, catalogue, { policy });
  },
});

/** Nested `n` levels, no deeper than what is read. */
const nested = (n: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < n; i++) value = i % 2 ? [value] : { a: value };
  return value;
};

export const families: readonly Family[] = [
  comparing("a long list", (n) => [chatOf({ more: list(n, (i) => i) })]),
  comparing("objects in a list", (n) => [chatOf({ more: list(n, (i) => ({ a: i, b: [{ c: "x" }] })) })]),
  comparing("different members", (n) => [chatOf({ more: members(n, (i) => ({ a: i })) })]),
  comparing("objects of different members", (n) => [chatOf({ more: list(n, (i) => ({ [`m${i}`]: { of: i } })) })]),
  comparing("built-in names", (n) => [
    chatOf({ more: list(n, (i) => JSON.parse(`{"__proto__":{"toString":${i}},"constructor":1}`)) }),
  ]),
  comparing("deep values side by side", (n) => [chatOf({ more: list(Math.ceil(n / 400), () => nested(400)) })]),
  comparing("variants of blocks", (n) => [messages({}, { content: list(n, (i) => ({ type: `t${i}`, a: i })) })]),
  comparing("values that documents list", (n) => [
    chatOf({
      choices: list(n, (i) => ({ index: i, message: { role: "assistant", content: "x" }, finish_reason: `r${i}` })),
    }),
  ]),
  comparing("chunks", (n) => [chatStream(list(n, (i) => delta(0, { content: `x${i}` })))]),
  comparing("events of different types", (n) => [messagesStream(list(n, (i) => ({ type: `e${i}`, index: i })))]),
  comparing("exchanges", (n) => list(Math.ceil(n / 10), (i) => chatOf({ id: `c${i}`, [`m${i}`]: i }))),
  comparing("exchanges with outcomes of their own", (n) =>
    list(Math.ceil(n / 10), (i) => {
      const exchange = chatOf({});
      return { ...exchange, response: { ...exchange.response!, status: 200 + (i % 300) } };
    }),
  ),
];
