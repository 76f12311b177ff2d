/** Reads requests from the bytes of a connection: heads, bodies by length or in chunks, one after another. */
import type { WireRequest } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";

/** Bytes of a head, and of a body, that are taken. */
const maxHead = 1 << 18;
const maxBody = 64 << 20;

/** The result of bytes: a request, a request whose client waits for leave to send its body, or bytes that are no HTTP. */
export type ReadRequest =
  | { readonly kind: "request"; readonly request: WireRequest; readonly version: string }
  | { readonly kind: "waits" }
  | { readonly kind: "broken"; readonly problem: string };

interface Head {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly isChunked: boolean;
  readonly length: number;
  hasWaited: boolean;
}

const headEnd = Buffer.from("\r\n\r\n");
const lineEnd = Buffer.from("\r\n");

function headOf(text: string): Head | string {
  const [line = "", ...lines] = text.split("\r\n");
  const [, method, target, version] = /^(\S+) (\S+) (HTTP\/1\.[01])$/.exec(line) ?? [];
  if (method === undefined) return `no request line: ${line.slice(0, 100)}`;
  const headers = lines.map((one) => {
    const at = one.indexOf(":");
    return [one.slice(0, Math.max(0, at)), one.slice(at + 1).trim()] as const;
  });
  const length = Number(headerValue(headers, "content-length") ?? "0");
  if (!Number.isInteger(length) || length < 0 || length > maxBody) return "the length of the body is no number we take";
  const isChunked = /chunked/i.test(headerValue(headers, "transfer-encoding") ?? "");
  return { method, target: target!, version: version!, headers, isChunked, length, hasWaited: false };
}

/** A body in chunks: its bytes, and where it ends; undefined where more has to come, a text where it is none. */
function chunked(bytes: Buffer): { readonly body: Buffer; readonly end: number } | undefined | string {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const to = bytes.indexOf(lineEnd, at);
    if (to < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, to), 16);
    if (!(size >= 0)) return "the size of a chunk is no number";
    const from = to + 2;
    if (size === 0) {
      // Trailers, if any, end with a blank line.
      if (bytes.indexOf(lineEnd, from) === from) return { body: Buffer.concat(parts), end: from + 2 };
      const end = bytes.indexOf(headEnd, from);
      return end < 0 ? undefined : { body: Buffer.concat(parts), end: end + 4 };
    }
    if (bytes.length < from + size + 2) return undefined;
    parts.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
}

/** Takes the bytes of one connection as they come. */
export function createRequestReader() {
  let held: Buffer[] = [];
  let size = 0;
  /** Bytes that have to be there before it makes sense to look again. */
  let wanted = 0;
  let head: Head | undefined;

  const keep = (rest: Buffer): void => {
    held = rest.length > 0 ? [rest] : [];
    size = rest.length;
    wanted = 0;
  };

  const broken = (problem: string): ReadRequest => ({ kind: "broken", problem });

  function next(): ReadRequest | undefined {
    if (size < wanted || size === 0) return undefined;
    const bytes = held.length === 1 ? held[0]! : Buffer.concat(held);
    held = [bytes];
    if (!head) {
      const end = bytes.indexOf(headEnd);
      if (end < 0) return size > maxHead ? broken("the head is too long") : undefined;
      const read = headOf(bytes.toString("latin1", 0, end));
      if (typeof read === "string") return broken(read);
      head = read;
      keep(bytes.subarray(end + 4));
      return next() ?? done() ?? waiting(head);
    }
    if (head.isChunked) {
      const read = chunked(bytes);
      if (typeof read === "string") return broken(read);
      if (read === undefined) return size > 2 * maxBody ? broken("the body is too long") : undefined;
      keep(bytes.subarray(read.end));
      return given(read.body);
    }
    if (size < head.length) {
      wanted = head.length;
      return undefined;
    }
    const body = bytes.subarray(0, head.length);
    keep(bytes.subarray(head.length));
    return given(body);
  }

  /** A request without a body is whole with its head. */
  const done = (): ReadRequest | undefined =>
    head && !head.isChunked && head.length === 0 ? given(Buffer.alloc(0)) : undefined;

  function waiting(of: Head): ReadRequest | undefined {
    if (of.hasWaited || headerValue(of.headers, "expect")?.toLowerCase() !== "100-continue") return undefined;
    of.hasWaited = true;
    return { kind: "waits" };
  }

  function given(body: Buffer): ReadRequest {
    const { method, target, headers, version } = head!;
    head = undefined;
    return { kind: "request", request: { method, target, headers, body }, version };
  }

  return {
    /** Takes the next bytes, and gives what they complete. */
    push(bytes: Buffer): ReadRequest[] {
      held.push(bytes);
      size += bytes.length;
      const found: ReadRequest[] = [];
      for (let one = next(); one; one = next()) {
        found.push(one);
        if (one.kind === "broken") break;
      }
      return found;
    },
  };
}
