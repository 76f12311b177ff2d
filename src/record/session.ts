/** A recording session: the proxy passes traffic on, the keeper stores it, and a follower judges what is stored. */
import { randomBytes } from "node:crypto";
import { bytesFrom } from "../byte-size.ts";
import type { Interfaces } from "../check/catalogue.ts";
import type { Interface } from "../check/interface.ts";
import { routeOf } from "../check/route.ts";
import type { Authority } from "../intercept/authority.ts";
import { type Judging, judgingFrom } from "../interfaces/judging.ts";
import { openInterfaces } from "../interfaces/open-interfaces.ts";
import type { Interception } from "../proxy/forward-proxy.ts";
import { startProxy } from "../proxy/proxy.ts";
import { patternsFrom } from "../redact/patterns.ts";
import { UserError } from "../user-error.ts";
import type { CheckDocument } from "../verdict/document.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import { isLoopback } from "../wire/callers.ts";
import { parseListen } from "../wire/listen-address.ts";
import { pathOf } from "../wire/target.ts";
import { checkSession } from "./check-session.ts";
import { startScreen } from "./enforcer/enforcer.ts";
import { startKeeper } from "./keeper/client.ts";
import type { Answer, Question } from "./keeper/messages.ts";
import { cassetteName, type RecordOptions, upstreamsFrom } from "./options.ts";

/** A longer target counts as one that no operation owns, since `inFlight` may be called often. */
const maxTargetLength = 2_048;

export interface SessionEvents {
  /** An exchange that was stored and judged, in the order they ended. */
  readonly exchange?: (exchange: ListedExchange) => void;
  /** A sentence about what failed on our side: the recording or its judging may lack something. */
  readonly trouble?: (what: string) => void;
  /** A sentence about what a client or an upstream did; nothing is lacking. */
  readonly notice?: (what: string) => void;
  /** No more traffic comes and all of it is stored; what is left is being judged. */
  readonly catchingUp?: () => void;
}

/** Exchanges that have begun and not ended, and those that began first. */
export interface InFlight {
  readonly count: number;
  /** By operation, undefined where no document has it: a path may hold a secret. `time` in milliseconds. */
  readonly longest: readonly { readonly operation: string | undefined; readonly time: number }[];
}

export interface SessionOutcome {
  /** Incomplete where not all that was stored is judged. */
  readonly document: CheckDocument;
  /** Exchanges in the cassette, and those that could not be written. */
  readonly kept: number;
  readonly lost: number;
  /** Exchanges that are missing since a keeper ended or stands still. */
  readonly missing: number;
  /** Requests that passed `enforce` without being judged. */
  readonly unenforced: number;
  /** Bytes of the cassette that were not judged. */
  readonly unjudgedBytes: number;
  /** Whether anything failed on our side. */
  readonly failed: boolean;
}

export interface Session {
  /** `http://HOST:PORT` */
  readonly url: string;
  /** By interface, the address of its service alone; empty unless services are `apart`. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Set where hosts are intercepted. */
  readonly authority: Authority | undefined;
  /** Where hosts are intercepted: variables by which programs use the proxy, with its user and password, and trust the authority. */
  readonly variables: Readonly<Record<string, string>> | undefined;
  /** The cassette. */
  readonly out: string;
  /** Sentences about how the options were taken. */
  readonly notes: readonly string[];
  inFlight(): InFlight;
  /** The state of exchanges in flight, redacted; undefined if nothing is recorded any more. One question at a time. */
  look(question: Question): Promise<Answer | undefined>;
  /** Bytes of the cassette that are not judged yet. */
  lag(): Promise<number>;
  /** Judges no more; what is left stays in the cassette. */
  abandon(): void;
  /** Resolves when nothing can be stored any more: the session closes by itself. */
  readonly over: Promise<void>;
  /** Breaks off what is in flight; resolves when all is stored and judged. */
  close(): Promise<SessionOutcome>;
}

