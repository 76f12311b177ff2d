/** Reads what an answer to a recording showed besides its clauses, and words why one showed nothing. */

import { type Interface, interfaceNamed } from "../../check/interface.ts";
import { routeOf } from "../../check/route.ts";
import { needsShownBy, optionalMembers, shownNeeds, toolChoicesIn } from "../../interfaces/needs.ts";
import { exchangeSigns, isErrorReply, replySigns } from "../../interfaces/reply-signs.ts";
import { usageOf } from "../../interfaces/usage.ts";
import type { AnswerSigns, Incident } from "../../verdict/run-results.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";
import { parseJsonBytes } from "../../wire/json.ts";
import { interfaceAt, type Recording } from "../plan/recordings.ts";
import { excerptOf, isStreamed, valuesIn } from "./request-failure.ts";

/** The needs of one request of a recording: those it shows by itself, and those that only its recording knows. */
function askedBy(recording: Recording, exchange: number, interfaces: readonly Interface[]): string[] {
  const { request } = recording.exchanges[exchange]!.exchange;
  const shown = shownNeeds(interfaces);
  const known = recording.needs.filter((need) => !shown.has(need));
  const of = interfaceNamed(interfaces, interfaceAt(recording, exchange));
  return [...new Set([...needsShownBy(request, of), ...toolChoicesIn(request, of), ...known])].sort();
}

/** The needs of an incident's request: those that the recording names, whether it asked for a stream, and how it chose tools. */
export function needsOf(recording: Recording, exchange: number, interfaces: readonly Interface[]): string[] {
  const own = askedBy(recording, exchange, interfaces).filter(
    (need) => need === "streaming" || need.startsWith("tool-choice"),
  );
  return [...new Set([...recording.needs, ...own])];
}

/** Optional members of a request that its refusal names, in whatever spelling: `tool_choice` is `tool choice`, too. */
export function namedMembers({ request, response }: SentRecord["passed"], of: Interface | undefined): string[] {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z\d]+/g, "");
  const words = new Set(
    (response ? excerptOf(response, 2000) : "")
      .match(/[\w.]+(?:[ -]\w+)?/g)
      ?.flatMap((said) => [plain(said), ...said.split(/[ .]/).map(plain)]),
  );
  const isNamed = (name: string): boolean => words.has(plain(name));
  return optionalMembers(request, of).filter(
    (name) => isNamed(name) || (isSystem.test(name) && systemWords.some(isNamed)),
  );
}

/** The member with the model's instructions has many names; servers say them instead of the member. */
const isSystem = /^system(?:_?instruction)?$/i;
const systemWords = ["system", "system instruction", "system prompt", "system message", "developer instruction"];

/**
 * @param asked a whole answer; undefined where none came
 * @param unmet a need of the request that the answer ignored
 */
export function answerSigns(
  recording: Recording,
  { exchange, passed }: SentRecord,
  interfaces: readonly Interface[],
  unmet?: string,
): AnswerSigns | undefined {
  const { response } = passed;
  if (!response) return undefined;
  const name = interfaceAt(recording, exchange);
  const of = interfaceNamed(interfaces, name);
  const { method, target } = passed.request;
  const describesError = of && routeOf([of], method, target)?.operation.describesError?.() === true;
  const isGood = response.status >= 200 && response.status <= 299;
  const values = isGood ? valuesIn(passed) : [];
  const inputTokens = usageOf(of, values)?.input;
  const asked = parseJsonBytes(passed.request.body);
  const holds = of ? replySigns(of, values) : [];
  const members = isGood ? optionalMembers(passed.request, of) : [];
  return {
    source: recording.source,
    exchange,
    interface: name,
    status: response.status,
    asks: askedBy(recording, exchange, interfaces).filter((need) => need !== unmet),
    ...(members.length > 0 && { members }),
    holds: [...holds, ...(of ? exchangeSigns(of, asked.ok ? asked.value : undefined, values, holds) : [])].sort(),
    ...(inputTokens !== undefined && { inputTokens }),
    ...(isErrorReply(values) && !describesError && { isError: true }),
  };
}

/** The reason why an answer did not show a clause: no whole answer with success came. */
export function whyUnanswered({ kind, problem, notOffered, source, exchange, needs }: Incident): string {
  if (kind === "rate-limited") return problem;
  if (notOffered && needs.length > 0) return `${needs.join(" and ")}, which the target says it does not offer`;
  return `a whole answer with success to ${source}, exchange ${exchange}`;
}

/** The same of an answer that is an error although its status says success. */
export const whyError = ({ source, exchange, passed }: SentRecord): string =>
  isStreamed(passed.response)
    ? `a stream that does not end in an error event, as that of ${source}, exchange ${exchange} does`
    : `a reply and no error to ${source}, exchange ${exchange}`;
