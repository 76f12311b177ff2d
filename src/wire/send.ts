/** Sends one request and keeps the answer as the wire carried it: header order, undecoded body, chunks with their times. */
import type { Dispatcher } from "undici";
import {
  type Connection,
  type Connections,
  createConnections,
  maxUnanswered,
  maySpeakOfBefore,
} from "./connections.ts";
import { ignoringContinue } from "./continue.ts";
import type { ChunkMark, Exchange, WireRequest, WireResponse } from "./exchange.ts";
import { headerValue } from "./headers.ts";
import { pairsOf } from "./listen.ts";
import { throughProxies } from "./proxied-connector.ts";
import { buildConnector } from "./undici.ts";

export interface SendLimits {
  /**
   * Milliseconds to wait for a connection, for the head, and for each next piece of the body. A body that only trickles for so
   * long is broken off.
   */
  readonly maxIdleMs: number;
  /** Milliseconds after which an answer that still goes on is broken off. */
  readonly maxTimeMs: number;
  /** Body bytes to keep; an answer that goes on after them is broken off. */
  readonly maxBodyBytes: number;
  /** Whether any certificate is accepted. */
  readonly insecure?: boolean;
  /** Whether connections are kept for the next request, where that shows in no answer; each has its own by default. */
  readonly reuse?: boolean;
}

/** Pieces of one answer that are kept: each takes far more memory than the byte it may bring. */
const maxPieces = 1 << 18;

/**
 * Bytes a second below which a body is a trickle, if no line ends, no blank piece comes (both keep connections alive), and it is
 * not encoded.
 */
const trickleRate = 2;

/** Smallest piece of an encoded body that is no trickle: its lines are not seen. */
const minEncodedPiece = 4;

/** Bytes that are kept of an answer that was broken off because it went on and on: nobody can judge it as a whole. */
const excerptBytes = 1 << 20;

export const defaultLimits: SendLimits = { maxIdleMs: 60_000, maxTimeMs: 600_000, maxBodyBytes: 128 << 20 };

export interface Sent {
  /** `response` is null where no head came; `aborted` is set where the body broke off. */
  readonly exchange: Exchange;
  /** Absent where a whole answer came. */
  readonly failure?: Failure;
  /** How often it was sent, where more than once: what came before was "later", or a connection that ended. */
  readonly tries?: number;
}

/**
 * The kind of a failure. `unreachable`: no connection could be made at all; `reset`: it ended before an answer began;
 * `timed-out`: nothing more came in time; `unanswered`: the answer broke off, or is not HTTP; `unsendable`: HTTP forbids the
 * request.
 */
export interface Failure {
  readonly kind: "unreachable" | "reset" | "timed-out" | "unanswered" | "unsendable";
  readonly problem: string;
  /** Set where the answer was broken off because it went on beyond a limit. */
  readonly endless?: true;
}

/** Follows an answer while it comes. */
export interface Watch {
  /** Breaks the exchange off when aborted. */
  readonly left: AbortSignal;
  head(head: Pick<WireResponse, "status" | "reason" | "headers">): void;
  piece(bytes: Uint8Array): void;
}

export interface Sender {
  send(origin: string, request: WireRequest, watch?: Watch): Promise<Sent>;
  close(): Promise<void>;
}

/** The problem of an answer that began, and of which no more came in time. */
export const stalled = "the answer stopped in the middle";

/** The behaviour of an answer that never ends within its heads, its chunk headers or its trailers. */
const fed = "went on with interim answers, headers or chunk headers alone";

/**
 * A sender. A request over a reused connection is sent once more over its own if that connection ended before an answer began,
 * or the answer may be about an earlier request. A server that closes idle connections is thus not taken for one that fails.
 * Each request has its own connection from then on.
 */
