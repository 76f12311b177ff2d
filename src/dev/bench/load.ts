/**
 * The benchmarks' upstream and their clients, in a process of their own and on bare sockets, so that little of the measured
 * work is theirs. Orders come from the parent as messages.
 */
import net, { type AddressInfo, type Socket } from "node:net";
import { answers, chunk, eventsOf, type Load, lastChunk, requestFor, streamHead } from "./replies.ts";

export type Order =
  /** As many requests as `connections` kept-alive connections bring through in `milliseconds`, or `count` of them. */
  | { readonly load: Load; readonly port: number; readonly connections: number; readonly milliseconds: number }
  | { readonly load: Load; readonly port: number; readonly connections: number; readonly count: number }
  /** Streams whose events are `gap` milliseconds apart. */
  | { readonly paced: number; readonly port: number; readonly connections: number; readonly gap: number };

export type Report =
  | { readonly port: number }
  /** `requests` ended in time; `all` counts the late ones too. */
  | { readonly requests: number; readonly all: number; readonly milliseconds: number; readonly bytes: number }
  | { readonly firsts: readonly number[]; readonly events: readonly number[] }
  | { readonly failure: string };

let answering: Load | { readonly gap: number } = "short";
/** When each event of a paced stream was written, by the digits of its request. */
const written = new Map<string, number[]>();
const pacedEvents = eventsOf(100).map(chunk);

/** Calls with every whole request that comes over a socket. */
function onRequests(socket: Socket, call: (request: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (;;) {
      const end = rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = rest.toString("latin1", 0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      const chunked = /^transfer-encoding: *chunked/im.test(head);
      const last = chunked ? rest.indexOf("\r\n0\r\n\r\n", end) : end;
      if (last < 0) return;
      const total = chunked ? last + 7 : end + 4 + length;
      if (rest.length < total) return;
      const request = rest.subarray(0, total);
      rest = rest.subarray(total);
      call(request);
    }
  });
}

function pace(socket: Socket, key: string, gap: number): void {
  const times: number[] = [];
  written.set(key, times);
  let at = 0;
  const timer = setInterval(() => {
    times.push(performance.now());
    socket.write((at === 0 ? streamHead : "") + pacedEvents[at]! + (at === pacedEvents.length - 1 ? lastChunk : ""));
    if (++at === pacedEvents.length || socket.destroyed) clearInterval(timer);
  }, gap);
}

const hugeSize = 1 << 30;

/** A stream of 1 GiB, as fast as it is taken. */
async function pour(socket: Socket): Promise<void> {
  const piece = Buffer.from(eventsOf(203).slice(1, 201).map(chunk).join(""));
  socket.write(streamHead);
  for (let sent = 0; sent < hugeSize && !socket.destroyed; sent += piece.length)
    if (!socket.write(piece)) await new Promise<void>((resolve) => void socket.once("drain", resolve));
  socket.write(lastChunk);
}

const keyOf = (request: Buffer): string => /poem (\d{10})/.exec(request.toString("latin1"))?.[1] ?? "";

const upstream = net.createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => {});
  onRequests(socket, (request) => {
    if (typeof answering === "object") pace(socket, keyOf(request), answering.gap);
    else if (answering === "huge") void pour(socket);
    else for (const piece of answers[answering]) socket.write(piece);
  });
});

let count = 0;

/** A connection that asks and reads whole answers, one after the other. */
class Client {
  #socket: Socket | undefined;
  #head: string | undefined;
  #left = 0;
  #tail = "";
  #end = (_: Error | undefined): void => {};
  bytes = 0;
  #port: number;
  #onBytes: ((bytes: Buffer) => void) | undefined;

  constructor(port: number, onBytes?: (bytes: Buffer) => void) {
    this.#port = port;
    this.#onBytes = onBytes;
  }

