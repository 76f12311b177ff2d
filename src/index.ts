/** touchstone as a library: judge, watch, record, play, serve and run from tests and scripts of one's own. */
import { fileURLToPath } from "node:url";
import { type CaseServer, type ListedCase, listCases } from "./cases/library.ts";
import type { Cassette } from "./cassette/format.ts";
import { type InterceptedHosts, interceptIn } from "./play/intercept.ts";
import type { ExchangesOptions } from "./record/check-exchanges.ts";
import type { RecordedServices, RecordOptions } from "./record/options.ts";
import type { Recorder } from "./record/session.ts";
import type { ReceivedRequest, ScriptedAnswer } from "./reference/scripted.ts";
import type { RunOptions as AllRunOptions } from "./run/options.ts";
import type { CheckDocument } from "./verdict/document.ts";
import type { RunResults } from "./verdict/run-results.ts";
import type { Exchange } from "./wire/exchange.ts";
import type { ServerOptions } from "./wire/open-server.ts";

export type { CaseKind, CaseOutcome, CaseResult } from "./cases/document.ts";
export type { CaseServer, ClientAnswer, ListedCase } from "./cases/library.ts";
export type { Cassette, CassetteHeader, Recorded } from "./cassette/format.ts";
export type { Answer, IncomingRequest } from "./check/answer.ts";
export type { Finding, Level, Place, Side } from "./check/clause.ts";
export type { Conversation, Example } from "./check/example.ts";
export type { LawFault, Member } from "./check/law.ts";
export type { Operation } from "./check/operation.ts";
export type { Fault, Undecided } from "./check/rule.ts";
export type { Subject } from "./check/subject.ts";
export type { Edit, OwnLaw as Law, OwnMembers as InterfaceMembers, OwnRule as Rule } from "./documents/own-exports.ts";
export type { Destination, InterceptedHosts } from "./play/intercept.ts";
export { type Watch, watch } from "./proxy/watch.ts";
export type { RecordedServices, RecordOptions } from "./record/options.ts";
export type { Recorder } from "./record/session.ts";
export type { ReceivedRequest, ScriptedAnswer } from "./reference/scripted.ts";
export { UserError } from "./user-error.ts";
export type {
  CheckDocument,
  ClauseVerdict,
  Group,
  OperationCount,
  Summary,
  Unjudged,
  Verdict,
} from "./verdict/document.ts";
export type { RunResults as Results } from "./verdict/run-results.ts";
export type { ChunkMark, Exchange, HeaderPairs, WireRequest, WireResponse } from "./wire/exchange.ts";
export type { ServerOptions } from "./wire/open-server.ts";

/** How exchanges are judged. */
export interface CheckOptions extends ExchangesOptions {
  /** How many processes may judge recordings; 1 unless said. Exchanges in memory are judged in this process. */
  readonly jobs?: number | undefined;
}

export interface ServeOptions extends ServerOptions {
  /** Your own documents: folders, or OpenAPI files. */
  readonly documents?: readonly string[] | undefined;
  /** Ids of clauses to violate in every reply where that is possible. */
  readonly break?: readonly string[] | undefined;
  /** How the documents' names are called, as `touchstone serve` takes it. The names of the vendors' SDKs by default. */
  readonly preset?: string | undefined;
  readonly bind?: readonly string[] | undefined;
  /** Milliseconds before each event of a stream; 0 unless said. */
  readonly pace?: number | undefined;
}

/** A server that answers as one case has it. */
export interface CaseOptions {
  /** The id of a case, as `cases()` and `touchstone client --list` list them. */
  readonly case: string;
  /** `HOST:PORT`; port 0 takes a free one, which is the default, on 127.0.0.1. */
  readonly listen?: string | undefined;
}

export interface PlayOptions extends ServerOptions {
  /** Your own documents: folders, or OpenAPI files. */
  readonly documents?: readonly string[] | undefined;
  /** As recorded, at once, or how many times as fast; `recorded` unless said. */
  readonly pace?: "recorded" | "instant" | number | undefined;
  /** Whether each recording is played only once; otherwise the last of several of one request repeats. */
  readonly once?: boolean | undefined;
  /** Names of headers that requests must agree in as well. */
  readonly matchHeader?: readonly string[] | undefined;
  /** Base URL of a service to ask for what the cassette lacks; its answers are added to the cassette, without credentials. */
  readonly record?: string | undefined;
  /** With `record`: `once` asks for what is missing, `always` for everything, `never` for nothing; TOUCHSTONE_RECORD says it, or `once`. */
  readonly mode?: "once" | "always" | "never" | undefined;
  /** With `always`: whether recordings that nobody asked for are removed. */
  readonly prune?: boolean | undefined;
}

/** The options of a run, as `touchstone run` takes them. */
export type RunOptions = Omit<AllRunOptions, "startReference" | "updateExpectations" | "dryRun">;

