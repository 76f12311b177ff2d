/** Compares failures, what becomes of streams that break off, and how pieces of streams arrive. */
import type { AnswerFacts, ErrorClass, ErrorFacts } from "../../interfaces/common/facts/model.ts";
import type { FactComparison, Trip } from "../trip.ts";
import { changed, clientSays, converted, dropped, type Ends, invented, kept, told, type Verdict } from "./ends.ts";

const shownError = (error: ErrorFacts | undefined): unknown =>
  error && {
    class: error.class,
    ...(error.status !== undefined && { status: error.status }),
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    ...(error.message !== undefined && { message: error.message }),
  };

/** The class that stands for others in an interface that names few. */
const broader: Partial<Record<ErrorClass, ErrorClass>> = {
  overloaded: "server",
  permission: "bad-request",
  "not-found": "bad-request",
  "too-large": "bad-request",
};

function classVerdict(ends: Ends, answered: ErrorFacts, got: ErrorFacts): Verdict {
  const [before, after] = [answered.class, got.class];
  if (before === after) return kept;
  if (answered.status === undefined && (after === "unknown" || after === "server" || before === "unknown"))
    return converted(ends, "G-FACT-ERROR", "An error amid a stream is told as one of its own.");
  if (after === "unknown" && got.status === undefined)
    return converted(ends, "G-FACT-ERROR", "The error is told amid the stream, without its class.");
  if (broader[before] === after && !clientSays(ends, "error", before))
    return converted(ends, "G-FACT-ERROR", `${ends.route.from} names no error of the class ${before}.`);
  return changed(`The class ${before} became ${after}.`);
}

/** @param isBroken whether the client's connection broke off */
function errorVerdict(ends: Ends, answered: ErrorFacts, got: AnswerFacts | undefined, isBroken: boolean): Verdict {
  if (!got) return converted(ends, "G-FACT-ERROR", "The client got no answer.");
  const { error } = got;
  if (!error) {
    // A connection that breaks off is an error of its own; a stream that just stops says nothing of one.
    if (!got.ended)
      return isBroken || !got.streamed
        ? converted(ends, "G-FACT-ERROR", "The answer breaks off.")
        : dropped("The stream stops without a word of the error.");
    const word = got.choices.flatMap(({ finish }) => finish?.word ?? []).find((one) => /error/i.test(one));
    return word === undefined
      ? dropped("The client got a success.")
      : changed(`The error is told as the reason why the reply ended, ${word}.`);
  }
  const verdict = classVerdict(ends, answered, error);
  if (verdict.outcome !== "kept") return verdict;
  const isWaiting = answered.class === "rate" || answered.class === "overloaded";
  if (isWaiting && answered.retryAfter !== undefined && error.status !== undefined) {
    if (error.retryAfter === undefined) return changed("The retry-after is lost.");
    if (Number(error.retryAfter) !== Number(answered.retryAfter) && error.retryAfter !== answered.retryAfter)
      return changed("The retry-after is another one.");
  }
  return verdict;
}

/** A client that still waits when the upstream has failed, or has said everything. */
function waitingVerdict({ error, ended }: AnswerFacts, milliseconds: number): Verdict {
  const waited = `the client still waited after ${Math.round(milliseconds / 1000)} s`;
  if (error) return dropped(`The upstream failed, and ${waited}.`);
  return ended
    ? invented(`The upstream answered in full, and ${waited}.`)
    : dropped(`The upstream broke off, and ${waited}.`);
}

/** Whether a filter let nothing of a reply through. */
const isBlocked = ({ choices }: AnswerFacts): boolean =>
  choices.length > 0 && choices.every(({ parts, finish }) => parts.length === 0 && finish?.means[0] === "filter");

