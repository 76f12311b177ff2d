/** One batch of exchanges: redacts and judges each, counts them, and keeps what the follower gets of them. */
import { isUtf8 } from "node:buffer";
import { knownOf, plainExchange } from "../../cassette/kept.ts";
import { boundedOnce } from "../../check/bounded-once.ts";
import { tooMuchToJudge } from "../../check/budget.ts";
import type { Catalogue } from "../../check/catalogue.ts";
import type { ExchangePlace } from "../../check/finding-order.ts";
import type { Judgement, judge } from "../../check/judge.ts";
import { createHeadJudge } from "../../check/judge-heads.ts";
import { type Bindings, namesFrom } from "../../check/names.ts";
import { routeOfExchange } from "../../check/route.ts";
import { redact } from "../../redact/redact.ts";
import { createChoice } from "../../verdict/finding-sample.ts";
import type { JudgedExchange } from "../../verdict/judged-exchange.ts";
import { createTally, type Share } from "../../verdict/tally.ts";
import type { Exchange, HeaderPairs, KnownBodies, KnownBody, WireRequest, WireResponse } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import { placeOf } from "../faults.ts";
import type { BatchRequest, JudgeSettings, Progress } from "./messages.ts";

/** A batch is full when so much was judged: exchanges, bytes of their bodies, findings. */
const full = { exchanges: 500, bytes: 1 << 20, findings: 1000 };

/** The name of a request of no documented operation if nothing of it is shown. */
const unnamed = "(unread request)";

const unread: JudgedExchange = {
  operation: unnamed,
  known: false,
  asked: unnamed,
  status: null,
  findings: [],
  groups: [],
};

export type ReportProgress = (progress: Progress) => void;

/** The state that stays the same from batch to batch. */
export interface Judge {
  readonly settings: JudgeSettings;
  readonly catalogue: Catalogue;
  readonly judgeOne: typeof judge;
}

export interface Batch {
  readonly exchanges: readonly JudgedExchange[];
  share(): Share;
  isFull(): boolean;
  /** Judges an exchange that takes so many bytes. */
  add(exchange: Exchange, size: number): void;
  /** Counts an exchange that is not looked at. */
  skip(announced?: JudgedExchange): void;
}

/** Whether redaction leaves a body as judges read it: it may drop one that is encoded or no text. */
const isPlainText = (message: WireRequest | WireResponse, known: KnownBody | undefined): boolean =>
  headerValue(message.headers, "content-encoding") === undefined && (known !== undefined || isUtf8(message.body));

/** Whether nothing of a judgement quotes its exchange; what is still needed quotes in quotation marks, and a rule that failed may quote anything. */
const quotesNothing = ({ groups, undecided, session }: Judgement): boolean =>
  groups.length === 0 &&
  session === undefined &&
  undecided.every(({ needs, code }) => !needs.includes('"') && code !== "rule-failed");

/** How many more of the latest exchanges were quoted than not, from which on they are redacted before they are judged. */
const maxQuoted = 8;

/** Finds the first header by which a vendor is known; undefined from then on. */
function createVendorSearch(names: Iterable<string>) {
  const vendors = new Set(names);
  const vendorsIn = (headers: HeaderPairs): string | undefined => {
    for (const [name] of headers) {
      const known = name.toLowerCase();
      if (vendors.has(known)) return known;
    }
    return undefined;
  };
  return ({ request, response }: Exchange): string | undefined => {
    if (vendors.size === 0) return undefined;
    const found = vendorsIn(request.headers) ?? vendorsIn(response?.headers ?? []);
    if (found !== undefined) vendors.clear();
    return found;
  };
}

