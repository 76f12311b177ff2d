/** Makes of an exchange what a page gets of it, judged by the real catalogue; and streams whose pieces came at given times. */
import type { Finding } from "../../check/clause.ts";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { home } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { readJsonFile } from "../../json-file.ts";
import type { PageClause, PageReading } from "../../report/page/data.ts";
import type { Client } from "../../verdict/client.ts";
import { viewedExchange } from "../../view/exchange.ts";
import { jsonRequest, sseEvent } from "../../wire/build.ts";
import type { Exchange, WireResponse } from "../../wire/exchange.ts";
import type { EvidencePage } from "./evidence.test-page.tsx";

export const catalogue = await openCatalogue();
const schemas = `${home}/schemas`;
const clients = readJsonFile(`${schemas}/clients.json`, "clients", "") as readonly Client[];
const readings = readJsonFile(`${schemas}/readings.json`, "readings", "") as Readonly<Record<string, PageReading>>;

const clauses: readonly PageClause[] = catalogue.clauses.map((clause): PageClause => {
  const needed = clients.flatMap(({ name, needs }) =>
    needs.filter((need) => need.clause === clause.id).map(({ effect, evidence }) => ({ name, effect, evidence })),
  );
  return { ...clause, verdict: "fail", exercised: 3, failed: 1, ...(needed.length > 0 && { clients: needed }) };
});

const admitted = { reason: "their model ends so", ticket: "BUG-7", expires: "2030-01-01" };

interface Rest extends Partial<Omit<EvidencePage, "evidence">> {
  readonly part?: string;
  readonly curl?: string;
  readonly again?: EvidencePage["evidence"]["again"];
  readonly found?: readonly Finding[];
  /** A clause whose failure the target admits to. */
  readonly excused?: string;
}

/** An exchange as a page shows it. @param chosen the clause whose finding is looked at; the first one's unless told */
export function sample(
  exchange: Exchange,
  { part = "scenario", curl, again, found, excused, ...rest }: Rest = {},
  chosen?: string,
): EvidencePage {
  const at = { source: "chat-completions/streaming/text.json", exchange: 0 };
  const findings = found ?? judge(exchange, at, catalogue, { names: namesFrom(), policy: lenient }).findings;
  const events = new Set(findings.flatMap(({ event }) => event ?? []));
  const own = new Set(findings.map(({ clause }) => clause));
  return {
    evidence: {
      findings,
      exchange: viewedExchange(exchange, { ...at, part }, catalogue.interfaces, { events }),
      ...(curl !== undefined && { curl }),
      ...(again && { again }),
    },
    focus: findings.find(({ clause }) => clause === chosen) ?? findings[0],
    clauses: clauses.flatMap((clause) =>
      own.has(clause.id) ? [{ ...clause, ...(clause.id === excused && { expected: admitted }) }] : [],
    ),
    readings,
    ...rest,
  };
}

export const headers = [
  ["Host", "api.example.com"],
  ["Authorization", "Bearer [redacted]"],
  ["User-Agent", "OpenAI/JS 6.49.0"],
] as const;

export const chat = (body: object): Exchange["request"] => ({
  ...jsonRequest("/v1/chat/completions", headers, {
    model: "gpt-x",
    messages: [{ role: "user", content: "What is the weather in Paris, and what time is it there?" }],
    ...body,
  }),
  redacted: ["/headers/authorization"],
});

export const delta = (delta: object, finish: string | null = null): object => ({
  id: "chatcmpl-2",
  object: "chat.completion.chunk",
  created: 1_763_830_000,
  model: "gpt-x",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** A stream whose pieces came at these times. */
export function streamed(events: readonly (readonly [at: number, text: string])[]): WireResponse {
  const pieces = events.map(([, text]) => Buffer.from(text, "utf8"));
  return {
    status: 200,
    reason: "OK",
    headers: [["content-type", "text/event-stream"]],
    body: Buffer.concat(pieces),
    chunks: events.map(([at], i) => [at, pieces[i]!.length] as const),
    time: events.at(-1)![0] + 3,
  };
}

/** An event of messages that came then; it is called by its type. */
export const typed = (
  at: number,
  data: { readonly type: string; readonly [member: string]: unknown },
): readonly [number, string] => [at, sseEvent(data, data.type)];