/** A filter's end that the client gets as an error: fair, if the error speaks of it. */
function blockedTold(ends: Ends, error: ErrorFacts): readonly [Verdict, unknown, unknown] {
  const isSaid = /safety|block|filter|policy/i.test(error.message ?? "");
  const verdict = isSaid
    ? converted(ends, "G-FACT-FINISH", "The end by a filter is told as an error that speaks of it.")
    : changed("The end by a filter is told as an error that does not speak of it.");
  return [verdict, { reason: "filter" }, shownError(error)];
}

/** An error of the upstream, an answer of it that broke off, or an error that only the gateway made. */
export function* compareFailures(ends: Ends, { client, timing }: Trip): Generator<FactComparison> {
  const { answered, got } = ends;
  if (!answered) return;
  if (timing?.gaveUp !== undefined) {
    const verdict = waitingVerdict(answered, timing.gaveUp);
    const said = shownError(answered.error) ?? (answered.ended ? undefined : "broke off");
    yield told("answer", "error", verdict, said, got ? "no end" : "no answer");
  } else if (answered.error) {
    yield told(
      "answer",
      "error",
      errorVerdict(ends, answered.error, got, client.aborted !== undefined),
      shownError(answered.error),
      got ? (shownError(got.error) ?? successOf(got)) : undefined,
    );
  } else if (!answered.ended) {
    const isTold = !got || got.error !== undefined || !got.ended;
    const verdict = isTold ? kept : dropped("The answer of the upstream broke off, and the client got an end.");
    yield told("answer", "error", verdict, "broke off", got ? (shownError(got.error) ?? successOf(got)) : "no answer");
  } else if (got?.error && isBlocked(answered)) yield told("answer", "finish", ...blockedTold(ends, got.error));
  else if (got?.error)
    yield told(
      "answer",
      "error",
      invented("The upstream answered, and the client got an error."),
      undefined,
      shownError(got.error),
    );
  else if (got && !got.ended && isBlocked(answered))
    yield told(
      "answer",
      "finish",
      dropped("The reply stops, and nothing says that a filter let nothing through."),
      { reason: "filter" },
      "broke off",
    );
  else if (got && !got.ended)
    yield told(
      "answer",
      "error",
      invented("The upstream answered in full, and the client's answer breaks off."),
      undefined,
      "broke off",
    );
  else if (!got)
    yield told(
      "answer",
      "error",
      invented("The upstream answered, and the client got no answer that can be read."),
      undefined,
      "no answer",
    );
}

const successOf = ({ ended }: AnswerFacts): string => (ended ? "a success" : "broke off");

/** Whether pieces of a stream pass as they come. */
export function* compareStreamed(ends: Ends, { timing }: Trip): Generator<FactComparison> {
  const { asked, answered, got } = ends;
  if (!asked.stream || !answered || answered.error || !got || got.error) return;
  const count = (answer: AnswerFacts): unknown =>
    answer.streamed ? { pieces: answer.times?.length ?? null } : "whole";
  if (!got.streamed) {
    yield told("answer", "streamed", dropped("The client got a whole reply."), count(answered), count(got));
    return;
  }
  const [first] = got.times ?? [];
  const end = timing?.upstreamEnded;
  if (end === undefined || first === undefined || (answered.times?.length ?? 0) < 2) {
    if (answered.streamed) yield told("answer", "streamed", kept, count(answered), count(got));
    return;
  }
  const verdict = first < end ? kept : changed("Its first piece came only after the upstream had sent the last one.");
  yield told("answer", "streamed", verdict, { lastPieceMs: Math.round(end) }, { firstPieceMs: Math.round(first) });
}

/** Whether the upstream learns that the client has left. */
export function* compareDisconnect({ situation, timing }: Trip): Generator<FactComparison> {
  if (situation !== "disconnect" || timing?.disconnectReached === undefined) return;
  const after = timing.disconnectReached;
  const verdict = after === null ? dropped("The upstream went on, though the client had left.") : kept;
  yield told(
    "answer",
    "disconnect",
    verdict,
    undefined,
    after === null ? "not within the bound" : { afterMs: Math.round(after) },
  );
}
