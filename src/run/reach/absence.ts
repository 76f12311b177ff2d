/** Tells interfaces that a target does not have: what it answers to them it answers to a path that nobody has, too. */
import { type Interface, interfaceNamed } from "../../check/interface.ts";
import { needsShownBy } from "../../interfaces/needs.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";
import type { WireResponse } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import { isObject } from "../../wire/json.ts";
import { pathOf } from "../../wire/target.ts";
import { excerptOf, isStreamed, jsonOf, saysAbsent } from "../judge/request-failure.ts";
import type { Recording } from "../plan/recordings.ts";

/** The step of a path that no server has. */
const unknownStep = "no-such-operation";

/** A recording whose first request goes to a path that nobody has. */
export function toNobody(recording: Recording): Recording {
  const [first, ...others] = recording.exchanges;
  const { request } = first!.exchange;
  const [version = ""] = /^\/v1(?:beta)?(?=\/)/.exec(request.target) ?? [];
  const query = request.target.slice(pathOf(request.target).length);
  const moved = { ...first!.exchange, request: { ...request, target: `${version}/${unknownStep}${query}` } };
  return { ...recording, exchanges: [{ ...first!, exchange: moved }, ...others] };
}

/** Whether it was asked of a path that nobody has. */
export const isToNobody = ({ passed }: SentRecord): boolean =>
  pathOf(passed.request.target).endsWith(`/${unknownStep}`);

/** Whether this is a question that was asked before, at another address or with the key elsewhere. */
export const isGuess = (one: SentRecord, sent: readonly SentRecord[]): boolean =>
  sent
    .slice(0, sent.indexOf(one))
    .some((other) => !isToNobody(other) && Buffer.from(one.passed.request.body).equals(other.passed.request.body));

/** Whether an answer with success is nothing like a reply of its interface: a page, nothing at all, JSON of something else. */
function isStrange(response: WireResponse, of: Interface | undefined): boolean {
  const members = of?.replies?.members;
  if (members === undefined || isStreamed(response)) return false;
  const reply = jsonOf(response);
  return !isObject(reply) || !members.some((name) => name in reply);
}

/** Whether an answer at a guessed address is one to the request: what is not there is told with any status, and pages with success. */
export function isMeant(response: WireResponse, of: Interface | undefined): boolean {
  const { status } = response;
  return status === 401 || status === 403 || (status >= 200 && status <= 299 && !isStrange(response, of));
}

/** Whether a good request was answered in a way that may as well be that of an unknown path. */
export function isOdd(response: WireResponse, of: Interface | undefined): boolean {
  const { status } = response;
  if (status >= 200 && status <= 299) return isStrange(response, of);
  return status !== 429 && !saysAbsent(response);
}

/** A path, and every end of it that an answer may repeat; longest first. */
function endsOf(path: string): string[] {
  const ends = [path];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
    ends.push(path.slice(at), path.slice(at + 1));
  return [...new Set(ends)].filter((end) => end.length > 3);
}

/**
 * Describes an answer that is no refusal of its own: the address it sends on to, or the members or media type of a success;
 * undefined for all else.
 */
function kindOf(response: WireResponse): string | undefined {
  const { status, headers } = response;
  if (status >= 300 && status <= 399) return headerValue(headers, "location") ?? "";
  if (status < 200 || status > 299) return undefined;
  const reply = jsonOf(response);
  return isObject(reply) ? Object.keys(reply).sort().join(" ") : (headerValue(headers, "content-type") ?? "");
}

/** Whether two answers say the same, but for the paths they repeat, and numbers and ids. */
function saySame(a: SentRecord, b: SentRecord): boolean {
  if (a.passed.response?.status !== b.passed.response?.status) return false;
  const ends = [a, b].flatMap(({ passed: { request } }) => [request.target, ...endsOf(pathOf(request.target))]);
  const longestFirst = ends.sort((one, other) => other.length - one.length);
  // Pages and echoes differ in what they repeat: what they are made of is the same.
  const kinds = [a, b].map(({ passed: { response } }) => kindOf(response!));
  if (kinds[0] !== undefined && kinds[0] === kinds[1]) return true;
  const [said, other] = [a, b].map(({ passed: { response } }) =>
    longestFirst
      .reduce((text, end) => text.replaceAll(end, "PATH"), excerptOf(response!, 2000))
      .replace(/[\w-]*\d[\w-]*/g, "0"),
  );
  return said === other;
}

/** Whether an answer says that the operation itself, by its name, is not supported: with any status of a failure, its own ones too. */
export function saysNoOperation({ passed: { request, response } }: SentRecord): boolean {
  if (!response || response.status < 400) return false;
  const [step = ""] = /\w+$/.exec(pathOf(request.target)) ?? [];
  const said = `\\b${step}\\W{0,2}(?: (?:end ?point|operation|route|path|api))? is not (?:yet |currently )?(?:supported|implemented)`;
  return step !== "" && new RegExp(said, "i").test(excerptOf(response, 2000));
}

/** Whether first questions show that an interface is not there at all. Pure. */
export function isNotThere(sent: readonly SentRecord[], interfaces: readonly Interface[]): boolean {
  const interfaceOf = (one: SentRecord): Interface | undefined => interfaceNamed(interfaces, one.interface);
  const ofNobody = sent.filter((one) => isToNobody(one) && isOdd(one.passed.response!, interfaceOf(one)));
  const questions = sent.filter((one) => !isToNobody(one));
  // A request for a feature may be refused for that at any path: a target that looks at bodies alone refuses both
  // alike.
  const isPlain = (one: SentRecord): boolean => needsShownBy(one.passed.request, interfaceOf(one)).length === 0;
  const isLikeNobody = (one: SentRecord): boolean => ofNobody.some((other) => saySame(one, other));
  const isRouted = questions.some((one) => isPlain(one) && isLikeNobody(one));
  const isUnknown = (one: SentRecord): boolean =>
    saysAbsent(one.passed.response) || saysNoOperation(one) || (isRouted && isLikeNobody(one));
  const unknown = new Set(questions.filter(isUnknown).map(({ passed }) => pathOf(passed.request.target)));
  // With the key in another place the same path is unknown, too: what wanted the key stands before all paths.
  const isDoor = ({ passed: { request, response } }: SentRecord): boolean =>
    (response!.status === 401 || response!.status === 403) && unknown.has(pathOf(request.target));
  return (
    unknown.size > 0 &&
    questions.every(
      (one) =>
        isUnknown(one) || isDoor(one) || (isGuess(one, sent) && !isMeant(one.passed.response!, interfaceOf(one))),
    )
  );
}
