/** Decides what a client made of a case: a pure function of what was seen. */
import type { Case } from "../case.ts";
import { type CaseOutcome, caseOutcomes } from "../document.ts";
import { type CaseObservation, maxExchanges } from "../observation.ts";
import type { Said } from "../speech.ts";
import { asksWrongly, isRedirected, isWaiting } from "./asking.ts";
import { broke, type RaisedError, raisedError } from "./errors.ts";
import { type Fate, handedBack, type Profile } from "./handed-back.ts";
import type { PlannedExchange } from "./planned-exchange.ts";
import { counted, quoted, spanOf } from "./words.ts";

export interface Judged {
  readonly outcome: CaseOutcome;
  readonly why: string;
}

/** Everything known of a client beside the observation of the case. */
export interface ClientFacts {
  /** How it hands back the plain answer; undefined where that was not tried. */
  readonly profile?: Profile | undefined;
  /** How often it asks the same where all is well. */
  readonly usualAsks?: number | undefined;
  /** Milliseconds that it may wait for an answer; unknown unless said. */
  readonly limit?: number | undefined;
}

/** Bytes of memory beyond the usual that no answer here takes. */
const maxMemory = 256 << 20;

/** Bytes that a connection takes in, though nobody reads them. */
const maxUnread = 64 << 10;

/** Milliseconds beyond its own limit that a client may take: timers are late on a busy machine. */
const graceOfLimit = 5_000;

/** How often a client may have asked when its time was over: it may still give up. */
const patientAsks = 12;

const judged = (outcome: CaseOutcome, why: string): Judged => ({ outcome, why });

const worst = (all: readonly Judged[]): Judged =>
  all.reduce((a, b) => (caseOutcomes.indexOf(b.outcome) < caseOutcomes.indexOf(a.outcome) ? b : a));

/** The outcome of an answer that should have come out whole. */
const ofFate = ({ kind, why }: Fate): Judged =>
  judged(kind === "whole" ? "works" : kind === "unseen" ? "not-shown" : kind, why);

/** Whether an answer that has an end was still on its way: a busy machine sends slowly. What a client does not read lies in between. */
function isOnItsWay({ left, planned: { answer } }: PlannedExchange): boolean {
  const isEndless = answer.endless !== undefined || answer.end === "hold";
  const size = answer.pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return left && !isEndless && size < maxUnread;
}

/** A client that had not ended when its time was over. */
function unended(one: Case, seen: CaseObservation, told: readonly PlannedExchange[], { limit }: ClientFacts): Judged {
  const { after } = seen.handed;
  if (isOnItsWay(told.at(-1)!)) return judged("not-shown", `the answer was still on its way after ${spanOf(after)}`);
  if (isWaiting(one, told, after)) return judged("not-shown", "it was still waiting as it was told to");
  const asks = Math.max(0, ...told.map(({ planned }) => planned.attempt)) + 1;
  // One that asks for ever is not given all of its time.
  if (asks >= maxExchanges || (one.due !== "answer" && asks > 1 && !one.endsWithLimit))
    return asks <= patientAsks || isRedirected(told)
      ? judged("not-shown", `it was still asking again after ${spanOf(after)}, ${counted(asks, "time")} so far`)
      : judged("asks-wrongly", `it asked ${counted(asks, "time")} in ${spanOf(after)} and did not give up`);
  if (one.endsWithLimit && one.due === "error") {
    if (limit === undefined)
      return judged("not-shown", `it had not given up after ${spanOf(after)}; its own time limit is not known`);
    // A client that retries waits anew.
    const waited = after - Math.max(...told.map(({ at }) => at));
    if (waited < limit + graceOfLimit)
      return judged("not-shown", `it may wait ${spanOf(limit)}, and had waited ${spanOf(Math.max(0, waited))}`);
    return judged("hangs", `it had waited ${spanOf(waited)}, and its limit is ${spanOf(limit)}`);
  }
  return judged("hangs", `it had not ended after ${spanOf(after)}`);
}

/** Whether a client that is done left a connection open on which an answer was still to come. */
function leavesOpen({ connections, handed }: CaseObservation, told: readonly PlannedExchange[]): boolean {
  if (handed.end !== "returned" && handed.end !== "threw") return false;
  const open = new Set(connections.filter(({ closed }) => closed === null).map(({ connection }) => connection));
  return told.some(({ connection, planned: { answer } }) => {
    const isOpen = answer.end === "hold" || answer.endless !== undefined;
    return isOpen && open.has(connection);
  });
}

/** Reasons to end by which clients say that an answer is not whole. */
const unwhole = /^(?:interrupted|incomplete|aborted|error)$/i;

/** Reasons to end by which clients say that a call may be cut. */
const limited = /^(?:length|max.?tokens)$/i;

