/** Writes answers as bytes: heads, chunks and ends, right or wrong as the case wants them. */
import { STATUS_CODES } from "node:http";
import type { HeaderPairs } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import type { Answer } from "../answer.ts";

/** The actions on the wire, in order. */
export type Step =
  /** `body`: what of it belongs to the body, as it was before it was framed. */
  | { readonly write: Uint8Array; readonly body?: Uint8Array }
  | { readonly wait: number }
  | { readonly forever: Uint8Array; readonly every: number }
  | { readonly end: "keep" | "close" | "reset" | "hold" };

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

/** How the body ends; a body that is told by nothing else is in chunks. */
function framingOf({ framing, headers, toldLength }: Answer): "chunked" | "length" | "close" {
  if (toldLength !== undefined) return "length";
  const isStream = headerValue(headers, "content-type")?.toLowerCase().startsWith("text/event-stream") === true;
  return framing ?? (isStream ? "chunked" : "length");
}

function headOf(answer: Answer, framing: "chunked" | "length" | "close"): Buffer {
  const { status, reason = STATUS_CODES[status] ?? "", headers, headerSeparator = ": ", closes, toldLength } = answer;
  const length = toldLength ?? answer.pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const has = (name: string): boolean => headerValue(headers, name) !== undefined;
  const isBodiless = status === 204 || status === 304;
  const all: HeaderPairs = [
    ...headers,
    ...(has("date") ? [] : [["Date", new Date().toUTCString()] as const]),
    ...(isBodiless || framing === "close"
      ? []
      : framing === "chunked"
        ? [["Transfer-Encoding", "chunked"] as const]
        : [["Content-Length", String(length)] as const]),
    ...(closes ? [["Connection", "close"] as const] : []),
  ];
  // Values may hold UTF-8; names and the rest are ASCII.
  const lines = all.map(([name, value]) => `${name}${headerSeparator}${value}\r\n`).join("");
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${lines}\r\n`, "utf8");
}

function chunk(bytes: Uint8Array, extension = ""): Buffer {
  return Buffer.concat([latin1(`${bytes.length.toString(16)}${extension}\r\n`), bytes, latin1("\r\n")]);
}

const write = (bytes: Uint8Array, body?: Uint8Array): Step => ({ write: bytes, ...(body && { body }) });

/** Steps with each row of writes as one. */
function* joined(steps: Iterable<Step>): Generator<Step> {
  let bytes: Uint8Array[] = [];
  let body: Uint8Array[] = [];
  for (const step of steps) {
    if ("write" in step) {
      bytes.push(step.write);
      if (step.body) body.push(step.body);
      continue;
    }
    if (bytes.length > 0) yield write(Buffer.concat(bytes), Buffer.concat(body));
    bytes = [];
    body = [];
    yield step;
  }
}

/**
 * The steps that send an answer. The last one is always an end.
 * @param old whether the client speaks HTTP/1.0, which knows no chunks
 */
export const stepsOf = (answer: Answer, old = false): Iterable<Step> =>
  answer.isAtOnce ? joined(singleSteps(answer, old)) : singleSteps(answer, old);

function* singleSteps(answer: Answer, old: boolean): Generator<Step> {
  const { pieces, delay, before, headStride, headEnd, endless, end = "whole", closes, trailers, raw } = answer;
  const wanted = framingOf(answer);
  const framing = old && wanted === "chunked" ? "close" : wanted;
  if (delay) yield { wait: delay };
  if (before) yield write(before);
  const head = headOf(answer, framing);
  if (endless?.in === "head") {
    yield write(head.subarray(0, head.length - 2));
    yield { forever: endless.bytes, every: endless.every };
    yield { end: "reset" };
    return;
  }
  const sent = head.subarray(0, headEnd ?? head.length);
  const stride = headStride ?? Math.max(1, sent.length);
  for (let at = 0; at < sent.length; at += stride) {
    if (at > 0) yield { wait: 2 };
    yield write(sent.subarray(at, at + stride));
  }
  if (headEnd === undefined)
    for (const { bytes, after } of pieces) {
      if (after) yield { wait: after };
      if (bytes.length > 0) yield write(framing === "chunked" ? chunk(bytes, answer.chunkExtension) : bytes, bytes);
    }
  if (raw) yield write(raw);
  if (endless) {
    yield { forever: framing === "chunked" ? chunk(endless.bytes) : endless.bytes, every: endless.every };
    yield { end: "reset" };
    return;
  }
  if (end !== "whole") {
    yield { end };
    return;
  }
  if (framing === "chunked") {
    const fields = (trailers ?? []).map(([name, value]) => `${name}: ${value}\r\n`).join("");
    yield write(latin1(`0${answer.chunkExtension ?? ""}\r\n${fields}\r\n`));
  }
  yield { end: closes || framing === "close" || old ? "close" : "keep" };
}
