/** Gateways as tests need them: one that passes everything on, with the faults that a test asks for. */
import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

export interface RelayFaults {
  /** Changes the body of a request before it is passed on; undefined answers 404 at once. */
  readonly change?: (body: string, path: string) => string | undefined;
  /** Answers everything with success by itself. */
  readonly answers?: string;
  /** Holds answers back until they are whole. */
  readonly buffers?: boolean;
  /** Reads on at the upstream although its client has left. */
  readonly staysOn?: boolean;
  /** Whether a request is left without an answer. */
  readonly stalls?: (body: string) => boolean;
  /** Whether a request's connection is broken off. */
  readonly breaks?: (body: string) => boolean;
  /** Swaps the answers of requests whose body matches, two at a time. */
  readonly mixes?: RegExp;
}

export interface Relay {
  readonly url: string;
  close(): Promise<void>;
}

async function readText(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("latin1");
}

/** Has a gateway listen on a free port of this machine. */
export async function listening(server: Server): Promise<Relay> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Arguments of `touchstone gateway` for an upstream on a port of its own choice, which `namedUpstream` reads. */
export const upstreamByHeader = ["--upstream", "127.0.0.1:0", "--header", "x-upstream: {upstream}"];

/** URL of the upstream, from the request header that `upstreamByHeader` adds. */
export const namedUpstream = (request: IncomingMessage): string => String(request.headers["x-upstream"]);

/** Forwards requests. @param upstream returns the upstream's URL for a request */
export async function openRelay(
  upstream: (request: IncomingMessage) => string,
  faults: RelayFaults = {},
): Promise<Relay> {
  let waiting: { readonly own: ServerResponse; readonly take: (other: ServerResponse) => void } | undefined;
  /** Two clients that ask get each other's answers. */
  function swapped(own: ServerResponse): Promise<ServerResponse> {
    const first = waiting;
    waiting = undefined;
    if (!first) return new Promise((take) => void (waiting = { own, take }));
    first.take(own);
    return Promise.resolve(first.own);
  }
  const server = createServer(async (incoming, outgoing) => {
    const text = await readText(incoming);
    if (faults.stalls?.(text)) return;
    if (faults.breaks?.(text)) return void outgoing.socket?.destroy();
    if (faults.answers !== undefined) return void outgoing.writeHead(200).end(faults.answers);
    const changed = faults.change ? faults.change(text, incoming.url!) : text;
    if (changed === undefined) return void outgoing.writeHead(404).end("{}");
    const { host: _, "content-length": __, ...headers } = incoming.headers;
    const body = Buffer.from(changed, "latin1");
    const { hostname, port } = new URL(upstream(incoming));
    const options: RequestOptions = {
      ...{ hostname, port, path: incoming.url!, method: incoming.method! },
      headers: { ...headers, "content-length": body.length },
      agent: false,
    };
    const to = faults.mixes?.test(text) ? await swapped(outgoing) : outgoing;
    const asked = request(options, async (answer) => {
      answer.on("error", () => to.destroy());
      if (faults.buffers) {
        const whole = await readText(answer).catch(() => undefined);
        if (whole === undefined) return void to.destroy();
        to.writeHead(answer.statusCode!, answer.headers).end(Buffer.from(whole, "latin1"));
        return;
      }
      to.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(to);
    });
    asked.on("error", () => to.destroy());
    if (!faults.staysOn) outgoing.on("close", () => outgoing.writableFinished || asked.destroy());
    asked.end(body);
  });
  return listening(server);
}