/** A server that was started. */
export interface Server {
  /** `http://HOST:PORT` */
  readonly url: string;
  /** Breaks off what is under way and stops listening. */
  close(): Promise<void>;
}

/** The reference implementation as tests use it. */
export interface ReferenceServer extends Server {
  /** The requests so far, in order; the first 10,000. */
  readonly requests: readonly ReceivedRequest[];
  /** Answers the next request with this, the one after it with the next, and so on; then the reference answers again. */
  next(...answers: readonly ScriptedAnswer[]): void;
}

/** A request that no recording answered, without its credentials. */
export interface MissedRequest {
  readonly method: string;
  readonly target: string;
  /** How often it came. */
  readonly times: number;
  /** The recording that came nearest, and where it differs; undefined where nothing is recorded. */
  readonly nearest?:
    | {
        readonly source: string;
        readonly exchange: number;
        /** Pointers into method, path, query, headers and body; `before` is the recording's side. */
        readonly differences: readonly {
          readonly pointer: string;
          readonly before?: unknown;
          readonly after?: unknown;
        }[];
      }
    | undefined;
}

export interface Player extends Server {
  /** Requests so far that are not recorded; the first 200 different ones. */
  readonly missed: readonly MissedRequest[];
}

/**
 * Judges recordings by their paths, or exchanges in memory, and gives the document of `touchstone check --format json`.
 * Credentials are taken out before. Rejects with one line for what cannot be read and for options that cannot be met.
 * @param source a cassette, a HAR file, a folder of them, several of these; or an exchange, or several
 * @example
 * const { summary, findings } = await check("session.har", { preset: "vendors" });
 * if (summary.errors > 0) console.log(findings[0]?.message);
 */
export async function check(
  source: string | readonly string[] | Exchange | readonly Exchange[],
  options: CheckOptions = {},
): Promise<CheckDocument> {
  const list = [source].flat() as readonly string[] | readonly Exchange[];
  if (list.length > 0 && list.every((one) => typeof one === "string")) {
    const { checkSources } = await import("./record/check-sources.ts");
    return checkSources(list, options);
  }
  const { judgeExchanges } = await import("./record/check-exchanges.ts");
  return judgeExchanges(list as readonly Exchange[], options);
}

/**
 * Records and judges what passes between clients and a service, until it is closed. The options name at least one service, or
 * hosts to intercept. Rejects for options that cannot be met.
 * @example
 * const recorder = await record({ upstream: "https://api.example.com", out: "session.jsonl" });
 * // ... send requests to recorder.url ...
 * const { summary, findings } = await recorder.close();
 */
export async function record(options: RecordOptions & RecordedServices): Promise<Recorder> {
  return (await import("./record/session.ts")).record(options);
}

/**
 * Serves recorded responses, byte for byte and chunk for chunk. A request that nobody recorded is answered 404, or asked of `record`.
 * @param cassettes recordings, or folders of them; with `record` one `.jsonl` file, which need not be there yet
 * @example
 * const player = await play(new URL("chat.jsonl", import.meta.url), { record: "https://api.example.com" });
 * // ... send requests to player.url ...
 * console.log(player.missed);
 * await player.close();
 */
export async function play(
  cassettes: string | URL | readonly (string | URL)[],
  options: PlayOptions = {},
): Promise<Player> {
  const { redact } = await import("./redact/redact.ts");
  const session = await import("./play/session.ts");
  const { fixtureOf, played, recordModeFrom } = await import("./play/fixture.ts");
  const { ofVendors } = await import("./interfaces/documented-address.ts");
  const { openInterfaces } = await import("./interfaces/open-interfaces.ts");
  const { interfaces } = await openInterfaces(options.documents);
  const { pace = "recorded", record: upstream, mode } = options;
  const speed = pace === "recorded" ? 1 : pace === "instant" ? Number.POSITIVE_INFINITY : pace;
  const paths = [cassettes].flat().map((one) => (one instanceof URL ? fileURLToPath(one) : one));
  const fixture =
    upstream === undefined ? played(paths) : await fixtureOf(paths, upstream, recordModeFrom(mode), options.prune);
  const kept = { keepHeaders: [], patterns: [], remembered: new Set<string>() };
  const player = await session.play(fixture.cassettes, {
    ...options,
    pace: speed,
    standing: ofVendors(interfaces),
    recordMisses: fixture.recordMisses,
    onlyWhole: fixture.onlyWhole,
    redact: (exchange) => (fixture.recordMisses ? redact(exchange, kept) : redact(exchange)),
  });
  return {
    url: player.url,
    get missed() {
      return player.counts().misses.map(({ miss: { method, target, nearest }, times }) => ({
        method,
        target,
        times,
        ...(nearest && {
          nearest: {
            source: nearest.recording.source,
            exchange: nearest.recording.position,
            differences: nearest.differences,
          },
        }),
      }));
    },
    async close() {
      await player.close();
      const { refusals, troubles, ...counts } = player.counts();
      const { sentence } = await fixture.finish(counts, player.has);
      const refused = refusals.map(
        ({ exchange: { request, response } }) =>
          `${paths[0]}: an error response was recorded, and will be played again: ${response!.status} ${request.method} ${request.target.split("?", 1)[0]}`,
      );
      for (const warning of [...troubles, ...refused, ...(sentence === undefined ? [] : [sentence])])
        process.emitWarning(warning);
    },
  };
}

