/** Canaries: secrets for tests, and how they are put into traffic. */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

/** One way a secret passes: what the client sends with it, and how the upstream answers. */
export interface Place {
  readonly name: string;
  readonly method?: string;
  readonly target?: (secret: string) => string;
  readonly headers?: (secret: string) => readonly string[];
  readonly body?: (secret: string) => Uint8Array | string;
  /** Fields behind the request's body. */
  readonly trailers?: (secret: string) => readonly string[];
  readonly reply?: (res: ServerResponse, secret: string) => void | Promise<void>;
  /** The client hangs up when the first bytes have come, and does this before. */
  readonly leaves?: () => unknown;
  /** How the secret begins and goes on, where its shape matters. */
  readonly shape?: (random: string) => string;
}

/** The same on every run, unlike each other, and like no word. */
export function secretOf({ name, shape = (random) => `canary${random}` }: Place): string {
  return shape(createHash("sha256").update(name).digest("base64").replace(/\W/g, "").slice(0, 32));
}

export const json = ["Content-Type", "application/json"];
export const bearer = (secret: string): string[] => ["Authorization", `Bearer ${secret}`];
export const asked = (more: object): string =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...more });
export const escaped = (text: string): string =>
  Array.from(text, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
export const percent = (text: string): string => Array.from(text, (c) => `%${c.charCodeAt(0).toString(16)}`).join("");
const boundary = "frontier";
export const form = (...parts: readonly string[]): string =>
  `${parts.map((part) => `--${boundary}\r\nContent-Disposition: form-data; ${part}\r\n`).join("")}--${boundary}--\r\n`;
export const multipart = ["Content-Type", `multipart/form-data; boundary=${boundary}`];
export const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15));

/** A zstd frame of two blocks, which cut the text in the middle. */
function zstd(text: string): Buffer {
  const bytes = Buffer.from(text);
  const block = (piece: Buffer, last: 0 | 1): Buffer[] => {
    const head = Buffer.alloc(3);
    head.writeUIntLE((piece.length << 3) | last, 0, 3);
    return [head, piece];
  };
  const half = bytes.length >> 1;
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x60, 0, 0]);
  head.writeUInt16LE(bytes.length - 256, 5);
  return Buffer.concat([head, ...block(bytes.subarray(0, half), 0), ...block(bytes.subarray(half), 1)]);
}
export const coders: Readonly<Record<string, (text: string) => Uint8Array>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  "deflate, gzip": (text) => gzipSync(deflateRawSync(text)),
  br: brotliCompressSync,
  zstd,
};

type Reply = NonNullable<Place["reply"]>;
export const replies =
  (body: (secret: string) => Uint8Array | string, headers: (secret: string) => string[] = () => json): Reply =>
  (res, secret) => {
    res.writeHead(401, headers(secret));
    res.end(body(secret));
  };
export const error = (message: string): string =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } });
export const echo: Reply = replies((secret) => error(`Incorrect API key provided: ${secret}.`));

export const sends = (name: string, headers: (secret: string) => string[]): Place => ({
  name: `the header ${name}, echoed in an error`,
  headers,
  reply: echo,
});
export const echoes = (
  name: string,
  body: (secret: string) => Uint8Array | string,
  headers?: () => string[],
): Place => ({
  name,
  headers: bearer,
  reply: replies(body, headers),
});
export const streams = (name: string, events: (secret: string) => readonly string[], target?: string): Place => ({
  name,
  ...(target && { target: () => target }),
  headers: bearer,
  body: () => asked({ stream: true }),
  async reply(res, secret) {
    res.writeHead(200, ["Content-Type", "text/event-stream"]);
    for (const event of events(secret)) res.write(event);
    await later();
    res.end("data: [DONE]\n\n");
  },
});
export const event = (data: object, name?: string): string =>
  `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
export const delta = (more: object, index = 0): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index, delta: more, finish_reason: null }],
});
/** The text as a model streams it, a few characters an event. */
export const tokens = (text: string, size = 3): string[] => text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