export function createSender(limits: SendLimits = defaultLimits): Sender {
  const { maxIdleMs, insecure, reuse } = limits;
  const connecting = { timeout: Math.min(maxIdleMs, 10_000), rejectUnauthorized: insecure !== true };
  const connections = createConnections(
    ignoringContinue(throughProxies(buildConnector(connecting), connecting.timeout)),
    reuse === true,
  );
  async function sendOnce(origin: string, request: WireRequest, watch?: Watch): Promise<Sent & { reused: boolean }> {
    let connection: Connection;
    try {
      connection = connections.take(origin);
    } catch (error) {
      const exchange: Exchange = { origin, started: Date.now(), request, response: null, aborted: "upstream" };
      return { exchange, failure: failureOf(error as Error, false), reused: false };
    }
    const { made } = connection;
    const sent = await sendOne(connection, connections, origin, request, limits, watch);
    connections.give(origin, connection);
    return { ...sent, reused: made > 0 && connection.made === made };
  }
  return {
    async send(origin, request, watch) {
      const { reused, ...sent } = await sendOnce(origin, request, watch);
      const { response } = sent.exchange;
      const { kind } = sent.failure ?? {};
      const isDoubtful = response ? maySpeakOfBefore(response) : kind === "reset" || kind === "unanswered";
      if (!reused || !isDoubtful) return sent;
      connections.keepNoMore();
      const { reused: _, ...again } = await sendOnce(origin, request, watch);
      // A server that is gone by then had ended the connection, which may be asked again later.
      return again.failure?.kind === "unreachable" ? sent : again;
    },
    close: () => connections.close(),
  };
}

function sendOne(
  { client, received }: Connection,
  connections: Connections,
  origin: string,
  request: WireRequest,
  limits: SendLimits,
  watch: Watch | undefined,
): Promise<Sent> {
  const started = Date.now();
  const clock = performance.now();
  const elapsed = (): number => Math.round(performance.now() - clock);
  const pieces: Buffer[] = [];
  const chunks: ChunkMark[] = [];
  let size = 0;
  let cut = 0;
  const enough = (limits.maxIdleMs / 1000) * trickleRate;
  let head: Pick<WireResponse, "status" | "reason" | "headers"> | undefined;
  /** Keeps the beginning of an answer that is broken off for its length. */
  function shorten(): void {
    let left = excerptBytes;
    let kept = 0;
    while (kept < pieces.length && pieces[kept]!.length <= left) left -= pieces[kept++]!.length;
    pieces.length = kept;
    chunks.length = kept;
    cut = size - (excerptBytes - left);
  }
  const exchange = (broken: boolean, trailers: WireResponse["trailers"] = []): Exchange => ({
    origin,
    started,
    request,
    response: head
      ? {
          ...head,
          body: Buffer.concat(pieces),
          chunks,
          ...(trailers.length > 0 && { trailers }),
          ...(cut > 0 && { cut }),
          time: elapsed(),
        }
      : null,
    ...(broken && { aborted: "upstream" as const }),
  });
  return new Promise((resolve) => {
    let deadline: NodeJS.Timeout | undefined;
    let idle: NodeJS.Timeout | undefined;
    let unanswered: NodeJS.Timeout | undefined;
    let trickling: NodeJS.Timeout | undefined;
    let isEncoded = false;
    /** Bytes since the body last made progress. */
    let trickled = 0;
    let leave = (): void => {};
    const settle = (sent: Sent): void => {
      watch?.left.removeEventListener("abort", leave);
      clearTimeout(unanswered);
      clearTimeout(deadline);
      clearTimeout(idle);
      clearTimeout(trickling);
      resolve(sent);
    };
    const wait = (controller: Dispatcher.DispatchController): void => {
      clearTimeout(idle);
      const before = received();
      idle = setTimeout(() => giveUp(controller, before), limits.maxIdleMs);
    };
    /** Ends a response that is silent for too long. One that only receives padding ends as a response without end. */
    const giveUp = (controller: Dispatcher.DispatchController, before: number): void => {
      const now = received();
      const end = (): void => {
        const isFed = now !== before && received() !== now;
        const why = head ? stalled : "no answer came in time";
        controller.abort(isFed ? new Endless("timed-out", `it ${fed}`) : new OutOfPatience(why));
      };
      if (now === before) end();
      else idle = setTimeout(end, limits.maxIdleMs / 4);
    };
    const fail = (error: Error): void => settle({ exchange: exchange(true), failure: failureOf(error, !!head) });
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        deadline = setTimeout(
          () =>
            controller.abort(
              new Endless("timed-out", `it was still going on after ${limits.maxTimeMs / 1000} seconds`),
            ),
          limits.maxTimeMs,
        );
        wait(controller);
        if (connections.kept) unanswered = setTimeout(() => connections.keepNoMore(), maxUnanswered);
        leave = () => controller.abort(new Error("the client left"));
        if (watch?.left.aborted) leave();
        else watch?.left.addEventListener("abort", leave, { once: true });
      },
      onResponseStart(controller, status, _headers, reason) {
        if (status < 200) return;
        const { rawHeaders } = controller as { rawHeaders?: readonly (Buffer | string)[] | null };
        const headers = pairsOf((rawHeaders ?? []).map((text) => text.toString("latin1" as never)));
        clearTimeout(unanswered);
        head = { status, ...(reason ? { reason } : {}), headers };
        watch?.head(head);
        wait(controller);
        const coding = headerValue(headers, "content-encoding")?.trim().toLowerCase();
        isEncoded = coding !== undefined && coding !== "" && coding !== "identity";
        trickling = setTimeout(() => {
          const seconds = limits.maxIdleMs / 1000;
          const problem = `it trickled: ${trickled} bytes in ${seconds} seconds, and no line ended`;
          controller.abort(new Endless("timed-out", problem));
        }, limits.maxIdleMs);
      },
      onResponseData(controller, piece) {
        wait(controller);
        trickled += piece.length;
        if (isEncoded ? piece.length >= minEncodedPiece : trickled >= enough || keepsAlive(piece)) {
          trickled = 0;
          trickling?.refresh();
        }
        size += piece.length;
        pieces.push(piece);
        chunks.push([elapsed(), piece.length]);
        watch?.piece(piece);
        if (cut > 0 || (size <= limits.maxBodyBytes && pieces.length <= maxPieces)) return;
        const what = size > limits.maxBodyBytes ? `${limits.maxBodyBytes} bytes` : `${maxPieces} pieces`;
        shorten();
        controller.abort(new Endless("unanswered", `it went on after ${what}`));
      },
      onResponseEnd(_controller, trailers) {
        const pairs = Object.entries(trailers ?? {}).map(([name, value]) => [name, String(value)] as const);
        settle({ exchange: exchange(false, pairs) });
      },
      onResponseError: (_controller, error) => fail(error),
    };
    try {
      client.dispatch(
        {
          path: request.target,
          method: request.method as Dispatcher.HttpMethod,
          headers: request.headers.flat(),
          body: request.body.length > 0 ? request.body : null,
          ...(!connections.kept && { reset: true }),
        },
        handler,
      );
    } catch (error) {
      fail(error as Error);
    }
  });
}

