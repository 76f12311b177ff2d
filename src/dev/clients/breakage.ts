/** What is broken in the answers that clients get: each clause that they exercise, in every way we know, and what no clause breaks alone. */
import type { Catalogue } from "../../check/catalogue.ts";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { createBreakages, exchangeOf, replyOf } from "../../prove/break.ts";
import { sdkHeaders } from "../../reference/reference.ts";
import { offendingKind } from "../../verdict/client.ts";
import { onAnswers } from "../../verdict/results.ts";
import type { Exchange, WireRequest } from "../../wire/exchange.ts";
import type { Reply } from "../../wire/listen.ts";

/** Answers that break one clause, in one way. */
export interface Breakage {
  readonly clause: string;
  /** The body never ends: to see whether a client waits for that. */
  readonly endless?: true;
  /** What stands where the clause wants something else. */
  readonly kinds: readonly string[];
  readonly change: (request: WireRequest, good: Reply) => Reply;
}

/** Ways in which a clause is broken at most: they differ in what is put in, and in the event of a stream. All that there are, as a rule. */
const mostWays = 100;

const names = namesFrom(sdkHeaders);
const at = { source: "", exchange: 0 };

/** An exchange with the reply it was made of. */
export interface Passed {
  readonly request: WireRequest;
  readonly reply: Reply;
}

/** Spread over all, the first and the last among them. */
function spread<T>(all: readonly T[]): readonly T[] {
  if (all.length <= mostWays) return all;
  const last = all.length - 1;
  return Array.from({ length: mostWays }, (_, i) => all[Math.round((i * last) / (mostWays - 1))]!);
}

const sameRequest = (a: WireRequest, b: WireRequest): boolean =>
  a.target === b.target && Buffer.from(a.body).equals(b.body);

/** Finds ways to break what exchanges of a client with the reference show. */
export function createBreakageFinder(catalogue: Catalogue) {
  const breakagesOf = createBreakages(catalogue, names);
  const decidable = onAnswers(catalogue);

  function exercised(exchange: Exchange): Set<string> {
    const ids = new Set<string>();
    for (const probe of [false, true])
      judge(exchange, at, catalogue, { names, policy: lenient, side: "response", probe }).exercised.forEach((is, i) => {
        const { id } = catalogue.clauses[i]!;
        if (is && decidable.has(id)) ids.add(id);
      });
    return ids;
  }

  /** What is found in a broken exchange, of its clause. */
  function kindsOf(clause: string, exchange: Exchange): string[] {
    const { findings } = judge(exchange, at, catalogue, { names, policy: lenient, side: "response" });
    return [...new Set(findings.filter((one) => one.clause === clause).map(offendingKind))];
  }

  return (passed: readonly Passed[]): Breakage[] => {
    const exchanges = passed.map(({ request, reply }) => exchangeOf(request, reply));
    const clauses = [...new Set(exchanges.flatMap((exchange) => [...exercised(exchange)]))].sort();
    return clauses.flatMap((clause): Breakage[] => {
      // An end that never comes is no other reply, and so no way that breakers know.
      if (clause.endsWith(".streaming.body-ends")) return [{ clause, endless: true, kinds: [], change: endless }];
      const ways = exchanges.map((exchange) =>
        spread([
          ...[...breakagesOf(clause, exchange, [lenient])].map((one) => one.exchange),
          ...(/\.streaming\.event(?:s|-is)-json$/.test(clause) ? cutEvents(exchange) : []),
        ]),
      );
      const most = Math.max(...ways.map(({ length }) => length));
      return Array.from({ length: most }, (_, way) => {
        const broken = ways.map((own) => own[Math.min(way, own.length - 1)]);
        return {
          clause,
          kinds: [...new Set(broken.flatMap((one) => (one ? kindsOf(clause, one) : [])))].sort(),
          change: (request: WireRequest, good: Reply) => {
            const known = passed.findIndex((one) => sameRequest(one.request, request));
            const exchange =
              known < 0
                ? breakagesOf(clause, exchangeOf(request, good), [lenient]).next().value?.exchange
                : broken[known];
            return exchange ? replyOf(exchange, good) : good;
          },
        };
      });
    });
  };
}

/** A stream, the JSON of one event cut in the middle, once for each event: breakers add an event of their own, which clients may pass over. */
function cutEvents(exchange: Exchange): Exchange[] {
  const { response } = exchange;
  const events = Buffer.from(response?.body ?? [])
    .toString()
    .split(/(?<=\n\n)/);
  const cut = (event: string): string =>
    event.replace(/^data: (\{.*)$/m, (_line, data) => `data: ${data.slice(0, data.length / 2)}`);
  return events.flatMap((event, i) => {
    const body = Buffer.from(events.with(i, cut(event)).join(""));
    return cut(event) === event || !response
      ? []
      : [{ ...exchange, response: { ...response, body, chunks: [[0, body.length] as const] } }];
  });
}

/** A body that nobody ends once it is sent. */
async function* never(): AsyncGenerator<never> {
  await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
}

const endless = (_request: WireRequest, good: Reply): Reply => ({ ...good, more: never() });
