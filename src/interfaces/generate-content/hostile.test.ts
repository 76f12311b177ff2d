/** Throws strange JSON at every place of the examples: judging names faults or is silent, but never throws. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { fuzz, sample } from "../../dev/random.test-kit.ts";
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import { editBody } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { openCatalogue } from "../catalogue.ts";
import { interfaces } from "../index.ts";
import { examples } from "./examples/index.ts";

const generateContent = interfaces.find(({ name }) => name === "generate-content")!;

const catalogue = await openCatalogue();
const policy = { strict: "all", openEnums: true } as const;

function judged(exchange: Exchange): void {
  judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy, probe: true });
}

const strange: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "__proto__",
  "\ud800",
  [],
  [null],
  [[]],
  [{}],
  {},
  JSON.parse('{"__proto__": {"parts": 1}, "constructor": null, "toString": 1}'),
  { parts: {}, items: { items: {} }, name: [], candidates: "x", error: { error: [] } },
];

/** Every document that has one strange value in place of one of its own. */
function* strangely(value: unknown): Generator<unknown> {
  yield* strange;
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) for (const odd of strangely(item)) yield value.with(i, odd);
  else if (isObject(value))
    for (const [name, item] of Object.entries(value))
      for (const odd of strangely(item)) yield { ...value, [name]: odd };
}

const bodyOf = (exchange: Exchange, side: "request" | "response"): unknown =>
  JSON.parse(Buffer.from(exchange[side]!.body).toString("utf8"));

const wholes = examples.filter(({ exchange: { response } }) => response?.body[0] === 123);

test("no strange value anywhere in a request or a whole reply makes judging throw", () => {
  const rich = [
    "request with every part",
    "request with every generation option",
    "log probabilities",
    "citations and grounding",
  ];
  for (const { exchange } of examples.filter(({ name }) => rich.includes(name)))
    for (const side of ["request", "response"] as const) {
      if (!exchange[side]) continue;
      // Eight and the number of strange values have no divisor in common: each of them comes, in some places.
      for (const odd of sample(strangely(bodyOf(exchange, side)), 8))
        expect(() => judged(editBody(exchange, side, Buffer.from(JSON.stringify(odd))))).not.toThrow();
    }
});

test("no spoil throws on exchanges it was not made for", () => {
  const hostile = [null, [], {}, { contents: {} }, { candidates: [null, { content: [] }] }, { error: 1 }].flatMap(
    (body) => [
      exchangeOf(jsonRequest("/v1beta/models/m:generateContent", [], body), jsonResponse(body)),
      exchangeOf(jsonRequest("/v1beta/models/m:streamGenerateContent", [], body), streamResponse([sseEvent(body)])),
      exchangeOf(jsonRequest("/v1beta/models/m:generateContent", [], body), null),
    ],
  );
  for (const exchange of [...hostile, ...wholes.map(({ exchange }) => exchange)])
    for (const rule of generateContent.rules) expect(() => rule.spoil(exchange)).not.toThrow();
});

test("arbitrary JSON as request, reply, event and error makes judging throw nowhere", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.constantFrom(200, 400, 500), (asked, told, status) => {
      judged(exchangeOf(jsonRequest("/v1beta/models/m:generateContent?key=k", [], asked), jsonResponse(told, status)));
      judged(
        exchangeOf(
          jsonRequest("/v1beta/models/m:streamGenerateContent?alt=sse", [], { contents: asked, tools: told }),
          streamResponse([
            sseEvent({ candidates: told }),
            sseEvent(JSON.stringify(told)),
            sseEvent({ candidates: [told] }),
          ]),
        ),
      );
    }),
    fuzz(150),
  );
});
