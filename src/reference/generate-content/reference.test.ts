/** Holds the reference implementation: what it sends judges clean even strictly, and reaches every clause on replies. */
import { expect, test } from "vitest";
import type { Policy } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { generateContent } from "../../interfaces/generate-content/index.ts";
import { replaceText } from "../../replace-text.test-kit.ts";
import { jsonRequest } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { createReference } from "../reference.ts";

const catalogue = await openCatalogue();
const serve = createReference(catalogue, () => "http://reference");
const whole = "/v1beta/models/gemini-2.0-flash:generateContent?key=k";
const streaming = "/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse&key=k";

async function exchangeWith(target: string, text: string, more: object = {}): Promise<Exchange> {
  const request = jsonRequest(target, [], { contents: [{ role: "user", parts: [{ text }] }], ...more });
  const reply = await serve(request);
  const body = Buffer.concat(reply.pieces.map(({ bytes }) => bytes));
  return { request, response: { status: reply.status, headers: reply.headers, body } };
}

const tools = {
  tools: [
    {
      functionDeclarations: [
        { name: "f", parameters: { type: "object", properties: { a: { type: "string" } } } },
        { name: "g" },
      ],
    },
  ],
};
const mode = (functionCallingConfig: object) => ({ ...tools, toolConfig: { functionCallingConfig } });
const config = (generationConfig: object) => ({ generationConfig });
const threshold = (name: string) => ({ safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: name }] });
const fruit = { type: "OBJECT", properties: { name: { type: "STRING" } }, required: ["name"] };

/** The requests, beyond a text. */
const directed: [text: string, more?: object][] = [
  ["Hello."],
  ["[[say:Schön & gut]] [[citation]] [[grounding]] [[urls]]"],
  ["[[say:Schön & gut]] [[blocks]]"],
  ["[[call]]", tools],
  ["Weather?", mode({ mode: "ANY", allowedFunctionNames: ["g"] })],
  ["[[call]]", mode({ mode: "NONE" })],
  ["[[code]]", { tools: [{ codeExecution: {} }] }],
  ["[[code:failed]]", { tools: [{ codeExecution: {} }] }],
  ["[[code:deadline]]", { tools: [{ codeExecution: {} }] }],
  ["Fruit?", config({ responseMimeType: "application/json", responseSchema: fruit })],
  ["Fruit?", config({ responseMimeType: "text/x.enum", responseSchema: { type: "STRING", enum: ["apple"] } })],
  ["Hello.", config({ candidateCount: 3, responseLogprobs: true, logprobs: 2, maxOutputTokens: 50 })],
  ["[[words:9]]", config({ maxOutputTokens: 4, stopSequences: ["word3"] })],
  ["[[words:9]]", config({ maxOutputTokens: 4 })],
  ["Picture", config({ responseModalities: ["TEXT", "IMAGE", "AUDIO"] })],
  ["Think", { ...config({ thinkingConfig: { thinkingBudget: 9 } }), cachedContent: "cachedContents/a" }],
  ...["LOW_AND_ABOVE", "MEDIUM_AND_ABOVE", "ONLY_HIGH", "NONE"].map((name): [string, object] => [
    "x",
    threshold(`BLOCK_${name}`),
  ]),
  ["[[harm:HIGH]]", threshold("OFF")],
  ["[[harm:HIGH]]", threshold("BLOCK_ONLY_HIGH")],
  ["[[parts]]"],
  ["[[finish:RECITATION]]"],
  ["[[finish:OTHER]]"],
  ["[[block:BLOCKLIST]]"],
  ...["400", "FAILED_PRECONDITION", "401", "403", "404", "413", "429", "500", "503", "504"].map((name): [string] => [
    `[[error:${name}]]`,
  ]),
  ["Hot", config({ temperature: 3 })],
];

const strictly: Policy = { strict: "all", openEnums: false };
const exchanges = await Promise.all(
  directed.flatMap(([text, more]) => [
    exchangeWith(whole, text, more),
    exchangeWith(streaming, text, more),
    exchangeWith(streaming, `${text} [[lf]]`, more),
  ]),
);
const judged = (exchange: Exchange, policy: Policy) =>
  judge(exchange, { source: "", exchange: 0 }, catalogue, {
    names: namesFrom(),
    policy,
    side: "response",
    probe: true,
  });

test("replies judge clean under strict readings", () => {
  const found = exchanges.flatMap((exchange) => judged(exchange, strictly).findings.map(({ message }) => message));
  expect(found).toEqual([]);
});

test("some request reaches every clause about replies", async () => {
  const keyless = await exchangeWith(replaceText(whole, "?key=k", ""), "Hello.");
  const reached = new Set<number>();
  for (const exchange of [...exchanges, keyless])
    judged(exchange, strictly).exercised.forEach((mark, i) => void (mark && reached.add(i)));
  const ofLaws = new Set(generateContent.laws?.map(({ clause }) => clause));
  const unreached = catalogue.clauses.filter(
    ({ id, interface: of, kind, on }, i) =>
      of === "generate-content" && !ofLaws.has(id) && kind !== "unobservable" && on !== "request" && !reached.has(i),
  );
  expect(unreached.map(({ id }) => id)).toEqual([]);
});

test.each<[string, string, [string, string][], number]>([
  ["no key", replaceText(whole, "?key=k", ""), [], 401],
  ["the wrong key", replaceText(whole, "=k", "=wrong-key"), [], 401],
  ["a key in a header", replaceText(whole, "?key=k", ""), [["X-Goog-Api-Key", "k"]], 200],
  ["a bearer token", replaceText(whole, "?key=k", ""), [["Authorization", "Bearer k"]], 200],
  ["an unknown model", replaceText(whole, "gemini", "unknown-gemini"), [], 404],
  ["another version", replaceText(whole, "v1beta", "v4"), [], 404],
])("%s is answered with its status", async (_what, target, headers, status) => {
  const reply = await serve(jsonRequest(target, headers, { contents: [{ parts: [{ text: "Hello." }] }] }));
  expect(reply.status).toBe(status);
});

test("without alt=sse the streaming operation answers with one array of all events", async () => {
  const { response } = await exchangeWith(replaceText(streaming, "alt=sse&", ""), "[[words:3]]");
  expect(JSON.parse(Buffer.from(response!.body).toString())).toHaveLength(3);
});

test("the same request always gets the same answer", async () => {
  expect(await exchangeWith(streaming, "Hello.")).toEqual(await exchangeWith(streaming, "Hello."));
});