/**
 * Sends requests for the given hosts to a server that was started, from the global `fetch` and from undici. Clients need no
 * other base URL. Requests for other hosts pass. `node:http` is left alone.
 * @param hosts `api.example.com`, with a port or as an origin where that matters; and what `serve()` or `play()` gave, or a URL
 * @returns a function that puts both back
 * @example
 * const restore = intercept({ "api.openai.com": await play("chat.jsonl") });
 * // ... clients of api.openai.com are answered from the cassette ...
 * restore();
 */
export function intercept(hosts: InterceptedHosts): () => void {
  return interceptIn([globalThis], hosts);
}

/**
 * The ways in which a server may answer: a table for `test.each`.
 * @param interfaceName `chat-completions`, `images`, `messages` or `generate-content`
 * @param patterns such as `stream/*`; all cases unless said
 * @example
 * test.each(cases("messages"))("$case: $says", async ({ case: id }) => {
 *   const server = await serve({ case: id });
 *   expect(await server.outcome(() => myClient(server.url))).toConform();
 *   await server.close();
 * });
 */
export function cases(interfaceName: string, ...patterns: readonly string[]): ListedCase[] {
  return listCases(interfaceName, patterns);
}

/**
 * Serves the reference implementation of all four interfaces, on request one that violates chosen clauses.
 * @example
 * const server = await serve({ break: ["chat-completions.response.finish-reason-values"] });
 * const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "any" });
 * // ... does the client notice? ...
 * server.next({ status: 429, headers: { "retry-after": "0" } });
 * // ... does it ask again? server.requests holds what came ...
 * await server.close();
 * @example
 * const server = await serve({ case: "stream/crlf" });
 * const outcome = await server.outcome(() => myClient(server.url));
 */
export async function serve(options: CaseOptions): Promise<CaseServer>;
export async function serve(options?: ServeOptions): Promise<ReferenceServer>;
export async function serve(options: ServeOptions | CaseOptions = {}): Promise<ReferenceServer | CaseServer> {
  if ("case" in options) {
    const { serveCase } = await import("./cases/library.ts");
    const { openCatalogue } = await import("./interfaces/catalogue.ts");
    return serveCase(await openCatalogue(), options.case, options);
  }
  const { openCatalogue } = await import("./interfaces/catalogue.ts");
  const { judgingFrom } = await import("./interfaces/judging.ts");
  const { sdkHeaders } = await import("./reference/reference.ts");
  const { serveReference } = await import("./reference/serve.ts");
  const { createBreaker } = await import("./prove/break.ts");
  const catalogue = await openCatalogue(options.documents);
  const { names } = judgingFrom(options, catalogue, sdkHeaders);
  const { pace = 0, break: broken = [] } = options;
  const { createScript } = await import("./reference/scripted.ts");
  const { routeOf } = await import("./check/route.ts");
  const breaker = createBreaker(catalogue, broken, names);
  const script = createScript(({ method, target }) => routeOf(catalogue.interfaces, method, target)?.interface.name);
  const server = await serveReference(catalogue, {
    ...options,
    pace,
    names,
    change: (request, reply) => script.change(request, breaker(request, reply)),
  });
  return { url: server.url, close: server.close, requests: script.requests, next: script.next };
}

/**
 * Runs the suites against an implementation and gives the document of `touchstone run --format json`. Rejects for what cannot
 * be read or reached, and where the target ends in the middle of the run.
 * @param target base URL, or path of a target file; the reference implementation, started for this, where it is left out
 * @example
 * const results = await run("http://127.0.0.1:8080", { interface: ["messages"], preset: "vendors" });
 * const failing = results.clauses.filter(({ verdict }) => verdict === "fail");
 */
export async function run(target?: string, options: RunOptions = {}): Promise<RunResults> {
  const suites = await import("./run/run.ts");
  const { serveReference } = await import("./reference/serve.ts");
  return suites.run(target, { ...options, startReference: (catalogue, names) => serveReference(catalogue, { names }) });
}

/**
 * Reads a recording: a cassette, a HAR file or a VCR cassette, also gzipped. Rejects with one line that says what is wrong with it.
 * @example
 * const { exchanges } = await readCassette("session.jsonl");
 * for (const { exchange } of exchanges) console.log(exchange.request.target);
 */
export async function readCassette(path: string): Promise<Cassette> {
  return (await import("./cassette/read.ts")).readCassette(path);
}
