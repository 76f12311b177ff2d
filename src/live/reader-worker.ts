/** Reads, shows and judges single exchanges for the page, in a thread of its own: the recorder's has traffic to pass. */
import { parentPort, workerData } from "node:worker_threads";
import type { Finding } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { joinBindings, namesFrom } from "../check/names.ts";
import { routeOfExchange } from "../check/route.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { openInterfaces } from "../interfaces/open-interfaces.ts";
import { UserError } from "../user-error.ts";
import { type Known, viewedExchange } from "../view/exchange.ts";
import type { Exchange } from "../wire/exchange.ts";
import { openCassetteIndex } from "./cassette-index.ts";
import { curlForRecorded } from "./curl.ts";
import type { Detail } from "./protocol.ts";
import type { Answers, QuestionName, Questions, ReaderRequest, ReaderSettings, Replied } from "./reader-messages.ts";
import { cassetteOf } from "./save.ts";
import { holdsAll } from "./search.ts";

const { out, documents, bindings, policy } = workerData as ReaderSettings;
const names = namesFrom(...bindings);
const tape = openCassetteIndex(out);
const { clauses, readings, interfaces } = await openInterfaces(documents);

/** The view of one exchange, as JSON. */
function detailOf(exchange: Exchange, at: Known, findings: readonly Finding[], unjudged: string | undefined): string {
  const events = new Set(findings.flatMap(({ event }) => (event == null ? [] : [event])));
  const ids = new Set(findings.map(({ clause }) => clause));
  const named = clauses.filter(({ id }) => ids.has(id));
  const read = [...named.flatMap((clause) => clause.readings), ...findings.flatMap(({ reading }) => reading ?? [])];
  const readFor = Object.fromEntries(Object.entries(readings).filter(([id]) => read.includes(id)));
  const viewed = viewedExchange(exchange, at, interfaces, { events });
  const curl = curlForRecorded(exchange);
  const detail: Detail = {
    exchange: viewed,
    findings,
    clauses: named,
    readings: readFor,
    ...(curl !== undefined && { curl }),
    ...(unjudged !== undefined && { unjudged }),
  };
  return JSON.stringify(detail);
}

/** Bytes of the cassette that one question searches: other questions wait for it. */
const maxSearched = 4 << 20;

const unknown = "it is not judged yet, or what was found in it is no longer kept here";

const answers: { readonly [K in QuestionName]: (question: Questions[K]) => Answers[K] | Promise<Answers[K]> } = {
  view({ exchange, findings }) {
    const { exchange: whole } = tape.read(exchange);
    return detailOf(whole, { source: out, exchange }, findings ?? [], findings ? undefined : unknown);
  },
  viewOpen: ({ exchange, id }) =>
    JSON.stringify(viewedExchange(exchange, { source: "in flight", exchange: id }, interfaces)),
  async judge({ exchange, position }) {
    const at = { source: "sent again", exchange: position };
    const { findings, tooMuch } = judge(exchange, at, await openCatalogue(documents), { names, policy });
    return detailOf(exchange, at, findings, tooMuch ? "too much to judge" : undefined);
  },
  request({ exchange }) {
    const { exchange: whole } = tape.read(exchange);
    return { request: whole.request, interface: routeOfExchange(interfaces, whole)?.interface.name ?? "" };
  },
  save({ exchanges, interface: of, violates }) {
    const joined = joinBindings(bindings) as Readonly<Record<string, unknown>>;
    const chosen = exchanges.map((exchange) => ({ exchange, recorded: tape.read(exchange) }));
    return cassetteOf(chosen, of, interfaces, {
      ...(Object.keys(joined).length > 0 && { bindings: joined }),
      violates,
    });
  },
  search({ words, before }) {
    const found: number[] = [];
    let exchange = tape.countTo(before);
    for (let searched = 0; exchange > 0 && searched < maxSearched; ) {
      exchange--;
      const { from, to } = tape.stretch(exchange, exchange + 1);
      searched += to - from;
      // A line too long to be read is in the list all the same.
      const kept = tape.readable(exchange);
      if (kept && holdsAll(kept.exchange, words, interfaces)) found.push(exchange);
    }
    return { found, before: exchange };
  },
  stretch: ({ from, to }) => tape.stretch(from, to),
};

async function replyTo({ name, question }: ReaderRequest): Promise<Replied> {
  try {
    return { answer: await (answers[name] as (question: unknown) => Answers[QuestionName])(question) };
  } catch (error) {
    if (error instanceof UserError) return { failure: error.message, remedy: error.remedy };
    // Messages of our own failures may quote what passed.
    return { failure: `internal failure at reading an exchange: ${(error as Error).name}` };
  }
}

let queue: Promise<void> = Promise.resolve();
parentPort!.on("message", (asked: ReaderRequest) => {
  queue = queue.then(async () => parentPort!.postMessage(await replyTo(asked)));
});