interface Opening extends Interception {
  readonly authority: Authority;
  /** Variables for programs. @param url the address of the proxy */
  readonly variablesAt: (url: string) => Readonly<Record<string, string>>;
}

const randomText = (): string => randomBytes(16).toString("hex");

/** How hosts are opened. UserError where clients of other machines could use the proxy as well. */
async function interceptionOf(hosts: readonly string[], listening: string, notes: string[]): Promise<Opening> {
  if (!isLoopback(listening))
    throw new UserError(
      `--intercept cannot listen on ${listening}: everyone there could reach the network through this machine`,
      "Let --listen name a loopback address, such as 127.0.0.1:8080.",
    );
  const [{ openAuthority, removeKeptAuthorities }, { hostsOf }, { trustIn }, { interceptedEnvironment }] =
    await Promise.all([
      import("../intercept/authority.ts"),
      import("../intercept/hosts.ts"),
      import("../intercept/trust.ts"),
      import("../intercept/environment.ts"),
    ]);
  const opens = hostsOf(hosts);
  notes.push(...removeKeptAuthorities());
  const authority = await openAuthority(hosts);
  const credentials = `${randomText()}:${randomText()}`;
  return {
    opens,
    authority,
    credentials,
    variablesAt(url) {
      const proxy = url.replace("//", `//${credentials}@`);
      return interceptedEnvironment(process.env, { proxy, trust: trustIn(authority, process.env), hosts });
    },
  };
}

/** Puts the version of an interface before a target that begins with the operation itself. */
function withVersions(
  interfaces: readonly Interface[],
  versions: Readonly<Record<string, string>>,
): (method: string, target: string) => string {
  return (method, target) => {
    const route = routeOf(interfaces, method, target);
    if (route?.operation.at(pathOf(target)) !== 0) return target;
    return (versions[route.interface.name] ?? "") + target;
  };
}

/**
 * Starts a session; throws UserError before anything has begun.
 * @param keepsFindings whether its document lists findings, which take memory as long as it lasts
 */
