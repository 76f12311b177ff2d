/** Says what one answer to a probe shows of its clause (readings X-ENFORCE, X-LEGAL-REFUSED, X-MISSING-KEY). */

import { accepts, type FindingLevel, gradeOf, isStrict, type Level, type Policy } from "../../check/clause.ts";
import type { Interface } from "../../check/interface.ts";
import type { Probe, Twin } from "../../check/probe.ts";
import { isErrorReply } from "../../interfaces/reply-signs.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { pathOf } from "../../wire/target.ts";
import { isOdd } from "../reach/absence.ts";
import { otherReason } from "./refusal-reasons.ts";
import { excerptOf, valuesIn } from "./request-failure.ts";

/** The outcome of a clause's probes at one request. */
export type Shown =
  | { readonly kept: true }
  /** Nothing can be said: what was in the way. */
  | { readonly why: string }
  | { readonly level: FindingLevel; readonly reading: string; readonly what: string; readonly expected: string };

const quoted = 200;

export const legalRefused = "X-LEGAL-REFUSED";

/** The status of an answer, with the beginning of what it says. */
export function answerText({ response }: Exchange): string {
  if (!response) return "no answer";
  const excerpt = excerptOf(response, quoted);
  return `status ${response.status}${excerpt && `: ${excerpt}`}`;
}

/** Statuses that speak of who asks or of what is not there, not of the value that was sent. */
const besideTheValue = new Set([401, 402, 403, 404]);

/** Keywords whose limit is the end of a range: where a document states the range twice, its end may be refused. */
const isEdge = /^(?:exclusiveM|m)(?:inimum|aximum) /;

/** Whether a target took a request: a whole answer with success, which an error under the status of one is not. */
export const accepted = ({ response, aborted }: Exchange): boolean =>
  response !== null &&
  aborted === undefined &&
  response.status >= 200 &&
  response.status < 300 &&
  !isErrorReply(valuesIn({ response }));

/** Reads the answer to a request that breaks a clause (reading X-ENFORCE). */
export function shownBeyond(
  exchange: Exchange,
  probe: Probe,
  twin: Twin,
  of: Interface | undefined,
  policy: Policy,
): Shown {
  const { response, aborted } = exchange;
  if (!response || aborted) return { why: "a whole answer to a request that breaks the rule" };
  const expected = of?.namesRefusals ? "a refusal with a status from 400 to 499" : "a refusal";
  const isElsewhere = pathOf(probe.request.target) !== pathOf(twin.request.target);
  // A target with a page for every path has accepted nothing.
  if (isElsewhere && accepted(exchange) && isOdd(response, of))
    return { why: "an acceptance or a refusal of another path, not a page or a reply of something else" };
  if (accepted(exchange))
    return {
      level: gradeOf(accepts, policy) as FindingLevel,
      reading: accepts.id,
      expected,
      what: "the rule is unenforced: a request that violates it was accepted",
    };
  if (response.status >= 500 && of?.namesRefusals)
    return {
      level: isStrict(policy, accepts.id) ? "error" : "warning",
      reading: accepts.id,
      expected,
      what: "a request that violates the rule was not refused as the client's fault",
    };
  const other = response.status >= 400 ? otherReason(exchange, probe, twin, of) : undefined;
  if (other !== undefined) return { why: other };
  return response.status >= 400 ? { kept: true } : { why: `an acceptance or a refusal, not ${answerText(exchange)}` };
}

/** Reads what the answer to a wrong key shows beyond that: two documents name the status. */
export function shownWrongKey(
  exchange: Exchange,
  probe: Probe,
  twin: Twin,
  of: Interface | undefined,
  policy: Policy,
  isOtherwise: () => boolean,
): Shown {
  const shown = shownBeyond(exchange, probe, twin, of, policy);
  if (!("kept" in shown) || !of?.namesRefusals || exchange.response?.status === 401) return shown;
  const expected = "status 401";
  if (!isOtherwise()) return { why: `a refusal of a wrong key with ${expected}, or one that the key explains` };
  return { level: "error", reading: "X-MISSING-KEY", expected, what: "a wrong key was refused with another status" };
}

/** Reads the answer to a request within the rule, whose twin was accepted (reading X-LEGAL-REFUSED). */
export function shownWithin(
  exchange: Exchange,
  probe: Probe,
  twin: Twin,
  of: Interface | undefined,
  maxLevel: Level,
  strict: boolean,
): Shown {
  const { how, reading } = probe;
  const { response, aborted } = exchange;
  if (accepted(exchange)) return { kept: true };
  if (!response || aborted) return { why: "a whole answer to a request within the rule" };
  const refused = "a request within the rule was refused";
  if (strict) return { level: "error", reading: legalRefused, expected: "acceptance", what: refused };
  if (besideTheValue.has(response.status) || response.status >= 500)
    return { why: `a refusal or an acceptance of a value within the rule, not ${answerText(exchange)}` };
  if (reading !== undefined && isEdge.test(how))
    return { why: `an edge that every reading of the document counts to the range (${reading})` };
  const other = otherReason(exchange, probe, twin, of);
  if (other !== undefined) return { why: other };
  // A limit is of what is there; another value of a list may be a feature of its own, which is perhaps not offered.
  const isLimit = !how.startsWith("enum");
  const isPlain = isLimit && reading === undefined && maxLevel === "error";
  return {
    level: isPlain ? "error" : "warning",
    reading: reading ?? legalRefused,
    expected: "acceptance, as of the same request with another value",
    what: `${refused}${isLimit ? "" : ", perhaps since what it asks for is not offered"}`,
  };
}