  /** Sends bytes that hold one request; resolves when its answer is there. */
  ask(request: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#end = (error) => (error ? reject(error) : resolve());
      this.#head = undefined;
      this.#tail = "";
      if (!this.#socket || this.#socket.destroyed) this.#connect();
      this.#socket!.write(request);
    });
  }

  close(): void {
    this.#end = () => {};
    this.#socket?.destroy();
  }

  #connect(): void {
    const socket = net.connect({ port: this.#port, host: "127.0.0.1", noDelay: true });
    this.#socket = socket;
    socket.on("error", (error) => this.#end(error));
    socket.on("close", () => {
      // A peer that delimits by closing.
      if (this.#head !== undefined && this.#left === Number.POSITIVE_INFINITY) this.#done();
      else this.#end(new Error("the connection was closed before the answer was there"));
    });
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
  }

  #done(): void {
    const closes = /^connection: *close/im.test(this.#head ?? "");
    const end = this.#end;
    this.#end = () => {};
    if (closes) this.#socket?.destroy();
    end(undefined);
  }

  #take(bytes: Buffer): void {
    this.bytes += bytes.length;
    this.#onBytes?.(bytes);
    let body = bytes;
    if (this.#head === undefined) {
      // The heads of all contenders come in one piece.
      const end = bytes.indexOf("\r\n\r\n");
      this.#head = bytes.toString("latin1", 0, end);
      if (!this.#head.startsWith("HTTP/1.1 200")) {
        this.#end(new Error(`answered ${this.#head.slice(0, 40)}`));
        return;
      }
      const length = /^content-length: *(\d+)/im.exec(this.#head)?.[1];
      const chunked = /^transfer-encoding: *chunked/im.test(this.#head);
      this.#left = chunked ? -1 : length === undefined ? Number.POSITIVE_INFINITY : Number(length);
      body = bytes.subarray(end + 4);
    }
    if (this.#left >= 0) {
      this.#left -= body.length;
      if (this.#left <= 0) this.#done();
      return;
    }
    this.#tail = (this.#tail + body.toString("latin1", Math.max(0, body.length - 7))).slice(-7);
    if (this.#tail.endsWith("\r\n0\r\n\r\n") || this.#tail === "0\r\n\r\n") this.#done();
  }
}

function numbered({ bytes, digitsAt }: { readonly bytes: Buffer; readonly digitsAt: number }): [Buffer, string] {
  const key = String(++count).padStart(10, "0");
  const one = Buffer.from(bytes);
  one.write(key, digitsAt, "latin1");
  return [one, key];
}

async function run(order: Order): Promise<Report> {
  const { port, connections } = order;
  const host = `127.0.0.1:${port}`;
  if ("paced" in order) {
    answering = { gap: order.gap };
    const request = requestFor("stream", host);
    const firsts: number[] = [];
    const events: number[] = [];
    let begun = 0;
    const one = async (): Promise<void> => {
      let arrived: number[] = [];
      const client = new Client(port, (bytes) => {
        const now = performance.now();
        for (let at = bytes.indexOf("data: "); at >= 0; at = bytes.indexOf("data: ", at + 6)) arrived.push(now);
      });
      while (begun++ < order.paced) {
        arrived = [];
        const [bytes, key] = numbered(request);
        const start = performance.now();
        await client.ask(bytes);
        const times = written.get(key)!;
        written.delete(key);
        // The upstream waits before its first event; that is not the way's time.
        firsts.push(arrived[0]! - start - order.gap);
        events.push(...arrived.slice(1).map((time, i) => time - times[i + 1]!));
      }
      client.close();
    };
    await Promise.all(Array.from({ length: connections }, one));
    return { firsts, events };
  }
  answering = order.load;
  const request = requestFor(order.load, host);
  const start = performance.now();
  const until = "milliseconds" in order ? start + order.milliseconds : Number.POSITIVE_INFINITY;
  let left = "count" in order ? order.count : Number.POSITIVE_INFINITY;
  let all = 0;
  let requests = 0;
  const clients = Array.from({ length: connections }, () => new Client(port));
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0 && performance.now() < until) {
        await client.ask(numbered(request)[0]);
        all++;
        if (performance.now() < until) requests++;
      }
      client.close();
    }),
  );
  const milliseconds = "milliseconds" in order ? order.milliseconds : performance.now() - start;
  return { requests, all, milliseconds, bytes: clients.reduce((sum, { bytes }) => sum + bytes, 0) };
}

const say = (report: Report): void => void process.send?.(report);

upstream.listen(0, "127.0.0.1", () => say({ port: (upstream.address() as AddressInfo).port }));
process.on("message", (order: Order) => {
  run(order).then(say, (error: Error) => say({ failure: error.message }));
});
process.on("disconnect", () => process.exit());
