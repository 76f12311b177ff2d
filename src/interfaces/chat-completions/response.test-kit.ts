/** Judges hand-made chat replies: what the tests of the response side share. */
import { type FindingLevel, lenient, type Policy } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { headers, hello } from "./examples/response.ts";
import { catalogue, strictly } from "./request.test-kit.ts";

const sections = ["response", "streaming", "lists", "errors", "exchange"];

/** The decidable clauses of the response side. */
export const decidable = catalogue.clauses.filter(
  ({ interface: name, section, kind }) =>
    name === "chat-completions" && sections.includes(section) && kind !== "unobservable",
);

/** A whole reply to a request with `asked` laid over the least a request can be. */
export function whole(asked: object, reply: unknown, status = 200): Exchange {
  return exchangeOf(
    jsonRequest("/v1/chat/completions", headers, { model: "chat-1", messages: hello, ...asked }),
    jsonResponse(reply, status),
  );
}

/** A streamed reply; texts go out as they are. */
export function streamed(asked: object, events: readonly unknown[]): Exchange {
  const body = { model: "chat-1", messages: hello, stream: true, ...asked };
  return exchangeOf(
    jsonRequest("/v1/chat/completions", headers, body),
    streamResponse(events.map((event) => sseEvent(event))),
  );
}

export function judged(exchange: Exchange, policy: Policy = lenient) {
  return judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
}

/** Findings above a note on the response, as `clause pointer`, without the interface's name. */
export function faultsOf(exchange: Exchange, policy: Policy = lenient): string[] {
  return judged(exchange, policy)
    .findings.filter(({ side, level }) => side === "response" && level !== "note")
    .map(({ clause, level }) => `${level} ${clause.replace("chat-completions.", "")}`);
}

export type Outcome = FindingLevel | "silent";

/** The outcome of one clause by default, and under all strict options. */
export function outcomesOf(exchange: Exchange, clause: string): [Outcome, Outcome] {
  const [byDefault, strict] = [lenient, strictly].map(
    (policy): Outcome =>
      judged(exchange, policy).findings.find((finding) => finding.clause === `chat-completions.${clause}`)?.level ??
      "silent",
  );
  return [byDefault!, strict!];
}
