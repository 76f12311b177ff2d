/**
 * The forward proxy of a recorder: hosts of interest are opened, which takes a certificate that the client trusts, and everything
 * else is tunnelled untouched and unseen.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import { type HostAndPort, hostAndPort, originAt } from "../wire/authority.ts";
import { answer, carriers, describeError, type LocalReply } from "./answer.ts";
import { join } from "./tunnel.ts";
import { answerOn } from "./websocket.ts";

/** What is opened, and how. */
export interface Interception {
  /** Whether the traffic with a host is opened; in lower case, an IPv6 address without brackets. */
  readonly opens: (host: string) => boolean;
  /** `USER:PASSWORD`, which clients have to send: other users of this machine reach the same address. */
  readonly credentials: string;
  /** Whose certificates they are opened with. */
  readonly authority: {
    /** The file that clients have to trust. */
    readonly path: string;
    /** When its certificates end. */
    readonly end: Date;
    /** What a server needs that speaks as the host. */
    contextFor(host: string): Promise<SecureContext>;
  };
}

export interface ForwardProxyOptions extends Interception {
  /** Opens a connection to a host that is not opened; rejects where there is none. */
  readonly connect: (to: HostAndPort) => Promise<Socket>;
  /** Whether an address is our own by name; `connect` has to refuse those that lead to us all the same. */
  readonly isOwn: (at: HostAndPort) => boolean;
  /** Milliseconds that a connection may stay half open without a byte. */
  readonly halfOpenFor: number;
  /** Milliseconds in which a connection has to begin: with a request, or with an agreement on TLS. */
  readonly silentFor: number;
  /** Takes a connection that speaks HTTP from here on, and says where all its requests go. */
  readonly serve: (connection: Socket, origin: string) => void;
  readonly onProblem: (problem: string) => void;
}

export interface ForwardProxy {
  /** The response to a client that does not send the credentials; undefined if it does. */
  refusalOf(req: IncomingMessage): LocalReply | undefined;
  /** Answers a CONNECT. */
  connect(req: IncomingMessage, socket: Socket, head: Buffer): void;
  /** A connection that this proxy has opened asks for something: its client trusts us. */
  heard(connection: Socket): void;
  /** Breaks off all connections that no HTTP server knows of. */
  close(): void;
}

/** The first byte of a TLS connection. */
const handshakeRecord = 0x16;

/** Hosts that a problem is told of. */
const maxTold = 20;

/** Hosts that are known to be trusted; where there are more, nobody is said to distrust us. */
const maxTrusting = 10_000;

/** What clients say, or do, that do not trust a certificate. */
const distrust =
  /unknown ca|bad certificate|certificate unknown|unsupported certificate|certificate expired|access denied|handshake failure|ECONNRESET|closed|hang up/i;

const silence = (): void => {};