/** @param ownBindings what the recording says of its names */
export function createBatch(
  { settings, catalogue, judgeOne }: Judge,
  { source, mode }: Pick<BatchRequest, "source" | "mode">,
  ownBindings: Bindings,
  report: ReportProgress,
): Batch {
  const names = namesFrom(ownBindings, ...settings.bindings);
  const keepHeaders = names.ownHeaders.map(({ own }) => own);
  const heads = createHeadJudge(catalogue, names);
  const { policy, side, maxPerGroup } = settings;
  const options = {
    names,
    policy,
    marks: new Uint8Array(catalogue.clauses.length),
    ...(side && { side }),
    ...(maxPerGroup !== undefined && { maxPerGroup }),
  };
  // A finding that a document of this batch leaves out, a document of all batches leaves out, too.
  const { takes } = createChoice();
  const vendorHeaderOf = createVendorSearch(Object.keys(ownBindings).length > 0 ? [] : (settings.vendorHeaders ?? []));
  let keyless = false;
  let quoted = 0;
  const tally = createTally(catalogue.clauses, settings.failsAt, false);
  const exchanges: JudgedExchange[] = [];
  let findings = 0;
  let bytes = 0;

  /** The facts about an exchange before anything in it has been redacted. */
  function announce(exchange: Exchange): JudgedExchange {
    const { started, response, aborted } = exchange;
    const { interfaces } = catalogue;
    const operation = boundedOnce(interfaces, () => routeOfExchange(interfaces, exchange))?.operation.name;
    return {
      operation: operation ?? unnamed,
      known: operation !== undefined,
      asked: operation ?? unnamed,
      status: response?.status ?? null,
      ...(started !== undefined && { started }),
      ...(response?.time !== undefined && { time: response.time }),
      ...(aborted && { aborted }),
      findings: [],
      groups: [],
    };
  }

  /**
   * Judges what may be shown. An exchange that nothing quotes need not be redacted, which takes as long as judging it. The first
   * finding shows that it is quoted, and whether most are shows soon: neither is judged twice for long.
   */
  function judgeShown(raw: Exchange, known: KnownBodies, at: ExchangePlace): Judgement {
    if (!settings.redacts) return judgeOne(raw, at, catalogue, options, known);
    const { request, response } = raw;
    const isPlain = (): boolean =>
      isPlainText(request, known.request) && (response === null || isPlainText(response, known.response));
    if (quoted < maxQuoted && isPlain()) {
      const judgement = judgeOne(raw, at, catalogue, { ...options, maxPerGroup: 1, maxFindings: 1 }, known);
      if (quotesNothing(judgement)) {
        quoted = Math.max(0, quoted - 1);
        return judgement;
      }
    }
    const judgement = judgeOne(redact(plainExchange(raw), { keepHeaders, heads }), at, catalogue, options);
    quoted = quotesNothing(judgement) ? quoted - 1 : Math.min(2 * maxQuoted, quoted + 1);
    return judgement;
  }

  /** The exchange's own method and path: for what no operation owns, and for all in a session, whose cassette is redacted already. */
  function askedOf(exchange: Exchange): string {
    const { method, target } = exchange.request;
    return `${method} ${target.split("?", 1)[0]}`;
  }

  function judged(raw: Exchange, known: KnownBodies, announced: JudgedExchange): JudgedExchange {
    let row = announced;
    try {
      if (!settings.redacts) row = { ...row, asked: askedOf(raw) };
      else if (!row.known) row = { ...row, asked: askedOf(redact(plainExchange(raw), { keepHeaders })) };
      if (!row.known) row = { ...row, operation: row.asked };
      const at = { source, exchange: exchanges.length };
      const judgement = boundedOnce(catalogue.interfaces, () => judgeShown(raw, known, at));
      tally.addJudgement(judgement, at);
      const listed = maxPerGroup === undefined ? judgement.findings.filter(takes) : judgement.findings;
      findings += listed.length;
      const vendorHeader = row.known ? vendorHeaderOf(raw) : undefined;
      const isFirst = !keyless && judgement.undecided.some(({ code }) => code === "credential-may-be-dropped");
      keyless ||= isFirst;
      return {
        ...row,
        ...(isFirst && { keyless: true as const }),
        ...(vendorHeader !== undefined && { vendorHeader }),
        findings: listed,
        groups: judgement.groups,
        ...(judgement.session && { session: judgement.session }),
        ...(judgement.tooMuch && { unjudged: tooMuchToJudge }),
      };
    } catch (error) {
      return { ...row, broken: placeOf(error as Error) };
    }
  }

  return {
    exchanges,
    share: () => tally.share(),
    isFull: () =>
      findings >= full.findings ||
      bytes >= full.bytes ||
      exchanges.length >= full.exchanges ||
      (mode !== "batch" && exchanges.length > 0),
    add(exchange, size) {
      const known = knownOf(exchange);
      if (size > full.bytes) report({ bytes: size });
      const announced = announce(exchange);
      if (mode === "one") report({ exchange: announced });
      exchanges.push(judged(exchange, known, announced));
      bytes += size;
    },
    skip(announced = unread) {
      const operation = announced.known ? announced.operation : null;
      tally.addUnjudged({ source, exchange: exchanges.length, operation, why: tooMuchToJudge });
      exchanges.push({ ...announced, unjudged: tooMuchToJudge });
    },
  };
}
