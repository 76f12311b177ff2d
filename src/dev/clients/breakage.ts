/** Breaks the answers that clients get: each clause that they exercise, in every way we know, and in ways that no clause breaks alone. */
import type { Catalogue } from "../../check/catalogue.ts";
import { type Finding, lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { createBreakages, exchangeOf, replyOf } from "../../prove/break.ts";
import { sdkHeaders } from "../../reference/reference.ts";
import { streamedValues } from "../../run/judge/request-failure.ts";
import { offendingKind } from "../../verdict/client.ts";
import { onAnswers } from "../../verdict/results.ts";
import { type Spread, spreadOf } from "../../verdict/stream-spread.ts";
import { utf8Text } from "../../wire/bytes.ts";
import type { Exchange, WireRequest } from "../../wire/exchange.ts";
import type { Reply } from "../../wire/listen.ts";
import { emptied, withBody, withOtherBlocks } from "./field-ways.ts";

/** Answers that break one clause, in one way, in one of the requests that a scenario makes. */
export interface Breakage {
  readonly clause: string;
  /** The number of the request, counted from 0; absent if a scenario makes one. */
  readonly request?: number;
  /** The body never ends: to see whether a client waits for that. */
  readonly endless?: true;
  /** The model's content is still there, though in another shape: a client that shows nothing of it drops it. */
  readonly isSaid: boolean;
  /** The kinds of value in place of what the clause wants. */
  readonly kinds: readonly string[];
  /** In which events of a stream. */
  readonly spread: readonly Spread[];
  readonly change: (request: WireRequest, good: Reply) => Reply;
}

/** One way to break a clause, and what is found then. */
interface Way extends Pick<Breakage, "kinds" | "spread"> {
  readonly exchange: Exchange;
}

/** The values that findings of one clause blame, and their places. */
function wayOf(clause: string, exchange: Exchange, findings: readonly Finding[]): Way {
  const own = findings.filter((one) => one.clause === clause);
  const kinds = [...new Set(own.map(offendingKind))].sort();
  return { exchange, kinds, spread: spreadOf(own, streamedValues(exchange.response)) };
}

/** By what ways differ. */
const tellingOf = ({ kinds, spread }: Way): string[] =>
  kinds.map((kind) => `${kind} ${spread.includes("all") ? "all" : "some"}`);

/** Ways in which a clause is broken at most: they differ in what is put in, and in the event of a stream. All that there are, as a rule. */
const maxWays = 100;

const names = namesFrom(sdkHeaders);
const at = { source: "", exchange: 0 };

/** An exchange with the reply it was made of. */
export interface Passed {
  readonly request: WireRequest;
  readonly reply: Reply;
}

/** The kinds of value that say nothing. */
const silent = new Set(["null", "empty text", "zero"]);

/** Whether a clause speaks of what comes where a stream is asked for, or is not. */
const isOfForm = (clause: string): boolean => /\.streaming\.(?:stream|events)-when-asked$/.test(clause);

/** Spread over all, the first and the last among them. */
function picked<T>(all: readonly T[]): readonly T[] {
  if (all.length <= maxWays) return all;
  const last = all.length - 1;
  return Array.from({ length: maxWays }, (_, i) => all[Math.round((i * last) / (maxWays - 1))]!);
}

const sameRequest = (a: WireRequest, b: WireRequest): boolean =>
  a.target === b.target && Buffer.from(a.body).equals(b.body);

/**
 * Finds ways to break what exchanges of a client with the reference show.
 * @param answer the reference
 */
export function createBreakageFinder(catalogue: Catalogue, answer: (request: WireRequest) => Reply) {
  const breakagesOf = createBreakages(catalogue, names);
  const decidable = onAnswers(catalogue);
  const isShape = (clause: string): boolean => catalogue.clauses[catalogue.indexOf(clause)]?.kind === "shape";

  function exercised(exchange: Exchange): string[] {
    const ids = new Set<string>();
    for (const probe of [false, true])
      judge(exchange, at, catalogue, { names, policy: lenient, side: "response", probe }).exercised.forEach((is, i) => {
        const { id } = catalogue.clauses[i]!;
        if (is && decidable.has(id)) ids.add(id);
      });
    return [...ids].sort();
  }

  /** The findings of the broken clause in a broken exchange. */
  function foundIn(clause: string, exchange: Exchange): Way {
    const { findings } = judge(exchange, at, catalogue, { names, policy: lenient, side: "response" });
    return wayOf(clause, exchange, findings);
  }

  /** Exchanges that break one clause alone, and how that is found. */
  function sorted(exchange: Exchange, broken: Iterable<Exchange>): Map<string, Way[]> {
    const found = new Map<string, Way[]>();
    const judged = (one: Exchange): readonly Finding[] =>
      judge(one, at, catalogue, { names, policy: lenient, side: "response" }).findings;
    const before = new Set(judged(exchange).map(({ clause }) => clause));
    for (const one of broken) {
      const all = judged(one).filter(({ clause }) => !before.has(clause));
      const grave = all.filter(({ level }) => level !== "note");
      const clauses = [...new Set((grave.length > 0 ? grave : all).map(({ clause }) => clause))];
      const [clause] = clauses;
      if (clause === undefined || clauses.length > 1) continue;
      found.set(clause, [...(found.get(clause) ?? []), wayOf(clause, one, all)]);
    }
    return found;
  }

  function waysOf(clause: string, exchange: Exchange): readonly Exchange[] {
    // Counterexamples of it are hardly more than empty.
    if (isOfForm(clause)) return otherForm(exchange, answer);
    return [
      ...[...breakagesOf(clause, exchange, [lenient])].map((one) => one.exchange),
      ...(/\.streaming\.event(?:s|-is)-json$/.test(clause) ? cutEvents(exchange) : []),
    ];
  }

  return (passed: readonly Passed[]): Breakage[] =>
    passed.flatMap(({ request, reply }, position) => {
      const exchange = exchangeOf(request, reply);
      const which = passed.length > 1 && { request: position };
      // A request after a broken answer quotes it, and so was not seen before.
      const isIt = (one: WireRequest): boolean => {
        const known = passed.findIndex((other) => sameRequest(other.request, one));
        return (known < 0 ? passed.length - 1 : known) === position;
      };
      const more = sorted(exchange, [...emptied(exchange), ...withOtherBlocks(exchange)]);
      return exercised(exchange).flatMap((clause): Breakage[] => {
        // An end that never comes is no other reply, and so no way that breakers know.
        if (clause.endsWith(".streaming.body-ends"))
          return [{ clause, ...which, endless: true, isSaid: true, kinds: [], spread: [], change: endless }];
        const ways = picked(waysOf(clause, exchange)).map((one) => foundIn(clause, one));
        // A breakage that counterexamples show is tried once.
        const known = new Set(ways.flatMap(tellingOf));
        const others = (more.get(clause) ?? []).filter((way) => {
          const told = tellingOf(way);
          const isNew = told.some((one) => !known.has(one));
          for (const one of told) known.add(one);
          return isNew;
        });
        return [...ways, ...others].map(({ exchange: broken, kinds, spread }) => ({
          clause,
          ...which,
          kinds,
          spread,
          isSaid: isOfForm(clause) || (isShape(clause) && !kinds.every((kind) => silent.has(kind))),
          change: (one: WireRequest, good: Reply) => (isIt(one) ? replyOf(broken, good) : good),
        }));
      });
    });
}

/** The reference's answer if a stream is asked for instead of a whole reply, or the other way round. */
function otherForm({ request }: Exchange, answer: (request: WireRequest) => Reply): Exchange[] {
  const url = new URL(request.target, "http://reference");
  if (/:(?:streamG|g)enerateContent$/.test(url.pathname)) {
    const isStreamed = url.pathname.endsWith(":streamGenerateContent");
    if (isStreamed && !url.searchParams.has("alt")) return [];
    url.pathname = url.pathname.replace(/:\w+$/, isStreamed ? ":generateContent" : ":streamGenerateContent");
    if (isStreamed) url.searchParams.delete("alt");
    else url.searchParams.set("alt", "sse");
    return [exchangeOf(request, answer({ ...request, target: url.pathname + url.search }))];
  }
  const { stream, stream_options: _options, ...body } = JSON.parse(utf8Text(request.body));
  const asked = { ...request, body: Buffer.from(JSON.stringify({ ...body, stream: !stream })) };
  return [exchangeOf(request, answer(asked))];
}

/** A stream with the JSON of one event cut in the middle, once for each event. Breakers add an event of their own, which clients may pass over. */
function cutEvents(exchange: Exchange): Exchange[] {
  const events = Buffer.from(exchange.response?.body ?? [])
    .toString()
    .split(/(?<=\n\n)/);
  const cut = (event: string): string =>
    event.replace(/^data: (\{.*)$/m, (_line, data) => `data: ${data.slice(0, data.length / 2)}`);
  return events.flatMap((event, i) =>
    cut(event) === event ? [] : [withBody(exchange, events.with(i, cut(event)).join(""))],
  );
}

/** A body that nobody ends once it is sent. */
async function* never(): AsyncGenerator<never> {
  await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
}

const endless = (_request: WireRequest, good: Reply): Reply => ({ ...good, more: never() });
