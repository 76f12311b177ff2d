/** The parts that tests of messages share: judging one hand-made exchange. */

import type { Catalogue } from "../../check/catalogue.ts";
import { lenient, type Policy } from "../../check/clause.ts";
import { type Judgement, judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { jsonResponse } from "../../wire/build.ts";
import type { Exchange, HeaderPairs } from "../../wire/exchange.ts";
import { openCatalogue } from "../catalogue.ts";
import { type Data, message, request, stream } from "./examples/parts.ts";

export const catalogue: Catalogue = await openCatalogue();

/** The judgement of one exchange. */
export function judgementOf(exchange: Exchange, policy: Policy = lenient): Judgement {
  return judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
}

/** `clause level` of every finding on one exchange, the clause without its interface. */
export function levels(exchange: Exchange, policy: Policy = lenient): string[] {
  return judgementOf(exchange, policy).findings.map(
    ({ clause, level }) => `${clause.replace("messages.", "")} ${level}`,
  );
}

/** The same without notes. */
export function faults(exchange: Exchange, policy: Policy = lenient): string[] {
  return levels(exchange, policy).filter((line) => !line.endsWith(" note"));
}

export const asked = (more: Data, headers: HeaderPairs = []): Exchange => ({
  request: request(more, headers),
  response: null,
});
export const replied = (more: Data, reply: Data): Exchange => ({
  request: request(more),
  response: jsonResponse(message(reply)),
});
export const streamed = (...events: Data[]): Exchange => ({
  request: request({ stream: true }),
  response: stream(events),
});
export const failed = (status: number, error: Data): Exchange => ({
  request: request(),
  response: jsonResponse({ error }, status),
});

/** Reading, what is judged, the clause, its level by default and when this reading alone is strict. */
export type ReadingCase = readonly [string, string, Exchange, string, string, string];

/** The level of one clause on an exchange, by default and when one reading is strict. */
export function graded([id, , exchange, clause]: ReadingCase): [string, string] {
  const of = (policy: Policy): string =>
    levels(exchange, policy)
      .filter((line) => line.startsWith(`${clause} `))
      .map((line) => line.slice(clause.length + 1))
      .join() || "off";
  return [of(lenient), of({ strict: new Set([id]), openEnums: false })];
}

/** The clauses that an exchange breaks beside the clause of its case. */
export function bystanders([, , exchange, clause]: ReadingCase): string[] {
  return faults(exchange).filter((line) => !line.startsWith(`${clause} `));
}
