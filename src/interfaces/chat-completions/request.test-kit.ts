/** Judges hand-made chat requests: what the tests of the request side share. */

import type { Catalogue } from "../../check/catalogue.ts";
import { type FindingLevel, lenient, type Policy } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { jsonRequest } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { openCatalogue } from "../catalogue.ts";

export const catalogue: Catalogue = await openCatalogue();
export const strictly: Policy = { strict: "all", openEnums: false };

const sections = ["auth", "request", "conversation", "tools"];

/** The decidable clauses of the request side. */
export const decidable = catalogue.clauses.filter(
  ({ interface: name, section, kind }) =>
    name === "chat-completions" && sections.includes(section) && kind !== "unobservable",
);

/** A request with `members` laid over the least a request can be. */
export function requestOf(members: object): Exchange {
  const body = { model: "some-model", messages: [{ role: "user", content: "Hello" }], ...members };
  return {
    request: jsonRequest("/v1/chat/completions", [["Authorization", "Bearer a-key"]], body),
    response: null,
  };
}

/** Clause (without the interface's name) to the level it was found at. */
export function levelsOf(exchange: Exchange, policy = lenient): Record<string, FindingLevel> {
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
  return Object.fromEntries(findings.map(({ clause, level }) => [clause.replace("chat-completions.", ""), level]));
}

/** The same without notes. */
export function faultsOf(exchange: Exchange, policy = lenient): Record<string, FindingLevel> {
  return Object.fromEntries(Object.entries(levelsOf(exchange, policy)).filter(([, level]) => level !== "note"));
}

type Outcome = FindingLevel | "silent";

/** Reading, what is sent (members or a whole exchange), the clause it touches, the outcome by default and when strict. */
export type ReadingCase = readonly [string, string, object | Exchange, string, Outcome, Outcome];

/** The outcome of one clause by default and under all strict options. */
export function outcomesOf(sent: object | Exchange, clause: string): [Outcome, Outcome] {
  const exchange = "request" in sent ? (sent as Exchange) : requestOf(sent);
  return [levelsOf(exchange)[clause] ?? "silent", levelsOf(exchange, strictly)[clause] ?? "silent"];
}