/** Whether a piece of a body ends a line or consists of blanks. Servers send both while a model thinks. */
const keepsAlive = (piece: Buffer): boolean => piece.includes(0x0a) || piece.every((byte) => byte === 0x20);

class OutOfPatience extends Error {}

/** An answer that goes on beyond a limit. */
class Endless extends Error {
  readonly kind: Failure["kind"];
  constructor(kind: Failure["kind"], problem: string) {
    super(problem);
    this.kind = kind;
  }
}

const noConnection =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_PROXY)$/;

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host name could not be looked up",
  UND_ERR_CONNECT_TIMEOUT: "no connection came about in time",
  UND_ERR_SOCKET: "the connection was closed before the answer was whole",
  ECONNRESET: "the connection was reset",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the body is not as long as Content-Length says",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS; its address may have to begin with http://",
};

/** Connections that end, as opposed to answers that make no sense. */
const ended = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;

function failureOf(error: Error, headCame: boolean): Failure {
  if (error instanceof OutOfPatience) return { kind: "timed-out", problem: error.message };
  if (error instanceof Endless) return { kind: error.kind, problem: error.message, endless: true };
  // Several addresses of one host fail as one error that holds the others.
  const { code = "" } =
    "errors" in error && Array.isArray(error.errors) ? (error.errors[0] ?? error) : (error as never);
  const message = error.message.replace(/\s+/g, " ").trim();
  const problem =
    words[code] ??
    (error.name !== "HTTPParserError"
      ? message
      : headCame
        ? "the answer broke off in the middle"
        : `the answer is not HTTP (${message})`);
  const said = code && !problem.includes(code) ? `${problem} (${code})` : problem;
  if (code === "UND_ERR_INVALID_ARG") return { kind: "unsendable", problem: said };
  if (headCame) return { kind: "unanswered", problem: said };
  return { kind: noConnection.test(code) ? "unreachable" : ended.test(code) ? "reset" : "unanswered", problem: said };
}

/** `base` and a path as one; where the base ends as the path begins (`/v1`), that step stands once. */
export function joinUrl(base: string, target: string): { origin: string; target: string } {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/+$/, "");
  const last = prefix.slice(prefix.lastIndexOf("/"));
  const doubled = prefix !== "" && (target === last || target.startsWith(`${last}/`));
  return { origin, target: (doubled ? prefix.slice(0, -last.length) : prefix) + target };
}
