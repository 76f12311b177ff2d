/** Returns snapshots of unfinished exchanges, redacted. A body is included up to the point that no later byte can change. */
import { encodeExchange } from "../../cassette/write.ts";
import type { UnderWay } from "../../proxy/collector.ts";
import { type RedactOptions, redact } from "../../redact/redact.ts";
import { settledEvents } from "../../redact/safe-prefix.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import { parseEvents } from "../../wire/sse.ts";
import type { Answer, OpenExchange, OpenStream, Question } from "./messages.ts";

export interface Snapshots {
  answer(question: Question): Answer;
  /** Notes where an exchange was kept, for somebody who saw it in flight. */
  ended(id: number, exchange: number): void;
}

/** The number of exchanges in flight that are listed from those that began first, and again from those that began last. */
const maxListed = 100;

/** Bodies beyond are shown at the end only: each look reads all of what came. */
const maxRead = 256 << 10;

/** Text of events in one answer, in UTF-16 units. */
const maxText = 64 << 10;

/** Events whose places are told in one answer. */
const maxPlaces = 5_000;

/** Exchanges that have ended and were not told of yet. */
const maxEnded = 1_000;

const nothing = new Uint8Array(0);

/** The exchange without what its messages hold behind their heads. */
const withoutBodies = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, body: nothing },
  response: exchange.response && { ...exchange.response, body: nothing, chunks: [] },
});

/** The ends of a stream's whole events. */
function endsOf(body: Buffer): number[] {
  const { events, terminated } = parseEvents(body);
  const whole = terminated ? events : events.slice(0, -1);
  const ends = whole.slice(1).map(({ offset }) => offset);
  if (whole.length === 0) return ends;
  if (!terminated) return [...ends, events.at(-1)!.offset];
  return [...ends, body.length];
}

/** When each event was whole, and its bytes. */
function* placesOf({ response }: Exchange, ends: readonly number[], from: number): Generator<[number, number]> {
  let [chunk, came] = [-1, 0];
  for (const [i, end] of ends.entries()) {
    while (came < end) came += response!.chunks![++chunk]![1];
    if (i >= from) yield [response!.chunks![chunk]?.[0] ?? 0, end - (ends[i - 1] ?? 0)];
  }
}

/** Whether a stream's events cannot be told while it comes, as a sentence's end. */
function whyLater({ response }: Exchange): string | undefined {
  if (!response) return "no answer has begun";
  const { headers, body } = response;
  if (!/^text\/event-stream\b/i.test(headerValue(headers, "content-type") ?? "")) return "it is no stream of events";
  if (!/^(?:identity)?$/i.test(headerValue(headers, "content-encoding")?.trim() ?? "")) return "it is compressed";
  return body.length > maxRead ? "it is large" : undefined;
}

/** Looks at what `underWay` gives; `options` are those that exchanges are redacted with when they end, and stay as they are. */
export function createSnapshots(underWay: () => readonly UnderWay[], options: RedactOptions): Snapshots {
  /** Heads, redacted once each; again where an answer has begun. */
  let heads = new Map<number, { readonly answered: boolean; readonly head: Exchange }>();
  /** Keys that exchanges in flight sent. */
  let seen: ReadonlySet<string> = new Set();
  let ended: [number, number][] = [];
  let asked = false;

  function headOf({ id, soFar }: UnderWay, safe: RedactOptions): Exchange {
    const whole = soFar();
    const answered = whole.response !== null;
    const before = heads.get(id);
    if (before?.answered === answered) return before.head;
    const head = redact(withoutBodies(whole), safe);
    heads.set(id, { answered, head });
    return head;
  }

  function streamOf(one: UnderWay, known: Question["streams"][number], safe: RedactOptions): OpenStream {
    const { id, soFar } = one;
    const whole = soFar();
    const later = whyLater(whole);
    const readable = later === undefined;
    const isLong = whole.request.body.length > maxRead;
    // A request that is answered has come as a rule; redacted as one that broke off, it shows less than at the end.
    const shown: Exchange = {
      ...whole,
      request: { ...whole.request, body: whole.response && !isLong ? whole.request.body : nothing },
      response: whole.response && { ...whole.response, body: readable ? whole.response.body : nothing },
    };
    const exchange = redact(shown, safe);
    const head = known.head ? undefined : encodeExchange({ ...exchange, response: withoutBodies(exchange).response });
    const body = Buffer.from(exchange.response?.body ?? nothing);
    // Masks are as long as what they hide, so that places are the same in both.
    const ends = readable ? endsOf(Buffer.from(whole.response!.body)) : [];
    const settled = body.length === whole.response?.body.length ? settledEvents(body, ends) : 0;
    const texts: string[] = [];
    let room = maxText;
    for (let i = known.texts; i < settled && room > 0; i++) {
      const text = body.toString("utf8", ends[i - 1] ?? 0, ends[i]);
      room -= text.length;
      texts.push(text);
    }
    const places = readable ? [...placesOf(whole, ends, known.places)].slice(0, maxPlaces) : [];
    return { id, ...(head && { exchange: head }), places, texts, ...(later !== undefined && { later }) };
  }

  return {
    answer({ streams }) {
      asked = true;
      const all = underWay();
      const listed = all.length > 2 * maxListed ? [...all.slice(0, maxListed), ...all.slice(-maxListed)] : all;
      const watched = all.filter(({ id }) => streams.some((one) => one.id === id));
      // The credentials remembered for the cassette stay as they are, whether somebody looks or not.
      const remembered = new Set([...seen, ...(options.remembered ?? [])]);
      const safe: RedactOptions = { ...options, remembered };
      const open = listed.map((one): OpenExchange => {
        const { started = 0, request, response } = headOf(one, safe);
        const { id, sent, came, pieces, last } = one;
        const { method, target } = request;
        const status = response?.status ?? null;
        return { id, started, method, target, status, sent, came, pieces, ...(last !== undefined && { last }) };
      });
      heads = new Map(listed.flatMap(({ id }) => (heads.has(id) ? [[id, heads.get(id)!]] : [])));
      seen = remembered;
      const told = ended;
      ended = [];
      return {
        count: all.length,
        open,
        streams: watched.map((one) => streamOf(one, streams.find(({ id }) => id === one.id)!, safe)),
        ended: told,
      };
    },
    ended(id, exchange) {
      if (asked) ended.push([id, exchange]);
      if (ended.length <= maxEnded) return;
      // Nobody has asked for a while.
      ended = [];
      asked = false;
    },
  };
}
