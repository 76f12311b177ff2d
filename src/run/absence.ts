/** Tells interfaces that a target does not have: what it answers to them it answers to a path that nobody has, too. */
import { needsShownBy } from "../interfaces/needs.ts";
import type { Asked } from "../verdict/asked.ts";
import type { WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { pathOf } from "../wire/target.ts";
import { excerptOf, saysAbsent } from "./incident.ts";
import type { Recording } from "./recordings.ts";
import { saysLater } from "./retry.ts";

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
export const isToNobody = ({ passed }: Asked): boolean => pathOf(passed.request.target).endsWith(`/${unknownStep}`);

/** Whether this is the first question again, at another address or with the key elsewhere. */
export const isGuess = (one: Asked, first: Asked): boolean =>
  one !== first && Buffer.from(one.passed.request.body).equals(first.passed.request.body);

/** Whether an answer at a guessed address is one to the request: what is not there is told with any status, and pages with success. */
export function isMeant({ status, headers, body }: WireResponse): boolean {
  if (status === 401 || status === 403) return true;
  const isWhole = status >= 200 && status <= 299;
  const type = headerValue(headers, "content-type") ?? "";
  return (
    isWhole && (/event-stream/i.test(type) || /^\s*\{(?!\s*"error")/.test(excerptOf({ status, headers, body }, 40)))
  );
}

/** Whether a good request was refused in a way that may as well be that of an unknown path. */
export const isOdd = (response: WireResponse): boolean =>
  response.status >= 400 && response.status <= 499 && !saysAbsent(response) && !saysLater(response);

/** A path, and every end of it that an answer may repeat; longest first. */
function endsOf(path: string): string[] {
  const ends = [path];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
    ends.push(path.slice(at), path.slice(at + 1));
  return [...new Set(ends)].filter((end) => end.length > 3);
}

/** Whether two answers say the same, but for the paths they repeat, and numbers and ids. */
function saySame(a: Asked, b: Asked): boolean {
  if (a.passed.response?.status !== b.passed.response?.status) return false;
  const ends = [a, b].flatMap(({ passed: { request } }) => [request.target, ...endsOf(pathOf(request.target))]);
  const longestFirst = ends.sort((one, other) => other.length - one.length);
  const [said, other] = [a, b].map(({ passed: { response } }) =>
    longestFirst
      .reduce((text, end) => text.replaceAll(end, "PATH"), excerptOf(response!, 2000))
      .replace(/[\w-]*\d[\w-]*/g, "0"),
  );
  return said === other;
}

/** Whether an answer says of the operation itself, by its name, that it is not supported: with any status of a failure, its own ones too. */
export function saysNoOperation({ passed: { request, response } }: Asked): boolean {
  if (!response || response.status < 400) return false;
  const [step = ""] = /\w+$/.exec(pathOf(request.target)) ?? [];
  const said = `\\b${step}\\W{0,2}(?: (?:end ?point|operation|route|path|api))? is not (?:yet |currently )?(?:supported|implemented)`;
  return step !== "" && new RegExp(said, "i").test(excerptOf(response, 2000));
}

/** Whether first questions show that an interface is not there at all. Pure. */
export function isNotThere(asked: readonly Asked[]): boolean {
  const ofNobody = asked.filter((one) => isToNobody(one) && isOdd(one.passed.response!));
  const questions = asked.filter((one) => !isToNobody(one));
  // What asks for a feature may be refused for that at any path: a target that looks at bodies alone refuses both alike.
  const isPlain = ({ passed: { request }, interface: of }: Asked): boolean => needsShownBy(request, of).length === 0;
  const isLikeNobody = (one: Asked): boolean => ofNobody.some((other) => saySame(one, other));
  const isRouted = questions.some((one) => isPlain(one) && isLikeNobody(one));
  const isUnknown = (one: Asked): boolean =>
    saysAbsent(one.passed.response) || saysNoOperation(one) || (isRouted && isLikeNobody(one));
  const unknown = new Set(questions.filter(isUnknown).map(({ passed }) => pathOf(passed.request.target)));
  // With the key in another place the same path is unknown, too: what wanted the key stands before all paths.
  const isDoor = ({ passed: { request, response } }: Asked): boolean =>
    (response!.status === 401 || response!.status === 403) && unknown.has(pathOf(request.target));
  const [first] = questions;
  return (
    unknown.size > 0 &&
    questions.every((one) => isUnknown(one) || isDoor(one) || (isGuess(one, first!) && !isMeant(one.passed.response!)))
  );
}
