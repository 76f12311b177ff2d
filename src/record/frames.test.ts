/** A tape carried over as bytes says what it said before. */
import { expect, test } from "vitest";
import { collect, type Tape } from "../proxy/observer.ts";
import type { Exchange } from "../wire/exchange.ts";
import { createBacklog } from "./backlog.ts";
import { type FrameSink, frameWriter } from "./frames.ts";

/** Two exchanges that overlap, one of them large, one left open. */
function play(tape: Tape): void {
  tape.open(1, { started: 5, method: "POST", target: "/a?b", headers: ["X", "caf\xe9", "x", "2"], origin: "http://h" });
  tape.open(4_000_000_000, { started: 6, method: "GET", target: "/", headers: [] });
  tape.requestBytes(1, Buffer.from("up"));
  tape.responseHead(4_000_000_000, 200, "", ["A", "b"]);
  tape.responseBytes(4_000_000_000, Buffer.alloc(100_000, 7), 12.34);
  tape.responseHead(1, 500, "N\0o", ["N", "1"]);
  tape.responseBytes(1, Buffer.from([0xff, 0]), 0.5);
  tape.responseBytes(1, Buffer.from("x"), 70_000.25);
  tape.close(1, { time: 70_001, trailers: ["T", "1"], requestCut: 3, responseCut: 4 });
  tape.open(3, { started: 7, method: "GET", target: "/open", headers: [] });
  tape.close(4_000_000_000, { time: 13, aborted: "upstream" });
}

function exchangesOf(feed: (tape: Tape) => void): Exchange[] {
  const exchanges: Exchange[] = [];
  const tape = collect((exchange) => exchanges.push(structuredClone(exchange)));
  feed(tape);
  tape.flush();
  return exchanges;
}

/** Plays whole frames. */
function playBytes(to: Tape, bytes: Uint8Array): void {
  const backlog = createBacklog(to);
  backlog.add(bytes);
  backlog.play();
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
  const writer = frameWriter(sinkOf((bytes) => written.push(Buffer.from(bytes)), true));
  play(writer);
  writer.pending?.();
  const bytes = Buffer.concat(written);
  const through = exchangesOf((tape) => {
    const backlog = createBacklog(tape);
    for (let at = 0; at < bytes.length; at += size) {
      backlog.add(bytes.subarray(at, at + size));
      if (at % 3 === 0) backlog.play();
    }
    backlog.play();
  });
  expect(through.map(shown)).toEqual(exchangesOf(play).map(shown));
  expect(through).toHaveLength(3);
  expect(through[2]).toMatchObject({ request: { target: "/open" }, response: null, aborted: "client" });
});

test("what waits is written at once when a client is about to see of it", () => {
  const written: Uint8Array[] = [];
  const tape = frameWriter(sinkOf((bytes) => written.push(bytes), false));
  tape.open(1, { started: 5, method: "GET", target: "/", headers: [] });
  tape.close(1, { time: 1, aborted: "client" });
  expect(written).toHaveLength(0);
  tape.pending?.();
  expect(written).toHaveLength(1);
  const exchanges = exchangesOf((to) => playBytes(to, Buffer.concat(written)));
  expect(exchanges).toHaveLength(1);
});

test("what waits is written by itself, a little later", async () => {
  const tape = await new Promise<Uint8Array>((resolve) => {
    frameWriter(sinkOf(resolve, true)).open(1, { started: 5, method: "GET", target: "/", headers: [] });
  });
  expect(exchangesOf((to) => playBytes(to, tape))).toHaveLength(1);
});

test("uploads are handed on in time, however much of them no client sees", () => {
  let written = 0;
  const tape = frameWriter(sinkOf((bytes) => (written += bytes.length), false));
  tape.open(1, { started: 5, method: "POST", target: "/", headers: [] });
  const piece = Buffer.alloc(1 << 16);
  for (let i = 1; i <= 100; i++) {
    tape.requestBytes(1, piece);
    expect(written).toBeGreaterThan((i - 1) * piece.length);
  }
});

test.each([
  ["is left alone while it waits", false, ["/a", "/b"]],
  ["is used again once it is handed on", true, ["/b", "/b"]],
])("the memory of frames %s", (_, empty, expected) => {
  const written: Uint8Array[] = [];
  const tape = frameWriter(sinkOf((bytes) => written.push(bytes), empty));
  for (const target of ["/a", "/b"]) {
    tape.open(1, { started: 5, method: "GET", target, headers: [] });
    tape.close(1, { time: 1 });
    tape.pending?.();
  }
  const targets = written.map((bytes) => exchangesOf((to) => playBytes(to, bytes))[0]!.request.target);
  expect(targets).toEqual(expected);
});

test("what an exchange's chunks cost is bounded, however small they are", () => {
  const [exchange] = exchangesOf((tape) => {
    tape.open(1, { started: 5, method: "GET", target: "/", headers: [] });
    tape.responseHead(1, 200, "OK", []);
    const byte = Buffer.from("x");
    for (let i = 0; i < 1_000_010; i++) tape.responseBytes(1, byte, i);
  });
  const { chunks, body } = exchange!.response!;
  expect(body.length).toBe(1_000_010);
  expect(chunks).toHaveLength(1_000_000);
  expect(chunks!.reduce((sum, [, length]) => sum + length, 0)).toBe(body.length);
});
