/** Every finding on JSON names a place that is there, or the one member that lacks, in the spelling and the event that came. */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSource } from "../cassette/read.ts";
import { listSources } from "../cassette/sources.ts";
import type { Clause, Finding, Policy } from "../check/clause.ts";
import { excerptOf } from "../check/excerpt.ts";
import { judge } from "../check/judge.ts";
import { type Bindings, namesFrom } from "../check/names.ts";
import { times } from "../dev/random.test-kit.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { examples } from "../interfaces/examples.ts";
import { editEvents, editJson } from "../wire/edit.ts";
import { decodeContent } from "../wire/encoding.ts";
import type { Exchange } from "../wire/exchange.ts";
import { headerValue, isEventStream } from "../wire/headers.ts";
import { isObject } from "../wire/json.ts";
import { pointer, tokensOf } from "../wire/pointer.ts";
import { readEvents, readJson } from "../wire/read.ts";
import { groundOf } from "./ground.ts";
import { prove } from "./prove.ts";

const catalogue = await openCatalogue();
const ground = await groundOf(catalogue);
const strictly: Policy = { strict: "all", openEnums: false };

/** The JSON that came where a finding says it stands; undefined where none did. */
function sentAt({ request, response }: Exchange, { side, in: place, event }: Finding): { value: unknown } | undefined {
  const message = side === "request" ? request : response;
  const read = message && decodeContent(message.body, headerValue(message.headers, "content-encoding"));
  if (!read?.ok) return undefined;
  const json = place === "stream" ? readEvents(read.bytes).values[event!] : readJson(read.bytes).json;
  return json?.ok ? json : undefined;
}

/** The fault in the place of a finding, or in its quote from there. */
function misplaced(exchange: Exchange, finding: Finding): string | undefined {
  const { in: place, event, actual } = finding;
  if (place !== "body" && place !== "stream") return undefined;
  if (place === "stream" && event === null) return finding.pointer === "" ? undefined : "a pointer into no event";
  const sent = sentAt(exchange, finding);
  if (!sent) return finding.pointer === "" ? undefined : "a pointer into what is no JSON";
  const tokens = tokensOf(finding.pointer);
  let { value } = sent;
  for (const [i, token] of tokens.entries()) {
    if (typeof value !== "object" || value === null) return "a pointer into a plain value";
    if (!Object.hasOwn(value, token)) {
      if (i < tokens.length - 1) return `a pointer below ${pointer(...tokens.slice(0, i + 1))}, which is not there`;
      return actual === "nothing" ? undefined : "a quote of what is not there";
    }
    value = (value as Record<string, unknown>)[token];
  }
  // A finding may also be about a member's name, and quote that.
  const fitting = [excerptOf(value), excerptOf(tokens.at(-1))];
  const quotes = place === "stream" && typeof value === "string" && actual.startsWith('"');
  return quotes && !fitting.includes(actual) ? "a quote of another text" : undefined;
}

/** Findings at wrong places, as `clause: what is wrong`, under the readings that find most. */
function wrongPlaces(exchange: Exchange, probe = false, bindings: Bindings = {}): string[] {
  const options = { names: namesFrom(bindings), policy: strictly, probe };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, options);
  return findings.flatMap((finding) => {
    const wrong = misplaced(exchange, finding);
    return wrong ? [`${finding.clause} at ${finding.event ?? ""}${finding.pointer}: ${wrong}, ${finding.actual}`] : [];
  });
}

const snake = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(snake)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, item]) => [
            name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
            snake(item),
          ]),
        )
      : value;

/** The same exchange in snake_case on both sides, as far as it is JSON. */
function respelt(exchange: Exchange): Exchange {
  const asked = editJson(exchange, "request", snake) ?? exchange;
  if (!isEventStream(asked.response)) return editJson(asked, "response", snake) ?? asked;
  return (
    editEvents(asked, (events) => {
      for (const event of events) event.data = snake(event.data);
    }) ?? asked
  );
}

describe.each(catalogue.interfaces)("findings stand where they say, in $name", ({ name, rules }) => {
  const twins = (exchange: Exchange): Exchange[] =>
    name === "generate-content" ? [exchange, respelt(exchange)] : [exchange];

  test("in the counterexamples of rules, one of a whole reply and one of a stream", () => {
    const goods = (examples[name] ?? []).map(({ exchange, probe = false }) => {
      const options = { names: namesFrom(), policy: strictly, probe };
      return { exchange, probe, ...judge(exchange, { source: "", exchange: 0 }, catalogue, options) };
    });
    const wrong = new Set<string>();
    for (const rule of rules) {
      const seen = new Set<boolean>();
      for (const { exchange, probe, exercised } of goods) {
        const form = isEventStream(exchange.response);
        const applies = exercised[catalogue.indexOf(rule.clause)] === 1;
        const broken = seen.has(form) || !applies ? undefined : rule.spoil(exchange);
        if (!broken) continue;
        seen.add(form);
        for (const twin of twins(broken)) for (const place of wrongPlaces(twin, probe)) wrong.add(place);
      }
    }
    expect([...wrong]).toEqual([]);
  });

  test("in recordings", async () => {
    for (const path of await listSources([join(home, "recordings", name)])) {
      const source = await openSource(path);
      for await (const { exchange } of source)
        expect(wrongPlaces(exchange, true, source.header.bindings as Bindings)).toEqual([]);
    }
  });
});

test("counterexamples of generate content are found at their place in either spelling", () => {
  // All of them where random tests run at their full length.
  const every = times < 1 ? 4 : 1;
  const chosen = new Set(catalogue.clauses.filter((_, i) => i % every === 0).map(({ id }) => id));
  const of = (clause: Clause): boolean => clause.interface === "generate-content" && chosen.has(clause.id);
  const { counterexamples } = prove(catalogue, ground, of);
  const wrong = [...counterexamples.values()].flatMap((exchange) =>
    [exchange, respelt(exchange)].flatMap((twin) => wrongPlaces(twin)),
  );
  expect(wrong).toEqual([]);
});
