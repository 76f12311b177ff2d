/** Serves the page of a recording session on the loopback address, to whoever was told its token. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { bundleOf } from "../bundle.ts";
import { iconLink } from "../icon.ts";
import type { Judging } from "../interfaces/judging.ts";
import type { Session } from "../record/session.ts";
import { UserError } from "../user-error.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import { boundConnections } from "./connections.ts";
import { maxStall } from "./event-stream.ts";
import { createGuard } from "./guard.ts";
import { type LiveSession, openLiveSession } from "./live-session.ts";
import type { Refused } from "./protocol.ts";
import { createReader } from "./reader.ts";
import { type LiveOptions, requestsOf } from "./requests.ts";
import type { Resend } from "./resend.ts";

export interface Live {
  /** The page's address, token included. */
  readonly url: string;
  /** Tells of an exchange that was judged; does nothing but count where no page is open. */
  exchange(exchange: ListedExchange): void;
  close(): Promise<void>;
}

/** Milliseconds for which what pages see is kept when the last one has closed, as one that is loaded again does. */
const linger = 15_000;

/** Connections that may listen at once: each page has one, and one more for a stream it watches. */
const maxListening = 16;

/** Requests of one connection that wait for their answers: browsers send the next when they have read the one before. */
const maxUnanswered = 8;

/** Bytes of what a page asks for. */
const maxAsked = 256 << 10;

/** Paths that are asked with a body. */
const posted: ReadonlySet<string> = new Set(["/send", "/search", "/save", "/cassette"]);

/** Nothing is loaded from elsewhere, framed, kept, or handed to other origins. */
const headers: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const pageOf = (token: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>touchstone record</title>
${iconLink}
<link rel="stylesheet" href="/live.css?token=${token}">
</head>
<body>
<div id="page"><noscript>This page shows a recording session by a script of its own; nothing is loaded from elsewhere.</noscript></div>
<script src="/live.js?token=${token}"></script>
</body>
</html>
`;

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(req.headers["content-type"] ?? ""))
    throw new UserError("the body is not application/json", "Use the page.");
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of req as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxAsked) throw new UserError("that is too much to ask at once", "Choose fewer exchanges.");
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw new UserError("the body is no JSON", "Use the page.");
  }
}

/** Opens the page of a session. Nothing of it but the server runs until somebody opens it. */
export async function openLive(
  session: Pick<Session, "url" | "out" | "look" | "lag">,
  judging: Judging,
  options: LiveOptions,
): Promise<Live> {
  const { documents, bindings, policy } = judging;
  const reader = createReader({ out: session.out, documents, bindings, policy });
  let again: Promise<Resend> | undefined;
  // Loaded with the first request that is sent again: where undici is loaded, every request of the recorder costs a quarter more.
  const againNow = (): Promise<Resend> =>
    (again ??= import("./resend.ts").then(({ createResend }) => createResend({ ...options, bindings })));
  const token = randomBytes(24).toString("base64url");
  let judged = 0;
  let hub: LiveSession | undefined;
  let closing: NodeJS.Timeout | undefined;

  function hubNow(): LiveSession {
    clearTimeout(closing);
    closing = undefined;
    return (hub ??= openLiveSession(session, judging, options, reader, judged));
  }
  const requests = requestsOf(session, options, reader, againNow, () => hub);

  const unanswered = new WeakMap<Socket, number>();
  const server = http.createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (req, res) => {
    res.on("error", () => res.destroy());
    // A request that ended has no socket any more.
    const { socket } = req;
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    if (waiting > maxUnanswered) return void socket.destroy();
    unanswered.set(socket, waiting);
    res.on("close", () => unanswered.set(socket, unanswered.get(socket)! - 1));
    void answer(req, res).catch((error: unknown) => refuse(res, error));
  });
  const connections = boundConnections(server);
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const guard = createGuard(port, token);

  function send(res: ServerResponse, status: number, type: string, body: string): void {
    if (res.headersSent || res.destroyed) return void res.destroy();
    // A client that reads nothing of it is given up.
    res.setTimeout(maxStall, () => res.destroy());
    res.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(body);
  }
  function refuse(res: ServerResponse, error: unknown): void {
    const isTheirs = error instanceof UserError;
    const refused: Refused = isTheirs
      ? { problem: error.message, remedy: error.remedy }
      : { problem: "internal failure", remedy: "touchstone check reads the cassette as well." };
    send(res, isTheirs ? 200 : 500, "application/json", JSON.stringify(refused));
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    const refusal = guard.refusalOf(req);
    if (refusal !== undefined) return send(res, 403, "text/plain", `touchstone: ${refusal}\n`);
    if (!connections.admit(req.socket)) return send(res, 503, "text/plain", "touchstone: too many pages are open\n");
    const { pathname } = new URL(req.url!, `http://127.0.0.1:${port}`);
    const isPost = posted.has(pathname);
    if (isPost ? req.method !== "POST" : req.method !== "GET" && req.method !== "HEAD") {
      res.setHeader("allow", isPost ? "POST" : "GET, HEAD");
      return send(res, 405, "text/plain", "touchstone: this method does nothing here\n");
    }
    if (isPost) return send(res, 200, "application/json", await requests.post(pathname, await bodyOf(req)));
    if (pathname === "/") return send(res, 200, "text/html", pageOf(token));
    if (pathname === "/live.js") return send(res, 200, "text/javascript", bundleOf("live").script);
    if (pathname === "/live.css") return send(res, 200, "text/css", bundleOf("live").style);
    if (pathname === "/session") return send(res, 200, "application/json", JSON.stringify(requests.session()));
    const [, part, number] = /^\/(exchange|flight)\/(\d{1,10})$/.exec(pathname) ?? [];
    if (part === "exchange") return send(res, 200, "application/json", await requests.detail(Number(number)));
    if (pathname !== "/events" && part !== "flight")
      return send(res, 404, "text/plain", "touchstone: there is nothing here\n");
    if (req.method === "HEAD") return send(res, 200, "text/event-stream", "");
    listen(req, res, part === "flight" ? Number(number) : undefined);
  }

  let listening = 0;
  function listen(req: IncomingMessage, res: ServerResponse, flight: number | undefined): void {
    if (listening === maxListening) {
      send(res, 503, "text/plain", "touchstone: too many pages are open\n");
      return;
    }
    listening++;
    res.on("close", () => {
      listening--;
      if (listening > 0) return;
      closing = setTimeout(() => {
        hub?.close();
        hub = undefined;
      }, linger).unref();
    });
    const now = hubNow();
    if (flight !== undefined) requests.watch(now, flight, res);
    else now.feed.subscribe(res, req.headers["last-event-id"] as string | undefined);
  }

  return {
    url: `http://127.0.0.1:${port}/?token=${token}`,
    exchange(exchange) {
      judged = exchange.exchange + 1;
      hub?.add(exchange);
    },
    async close() {
      clearTimeout(closing);
      hub?.close();
      await Promise.all([reader.close(), again?.then((one) => one.close())]);
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