/** Texts of one length, so that a comparison takes the same time for all. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

export function createForwardProxy(options: ForwardProxyOptions): ForwardProxy {
  const { opens, credentials, authority, connect, isOwn, halfOpenFor, silentFor, serve, onProblem } = options;
  const expected = digest(Buffer.from(credentials).toString("base64"));
  let hasToldOfStrangers = false;
  /** Connections that are tunnelled, or have not said what they speak. */
  const own = new Set<Socket>();
  const told = new Set<string>();
  /** The host of each connection that was opened and has asked for nothing yet. */
  const silent = new WeakMap<Socket, string>();
  const trusting = new Set<string>();

  function keep(socket: Socket): void {
    own.add(socket);
    socket.once("close", () => own.delete(socket));
  }

  function tell(host: string, problem: string): void {
    if (told.has(host) || told.size === maxTold) return;
    told.add(host);
    onProblem(problem);
  }

  const mend = (): string =>
    authority.end.getTime() <= Date.now()
      ? "the certificates of a session end after a day: start it again"
      : `have it trust ${authority.path}, or give it the recorder as its base URL instead of --intercept`;

  /** A client ended its connection before it had asked for anything. */
  function refusedUs(host: string, why: string): void {
    if (!trusting.has(host) && trusting.size < maxTrusting)
      tell(host, `a client does not trust the certificate for ${host} that was made here (${why}): ${mend()}`);
  }

  function failed(host: string, error: NodeJS.ErrnoException): void {
    const said = `${error.code ?? ""} ${error.message}`;
    // What went wrong, without the library's own names around it.
    const why = /(?:alert |routines:\w*:)([\w ]+?)(?: number \d+|:|$)/.exec(error.message)?.[1] ?? describeError(error);
    if (/no.application.protocol/i.test(said))
      tell(host, `a client speaks to ${host} by another protocol than HTTP/1.1, which is all that is recorded`);
    else if (distrust.test(said)) refusedUs(host, why);
    else tell(host, `a client's TLS connection to ${host} failed: ${why}`);
  }

  function refusalOf(req: IncomingMessage): LocalReply | undefined {
    const sent = /^basic +([^ ]+) *$/i.exec(req.headers["proxy-authorization"] ?? "")?.[1] ?? "";
    if (timingSafeEqual(digest(sent), expected)) return undefined;
    if (!hasToldOfStrangers)
      onProblem(
        "a client without the user and password of this session was refused: its proxy has to be the address that the recorder prints or sets",
      );
    hasToldOfStrangers = true;
    return {
      status: 407,
      type: "text/plain; charset=utf-8",
      body: "touchstone: this proxy asks for the user and the password of its session\n",
      fields: ["Proxy-Authenticate", 'Basic realm="touchstone"'],
    };
  }

  /** @param begun ends the wait for the client */
  async function openTls(socket: Socket, at: HostAndPort, begun: () => void): Promise<void> {
    const { host } = at;
    const secureContext = await authority.contextFor(host);
    if (socket.destroyed) return;
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ["http/1.1"] });
    let isSecure = false;
    const fail = (error: Error): void => {
      failed(host, error);
      secure.destroy();
    };
    const leave = (): void => {
      if (!isSecure) fail(new Error("it closed the connection in the handshake"));
      else if (silent.delete(secure)) refusedUs(host, "it closed the connection without a request");
    };
    secure.once("error", fail);
    secure.once("end", leave);
    secure.once("close", leave);
    secure.once("secure", () => {
      isSecure = true;
      secure.off("error", fail).on("error", silence);
      begun();
      own.delete(socket);
      silent.set(secure, host);
      carriers.set(secure, socket);
      serve(secure, originAt("https", at));
    });
  }

  /** Opens a connection, which begins with TLS or with a request. */
  function open(socket: Socket, at: HostAndPort, begun: () => void): void {
    socket.once("data", (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      if (first[0] === handshakeRecord)
        return void openTls(socket, at, begun).catch((error: Error) => socket.destroy(error));
      begun();
      own.delete(socket);
      serve(socket, originAt("http", at));
      socket.resume();
    });
    socket.resume();
  }

  return {
    refusalOf,
    connect(req, socket, head) {
      socket.on("error", silence);
      if (socket.destroyed) return;
      keep(socket);
      const reply = (refusal: LocalReply): void => answer(req, answerOn(req, socket, halfOpenFor), refusal);
      const refuse = (status: number, problem: string): void =>
        reply({ status, type: "text/plain; charset=utf-8", body: `touchstone: ${problem}\n` });
      const refusal = refusalOf(req);
      if (refusal) return reply(refusal);
      const at = hostAndPort(req.url!);
      if (!at) return refuse(400, "the target of CONNECT is not HOST:PORT");
      if (isOwn(at)) return refuse(508, "the target of CONNECT is this recorder itself");
      /** @returns ends the wait for the client */
      const begin = (): (() => void) => {
        const deadline = setTimeout(() => socket.destroy(), silentFor);
        const begun = (): void => clearTimeout(deadline);
        socket.once("close", begun);
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        if (head.length > 0) socket.unshift(head);
        return begun;
      };
      if (opens(at.host)) return open(socket, at, begin());
      connect(at).then(
        (other) => {
          if (socket.destroyed) return void other.destroy();
          keep(other);
          const begun = begin();
          // In some protocols the server speaks first.
          for (const side of [socket, other]) side.once("data", begun);
          join(socket, other, halfOpenFor);
        },
        (error: Error) => refuse(502, `the host cannot be reached: ${describeError(error)}`),
      );
    },
    heard(connection) {
      const host = silent.get(connection);
      if (host === undefined) return;
      silent.delete(connection);
      if (trusting.size < maxTrusting) trusting.add(host);
    },
    close() {
      for (const socket of own) socket.destroy();
    },
  };
}