/** How a client says without an error that an answer is not whole; undefined where it does not. */
function toldByOtherMeans({ finish = "", calls = [] }: CaseObservation["handed"], said: Said): string | undefined {
  if (unwhole.test(finish) || (said.calls.length > 0 && limited.test(finish)))
    return `it says that the answer ended as ${quoted(finish)}`;
  const areBroken = calls.length > 0 && calls.every(({ isBroken }) => isBroken);
  return areBroken ? "it says that the arguments of the call cannot be read" : undefined;
}

/** The part of a cut or failed answer that it handed back as if all were well. */
function takenForSuccess(fate: Fate, calls: number): string {
  if (calls > 0) return `it raised no error and handed on ${counted(calls, "call")} of an answer that was cut`;
  if (fate.kind === "whole" && fate.some) return "it raised no error, and handed back a text as if all were well";
  return fate.some
    ? "it raised no error and handed back a part of the answer"
    : "it raised no error and handed back nothing";
}

function ofDue(one: Case, seen: CaseObservation, told: readonly PlannedExchange[], facts: ClientFacts): Judged {
  const { handed } = seen;
  const { profile } = facts;
  const applied = told.filter(({ planned }) => planned.applies);
  const final = applied.at(-1)!;
  const { said, isComplete } = final.planned.answer;
  const repeated = told.filter(({ exchange }) => exchange > final.exchange).flatMap(({ planned }) => planned.repeats);
  const options = { cutsWords: one.cutsWords === true, byLine: seen.interface === "images" };
  const fate = handedBack(said, handed, repeated, profile, options);
  const words = raisedError(handed, profile?.handed, said.text);
  // Words about an error beside a whole answer may be about anything.
  const isFine = words?.isOnlyTold === true && isComplete && fate.kind === "whole" && fate.some;
  const raised: RaisedError | undefined = isFine ? undefined : words;
  if (handed.end === "killed") return unended(one, seen, told, facts);
  if (one.due === "answer") {
    if (raised)
      return judged("crashes", `it refused ${one.kind === "legal" ? "a legal answer" : "the answer"}: ${raised.says}`);
    return ofFate(fate);
  }
  if (raised?.isBug) return judged("crashes", `it crashed on it: ${raised.says}`);
  // Of a program that goes on, only what comes out or is told can be known.
  const isUnseen = handed.end === "unseen" && !raised;
  if (isUnseen && !(isComplete && fate.kind === "whole" && fate.some))
    return judged("not-shown", "its end cannot be seen from outside");
  if (one.due === "end") {
    if (raised) return judged("error", `it raised an error: ${raised.says}`);
    return judged("works", "it came to an end");
  }
  if (raised) {
    const { status } = final.planned.answer;
    const isOther = raised.status !== undefined && status >= 400 && raised.status !== status;
    const what = isOther ? `, with status ${raised.status} instead of ${status}` : "";
    return judged("error", `it raised an error${what}: ${raised.says}`);
  }
  const sign = toldByOtherMeans(handed, said);
  if (isComplete && (fate.kind === "whole" || sign === undefined)) return ofFate(fate);
  if (sign !== undefined) return judged("error", sign);
  const calls = handed.calls?.length ?? (said.calls.length > 0 ? repeated.length : 0);
  return judged("silent", takenForSuccess(fate, calls));
}

/** @param told the requests of the interface, with their answers */
export function outcomeOf(
  one: Case,
  seen: CaseObservation,
  told: readonly PlannedExchange[],
  facts: ClientFacts = {},
): Judged {
  const { handed } = seen;
  const found: Judged[] = [];
  if (seen.exchanges.some(({ origin, hasKey }) => origin === "other" && hasKey))
    found.push(judged("leaks", "it sent its key to another origin"));
  if (told.length === 0) {
    const asked = seen.exchanges.length > 0 ? "it sent no request of this interface" : "it sent no request";
    return worst([
      ...found,
      broke(handed) ? judged("crashes", "it ended before it sent a request") : judged("not-shown", asked),
    ]);
  }
  const applied = told.filter(({ planned }) => planned.applies);
  if (applied.length === 0) {
    const why = told.find(({ planned }) => planned.whyNot)?.planned.whyNot ?? "its requests do not show it";
    return worst([...found, judged("not-shown", why)]);
  }
  if (broke(handed))
    found.push(
      judged(
        "crashes",
        `its process broke: ${raisedError(handed, undefined, "")?.says ?? handed.signal ?? "no error"}`,
      ),
    );
  else found.push(ofDue(one, seen, told, facts));
  // A program that goes on may ask the same for reasons of its own.
  const wrongly =
    handed.end === "unseen" ? undefined : asksWrongly(one, told, facts.usualAsks ?? 1, handed.end !== "killed");
  if (wrongly !== undefined) found.push(judged("asks-wrongly", wrongly));
  if (leavesOpen(seen, applied)) found.push(judged("hangs", "it left the connection open when it was done"));
  const usual = facts.profile?.handed.memory;
  if (handed.memory !== undefined && usual !== undefined && handed.memory - usual > maxMemory)
    found.push(judged("hangs", `its memory grew by ${Math.round((handed.memory - usual) / 2 ** 20)} MiB`));
  return worst(found);
}
