/** Exchanges are judged by names if a preset knows their vendors, and if nobody named one (readings X-NAMES, X-ALTERNATIVES). */
import { expect, test } from "vitest";
import { judge } from "../check/judge.ts";
import { jsonRequest } from "../wire/build.ts";
import type { Exchange, HeaderPairs } from "../wire/exchange.ts";
import { openCatalogue } from "./catalogue.ts";
import { type JudgingArgs, judgingFrom } from "./judging.ts";

const catalogue = await openCatalogue();
const secret = "sk-9f8e7d6c5b4a39281706";
const talk = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi." }] };

const message = (headers: HeaderPairs): Exchange => ({
  request: jsonRequest("/v1/messages", headers, talk),
  response: null,
});
const picture = (model: string, more: object = {}): Exchange => ({
  request: jsonRequest("/v1/images/generations", [["Authorization", `Bearer ${secret}`]], {
    model,
    prompt: "A red circle",
    ...more,
  }),
  response: null,
});

/** Clauses and levels of what is found, and the names that the exchange bound. */
function judged(exchange: Exchange, args: JudgingArgs) {
  const { names, policy } = judgingFrom(args, catalogue);
  const { findings, inferred } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names, policy });
  expect(JSON.stringify(findings)).not.toContain(secret);
  return { found: findings.map(({ clause, level }) => `${level} ${clause}`), inferred };
}

const vendors = message([
  ["x-api-key", secret],
  ["anthropic-version", "2026-10-21"],
]);
const unversioned = ["error messages.request.version-required"];

test.each<[string, Exchange, JudgingArgs, string[], object | undefined]>([
  ["binds the name that a message carries", vendors, {}, [], { "partner-version": "anthropic-version" }],
  ["binds nothing with --preset none", vendors, { preset: "none" }, unversioned, undefined],
  ["binds nothing where the reading is strict", vendors, { reading: ["strict:X-NAMES"] }, unversioned, undefined],
  ["is overruled by a binding", vendors, { bind: ["partner-version=x-version"] }, unversioned, undefined],
  ["says nothing where a preset binds the name", vendors, { preset: "vendors" }, [], undefined],
  ["says nothing of a message without the name", message([["x-api-key", secret]]), {}, unversioned, undefined],
  [
    "leaves the document's own name alone",
    message([
      ["x-api-key", secret],
      ["partner-version", "1"],
      ["anthropic-version", "2"],
    ]),
    {},
    [],
    undefined,
  ],
  [
    "binds an image model",
    picture("dall-e-3", { n: 2 }),
    {},
    ["error images.generations.n-image-v3"],
    { "image-v3": "dall-e-3" },
  ],
  ["binds no image model with --preset none", picture("dall-e-3", { n: 2 }), { preset: "none" }, [], undefined],
])("a recording of which nobody said what names are called %s", (_what, exchange, args, found, inferred) => {
  expect(judged(exchange, args)).toEqual({ found, inferred });
});

const version: HeaderPairs = [["anthropic-version", "2026-10-21"]];
const chat = (target: string, headers: HeaderPairs): Exchange => ({
  request: jsonRequest(target, headers, { model: "m", messages: talk.messages }),
  response: null,
});
const generate = (target: string): Exchange => ({
  request: jsonRequest(target, [], { contents: [{ parts: [{ text: "Hi." }] }] }),
  response: null,
});

test.each<[string, Exchange, string]>([
  [
    "messages with a bearer",
    message([...version, ["authorization", `Bearer ${secret}`]]),
    "messages.auth.key-required",
  ],
  [
    "chat with api-key",
    chat("/v1/chat/completions", [["api-key", secret]]),
    "chat-completions.auth.authorization-required",
  ],
  [
    "chat of another version",
    chat("/api/v4/chat/completions", [["authorization", `Bearer ${secret}`]]),
    "chat-completions.request.path-version",
  ],
  [
    "generate content of another version",
    generate(`/v1/models/m:generateContent?key=${secret}`),
    "generate-content.request.version-prefix",
  ],
])("%s is noted with --preset vendors, and an error without", (_what, exchange, clause) => {
  expect(judged(exchange, { preset: "vendors" }).found).toEqual([`note ${clause}`]);
  expect(judged(exchange, { preset: "vendors", reading: ["strict:X-ALTERNATIVES"] }).found).toEqual([
    `error ${clause}`,
  ]);
  expect(judged(exchange, {}).found).toEqual([`error ${clause}`]);
});

test.each<[string, Exchange, string]>([
  ["an empty bearer", message([...version, ["authorization", "Bearer "]]), "messages.auth.key-not-empty"],
  ["another scheme", message([...version, ["authorization", `Basic ${secret}`]]), "messages.auth.key-required"],
  [
    "a word that begins alike",
    message([...version, ["authorization", `Bearers ${secret}`]]),
    "messages.auth.key-required",
  ],
  ["an unknown version", generate("/v9/models/m:generateContent?key=k"), "generate-content.request.version-prefix"],
])("%s stays an error with --preset vendors", (_what, exchange, clause) => {
  expect(judged(exchange, { preset: "vendors" }).found).toContain(`error ${clause}`);
});

test.each([
  ["partner-verson=anthropic-version", /no name partner-verson/, /Did you mean partner-version/],
  ["credentials=lost", /credentials=lost is unknown/, /may-be-dropped/],
])("refuses --bind %s, which nothing would read", (binding, message, remedy) => {
  expect(() => judgingFrom({ bind: [binding] }, catalogue)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) }),
  );
});