export async function startSession(
  options: RecordOptions,
  events: SessionEvents,
  { interfaces, clauses }: Interfaces,
  judging: Judging,
  keepsFindings = false,
): Promise<Session> {
  const { listen = "127.0.0.1:0" } = options;
  const at = parseListen(listen);
  const notes: string[] = [];
  const names = interfaces.map(({ name }) => name);
  const upstreams = upstreamsFrom(options, names, notes);
  const intercept = options.intercept && (await interceptionOf(options.intercept, at.host, notes));
  const services = options.apart ? [...new Set(Object.values(upstreams.byInterface).map(({ href }) => href))] : [];
  const maxBody = options.maxBody === undefined ? undefined : bytesFrom(options.maxBody, "--max-body");
  const redact = patternsFrom(options.redact ?? []);
  const out = options.out ?? cassetteName(new Date());
  const { keepHeaders = [] } = options;
  const { documents, bindings, policy } = judging;
  const notice = events.notice ?? (() => {});
  let troubled = false;
  const trouble = (what: string): void => {
    troubled = true;
    events.trouble?.(what);
  };

  let unenforced = 0;
  const screen = options.enforce
    ? await startScreen({ documents, bindings, policy, keepHeaders, redact }, (why) => {
        unenforced++;
        notice(`a request passed --enforce without being judged: ${why}`);
      })
    : undefined;
  let end = (): void => {};
  const over = new Promise<void>((resolve) => void (end = resolve));
  const settings = { out, documents, bindings, keepHeaders, redact, sync: options.sync };
  const keeper = await startKeeper(settings, { trouble, notice, over: end }).catch(async (error: unknown) => {
    intercept?.authority.remove();
    await screen?.close();
    throw error;
  });
  const exchange = events.exchange ?? (() => {});
  const check = checkSession(out, judging, clauses, { exchange, trouble }, keepsFindings);
  const proxy = await startProxy({
    listen: at,
    upstreams,
    services: services.map((href) => new URL(href)),
    ...(intercept && { intercept }),
    ...(options.versions && { completeTarget: withVersions(interfaces, options.versions) }),
    route: (method, target) => routeOf(interfaces, method, target)?.interface.name,
    insecure: options.insecure ?? false,
    callers: { host: at.host, hosts: options.allowHost, origins: options.allowOrigin, onlyPages: true },
    ...(maxBody !== undefined && { maxBody }),
    ...(screen && { screen }),
    backpressure: keeper.backpressure,
    observer: keeper.observer,
    onProblem: notice,
  }).catch(async (error: NodeJS.ErrnoException) => {
    check.abandon();
    intercept?.authority.remove();
    await Promise.all([keeper.finish(), screen?.close()]);
    throw new UserError(`cannot listen on ${listen}: ${error.message}`, "Choose another --listen HOST:PORT.");
  });

  async function close(): Promise<SessionOutcome> {
    await proxy.close();
    await screen?.close();
    const stored = await keeper.finish();
    events.catchingUp?.();
    check.finish();
    intercept?.authority.remove();
    const { document, broken, unjudgedBytes } = await check.ended;
    const { kept, lost, missing } = stored;
    const failed = troubled || lost + missing + stored.broken + broken > 0;
    return { document, kept, lost, missing, unenforced, unjudgedBytes, failed };
  }

  let closing: Promise<SessionOutcome> | undefined;
  const closeOnce = (): Promise<SessionOutcome> => (closing ??= close());
  void over.then(closeOnce);
  return {
    url: proxy.url,
    authority: intercept?.authority,
    variables: intercept?.variablesAt(proxy.url),
    addresses: Object.fromEntries(
      Object.entries(upstreams.byInterface)
        .map(([name, { href }]) => [name, proxy.serviceUrls[services.indexOf(href)]!] as const)
        .filter(([, address]) => address !== undefined),
    ),
    out,
    notes,
    inFlight() {
      const { count, longest } = proxy.inFlight();
      const operationOf = (method: string, target: string): string | undefined =>
        target.length <= maxTargetLength ? routeOf(interfaces, method, target)?.operation.name : undefined;
      return {
        count,
        longest: longest.map(({ method, target, time }) => ({ operation: operationOf(method, target), time })),
      };
    },
    look: keeper.look,
    lag: check.lag,
    abandon: check.abandon,
    over,
    close: closeOnce,
  };
}

/** A recorder in front of a service. */
export interface Recorder {
  /** The address for clients: `http://HOST:PORT`. */
  readonly url: string;
  /** The cassette that is being written. */
  readonly out: string;
  /** With `intercept`: variables for the programs to record. They name the proxy with its user and password, and the authority. */
  readonly variables: Readonly<Record<string, string>> | undefined;
  /**
   * Ends the session and gives what was found in it: the document of `check --format json`.
   * Rejects where recording or judging failed, on a full disk for one.
   */
  close(): Promise<CheckDocument>;
}

/**
 * Records and judges what passes between clients and a service, until it is closed. Throws UserError for options that cannot be met.
 * @example
 * const recorder = await record({ upstream: "https://api.example.com", out: "session.jsonl" });
 * // ... send clients to recorder.url ...
 * const { summary } = await recorder.close();
 */
export async function record(options: RecordOptions): Promise<Recorder> {
  const troubles: string[] = [];
  const trouble = (what: string): void => void troubles.push(what);
  const catalogue = await openInterfaces(options.documents);
  const session = await startSession(options, { trouble }, catalogue, judgingFrom(options, catalogue), true);
  return {
    url: session.url,
    out: session.out,
    variables: session.variables,
    async close() {
      const { document, failed } = await session.close();
      if (failed) throw new Error(`recording to ${session.out} failed: ${troubles.join("; ")}`);
      return document;
    },
  };
}
