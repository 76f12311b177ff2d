/** The proof client: small, right, and wrong in one way at a time, to show that cases tell each mistake. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Assignment, ClientUnderTest } from "../client-under-test.ts";
import { everyInterface } from "../interface-names.ts";
import type { Handed } from "../observation.ts";
import { createEventsReader } from "./events.ts";
import type { Faults, Has, ProofFault } from "./faults.ts";
import { type HttpAnswer, send, TransportError, totalLimit } from "./http.ts";
import { questions, readers } from "./questions.ts";
import { type AnswerReader, callsOf, newReading, type Reading } from "./reading.ts";

const maxRetries = 2;
/** How often one that asks without bound does so: the proof has to end. */
const manyRetries = 40;
/** Milliseconds before the first retry, unless the server says when; twice as long before each further one. */
const firstPause = 100;
/** Milliseconds that a client waits at most; who is told to wait longer gives up. */
const maxPause = 60_000;

class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const isLater = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500;

/** Milliseconds that an answer says to wait. */
function toldPause({ headers }: HttpAnswer, has: Has): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined || has("ignores-retry-after")) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) || has("retry-after-date-ignored") ? undefined : Math.max(0, date - Date.now());
}

const typeOf = ({ headers }: HttpAnswer, has: Has): string => {
  const value = headers["content-type"] ?? "";
  return has("media-type-exact") ? value : value.split(";")[0]!.trim().toLowerCase();
};

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of body) pieces.push(bytes);
  return Buffer.concat(pieces).toString("utf8");
}

/** Reads a stream to its end; throws where it breaks off or ends too early. */
async function readStream(
  body: AsyncIterable<Uint8Array>,
  reader: AnswerReader,
  reading: Reading,
  has: Has,
): Promise<void> {
  const events = createEventsReader(has);
  const take = (read: ReturnType<typeof events.push>): void => {
    for (const { event, data } of read)
      try {
        reader.event(reading, event, data);
      } catch (error) {
        if (!(error instanceof SyntaxError && has("broken-event-swallowed"))) throw error;
      }
  };
  try {
    for await (const bytes of body) {
      take(events.push(bytes));
      if (reading.isEnded && !has("waits-for-close")) return;
    }
    take(events.end());
  } catch (error) {
    // An answer that is whole needs no end of its body.
    const isEnough = has("cut-as-success") || (reading.isOver && !has("waits-for-close"));
    if (error instanceof TransportError && isEnough) return;
    throw error;
  }
  if (has("done-required") && !reading.isEnded) throw new TransportError("the end marker is missing");
  if (!reading.isOver && !reading.isEnded && !has("end-unchecked"))
    throw new TransportError("the stream ended too early");
}

/** Asks until it is answered, or gives up. */
async function answered(assignment: Assignment, has: Has): Promise<HttpAnswer> {
  const question = questions[assignment.interface](assignment);
  for (let tries = 0; ; tries++) {
    const mayRetry = (has("retries-forever") && tries < manyRetries) || (tries < maxRetries && !has("no-retry"));
    const pause = has("retries-forever") ? 1 : firstPause * 2 ** tries;
    let answer: HttpAnswer;
    try {
      answer = await send(assignment.baseUrl, question, assignment.signal, has);
    } catch (error) {
      if (!mayRetry || assignment.signal.aborted) throw error;
      await sleep(pause);
      continue;
    }
    const { status } = answer;
    if (status < 300 || has("status-unchecked")) return answer;
    const told = toldPause(answer, has);
    const canWait = mayRetry && (isLater(status) || has("retries-everything")) && (told ?? 0) <= maxPause;
    if (canWait && !assignment.signal.aborted) {
      answer.close();
      await sleep(told ?? pause);
      continue;
    }
    const text = await readText(answer.body).catch(() => "");
    answer.close();
    throw new StatusError(status, `status ${status}: ${text.slice(0, 100)}`);
  }
}

async function read(assignment: Assignment, has: Has): Promise<Reading> {
  const answer = await answered(assignment, has);
  const reader = readers[assignment.interface](has);
  const reading = newReading();
  try {
    const type = typeOf(answer, has);
    if (assignment.stream && assignment.interface !== "images") {
      if (type === "text/event-stream") await readStream(answer.body, reader, reading, has);
      else if (type === "application/json") reader.body(reading, JSON.parse(await readText(answer.body)));
      else throw new TypeError(`the answer is no event stream: ${type || "no media type"}`);
    } else reader.body(reading, JSON.parse(await readText(answer.body)));
  } finally {
    answer.close();
  }
  if (has("key-to-picture"))
    for (const url of reading.pictures) await fetch(url, { headers: { authorization: `Bearer ${assignment.key}` } });
  return reading;
}

export const proofClient = (faults: Faults = new Set()): ClientUnderTest => {
  const has = (fault: ProofFault): boolean => faults.has(fault);
  return {
    name: faults.size === 0 ? "proof client" : `proof client: ${[...faults].join(", ")}`,
    versions: {},
    interfaces: everyInterface,
    limit: totalLimit,
    async ask(assignment): Promise<Omit<Handed, "after">> {
      try {
        const reading = await read(assignment, has);
        const calls = callsOf(reading);
        return {
          text: reading.texts.join(""),
          calls: has("first-call-only") ? calls.slice(0, 1) : calls,
          finish: reading.finish,
          error: null,
          end: "returned",
        };
      } catch (error) {
        const { name, message } = error as Error;
        const status = error instanceof StatusError ? { status: error.status } : {};
        const isUnguarded = has("parse-unguarded") && error instanceof SyntaxError;
        return { error: { name, message, ...status }, end: isUnguarded ? "unhandled" : "threw" };
      }
    },
  };
};
