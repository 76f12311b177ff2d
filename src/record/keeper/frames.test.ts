/** An observer hears the same directly and through frames. */
import { expect, test } from "vitest";
import { collectExchanges } from "../../proxy/collector.ts";
import type { ExchangeObserver } from "../../proxy/observer.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { createFrameDecoder } from "./frame-decoder.ts";
import { createFrameEncoder, type FrameSink } from "./frame-encoder.ts";

/** Two exchanges that overlap, one of them large, one left open. */
function tell(observer: ExchangeObserver): void {
  observer.open(1, {
    started: 5,
    method: "POST",
    target: "/a?b",
    headers: ["X", "caf\xe9", "x", "2"],
    origin: "http://h",
  });
  observer.open(4_000_000_000, { started: 6, method: "GET", target: "/", headers: [] });
  observer.requestBytes(1, Buffer.from("up"));
  observer.responseHead(4_000_000_000, 200, "", ["A", "b"]);
  observer.responseBytes(4_000_000_000, Buffer.alloc(100_000, 7), 12.34);
  observer.responseHead(1, 500, "N\0o", ["N", "1"]);
  observer.responseBytes(1, Buffer.from([0xff, 0]), 0.5);
  observer.responseBytes(1, Buffer.from("x"), 70_000.25);
  observer.close(1, { time: 70_001, trailers: ["T", "1"], requestCut: 3, responseCut: 4 });
  observer.open(3, { started: 7, method: "GET", target: "/open", headers: [] });
  observer.close(4_000_000_000, { time: 13, aborted: "upstream" });
}

function exchangesOf(feed: (observer: ExchangeObserver) => void): Exchange[] {
  const exchanges: Exchange[] = [];
  const observer = collectExchanges((exchange) => exchanges.push(structuredClone(exchange)));
  feed(observer);
  observer.endOpen();
  return exchanges;
}

/** Decodes whole frames. */
function decodeBytes(to: ExchangeObserver, bytes: Uint8Array): void {
  const decoder = createFrameDecoder(to);
  decoder.add(bytes);
  decoder.decode();
}

/** A sink that has handed everything on, or nothing. */
const sinkOf = (write: (bytes: Uint8Array) => unknown, empty: boolean): FrameSink => ({
  write,
  cork: () => {},
  uncork: () => {},
  empty: () => empty,
  emptied: async () => {},
});

/** Bodies as text: comparing large ones byte by byte takes seconds. */
const shown = ({ request, response, ...rest }: Exchange): unknown => ({
  ...rest,
  request: { ...request, body: Buffer.from(request.body).toString("latin1") },
  response: response && { ...response, body: Buffer.from(response.body).toString("latin1") },
});

test.each([1, 7, 64_000, 1 << 20])("frames cut into pieces of %d bytes give the same exchanges", (size) => {
  const written: Uint8Array[] = [];
  const writer = createFrameEncoder(sinkOf((bytes) => written.push(Buffer.from(bytes)), true));
  tell(writer);
  writer.flush?.();
  const bytes = Buffer.concat(written);
  const through = exchangesOf((observer) => {
    const decoder = createFrameDecoder(observer);
    for (let at = 0; at < bytes.length; at += size) {
      decoder.add(bytes.subarray(at, at + size));
      if (at % 3 === 0) decoder.decode();
    }
    decoder.decode();
  });
  expect(through.map(shown)).toEqual(exchangesOf(tell).map(shown));
  expect(through).toHaveLength(3);
  expect(through[2]).toMatchObject({ request: { target: "/open" }, response: null, aborted: "client" });
});

test("waiting frames are written at once when a client is about to see of them", () => {
  const written: Uint8Array[] = [];
  const observer = createFrameEncoder(sinkOf((bytes) => written.push(bytes), false));
  observer.open(1, { started: 5, method: "GET", target: "/", headers: [] });
  observer.close(1, { time: 1, aborted: "client" });
  expect(written).toHaveLength(0);
  observer.flush?.();
  expect(written).toHaveLength(1);
  const exchanges = exchangesOf((to) => decodeBytes(to, Buffer.concat(written)));
  expect(exchanges).toHaveLength(1);
});

test("waiting frames are written by themselves, a little later", async () => {
  const observer = await new Promise<Uint8Array>((resolve) => {
    createFrameEncoder(sinkOf(resolve, true)).open(1, { started: 5, method: "GET", target: "/", headers: [] });
  });
  expect(exchangesOf((to) => decodeBytes(to, observer))).toHaveLength(1);
});

test("uploads are handed on in time, however much of them no client sees", () => {
  let written = 0;
  const observer = createFrameEncoder(sinkOf((bytes) => (written += bytes.length), false));
  observer.open(1, { started: 5, method: "POST", target: "/", headers: [] });
  const piece = Buffer.alloc(1 << 16);
  for (let i = 1; i <= 100; i++) {
    observer.requestBytes(1, piece);
    expect(written).toBeGreaterThan((i - 1) * piece.length);
  }
});

test.each([
  ["is left alone while it waits", false, ["/a", "/b"]],
  ["is used again once it is handed on", true, ["/b", "/b"]],
])("the memory of frames %s", (_, empty, expected) => {
  const written: Uint8Array[] = [];
  const observer = createFrameEncoder(sinkOf((bytes) => written.push(bytes), empty));
  for (const target of ["/a", "/b"]) {
    observer.open(1, { started: 5, method: "GET", target, headers: [] });
    observer.close(1, { time: 1 });
    observer.flush?.();
  }
  const targets = written.map((bytes) => exchangesOf((to) => decodeBytes(to, bytes))[0]!.request.target);
  expect(targets).toEqual(expected);
});

test("the cost of an exchange's chunks is bounded, however small they are", () => {
  const [exchange] = exchangesOf((observer) => {
    observer.open(1, { started: 5, method: "GET", target: "/", headers: [] });
    observer.responseHead(1, 200, "OK", []);
    const byte = Buffer.from("x");
    for (let i = 0; i < 1_000_010; i++) observer.responseBytes(1, byte, i);
  });
  const { chunks, body } = exchange!.response!;
  expect(body.length).toBe(1_000_010);
  expect(chunks).toHaveLength(1_000_000);
  expect(chunks!.reduce((sum, [, length]) => sum + length, 0)).toBe(body.length);
});
