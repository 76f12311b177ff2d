/** A small implementation of the four interfaces, read from the documents anew, with switches for what is wrong at others. */
import type { Catalogue } from "../../check/catalogue.ts";
import { type Finding, lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { utf8Text } from "../../wire/bytes.ts";
import type { Exchange, WireRequest, WireResponse } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import { type Listening, listen, type Reply } from "../../wire/listen.ts";
import { type FormPart, parseForm } from "../../wire/multipart.ts";
import { type Answer, type IncomingRequest, isJson, type Json, response, whole } from "./answer.ts";
import { chat } from "./chat.ts";
import type { Fault } from "./fault.ts";
import { generate } from "./generate.ts";
import { images, picture, picturePath } from "./images.ts";
import { messages } from "./messages.ts";

/** The key it takes. */
export const key = "sk-small-server";

const speakers: Readonly<Record<string, (asked: IncomingRequest) => Answer>> = {
  "chat-completions": chat,
  images,
  messages,
  "generate-content": generate,
};

/** The path of each interface, and the models it has there. */
const routes: readonly (readonly [name: string, path: RegExp, models: readonly string[]])[] = [
  ["chat-completions", /^\/v1\/chat\/completions$/, ["small-chat"]],
  ["images", /^\/v1\/images\/(generations|edits|variations)$/, ["image-v2", "image-v3", "image-multi"]],
  ["messages", /^\/v1\/messages$/, ["small-messages"]],
  ["generate-content", /^\/v1beta\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/, ["small-generate"]],
];

/** The values of `--model` for it. */
export const models = routes.flatMap(([name, , own]) =>
  name === "images" ? own.map((kind) => `${kind}=${kind}`) : [`${name}=${own[0]}`],
);

const statusStrings: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
};

/** A refusal in the shape of its interface. */
function refuse(of: string, status: number, message: string): WireResponse {
  if (of === "generate-content")
    return whole(status, {
      error: { code: status, message, status: statusStrings[status] ?? "INVALID_ARGUMENT", details: [] },
    });
  const type = status === 401 ? "authentication_error" : "invalid_request_error";
  if (of === "messages") return whole(status, { type: "error", error: { type, message, code: `status_${status}` } });
  return whole(status, { error: { type, message, param: null, code: null } });
}

function keyIn(of: string, { headers, target }: WireRequest): string | undefined {
  if (of === "generate-content") return new URL(target, "http://small").searchParams.get("key") ?? undefined;
  if (of === "messages") return headerValue(headers, "x-api-key");
  return /^bearer (.+)$/i.exec(headerValue(headers, "authorization") ?? "")?.[1];
}

/** Body and uploads: texts of a form become the members of a body. */
function read({ body, headers }: WireRequest): { readonly body: Json; readonly uploads: readonly FormPart[] } {
  const type = headerValue(headers, "content-type");
  if (type?.startsWith("multipart/")) {
    const form = parseForm(body, type);
    const parts = form.ok ? form.parts : [];
    const texts = parts.filter(({ text }) => text !== undefined).map(({ name, text }) => [name, text]);
    return { body: Object.fromEntries(texts), uploads: parts.filter(({ text }) => text === undefined) };
  }
  try {
    const json: unknown = JSON.parse(utf8Text(body));
    return { body: isJson(json) ? json : {}, uploads: [] };
  } catch {
    return { body: {}, uploads: [] };
  }
}

/** Serves the four interfaces, with one fault or none, until it is closed. */
export async function serveSmall(catalogue: Catalogue, fault?: Fault): Promise<Listening> {
  const names = namesFrom({ credentials: "kept" });
  const memory = new Map<string, unknown>();
  let serial = 0;
  let base = "";

  const faultsIn = (exchange: Exchange): Finding[] =>
    judge(exchange, { source: "", exchange: 0 }, catalogue, {
      names,
      policy: lenient,
      side: "request",
    }).findings.filter(({ level, clause }) => level === "error" && !fault?.lets?.(clause));

  function honest(exchange: Exchange): WireResponse {
    const { request } = exchange;
    const { pathname: path, searchParams: query } = new URL(request.target, "http://small");
    const size = picturePath.exec(path)?.[1];
    if (size) return { status: 200, headers: [["content-type", "image/png"]], body: picture(size) };
    const [of = "", , own = []] = routes.find(([, pattern]) => pattern.test(path)) ?? [];
    const speaker = speakers[of];
    if (!speaker) return refuse(path.startsWith("/v1beta/") ? "generate-content" : "", 404, "There is no such path.");
    if (request.method !== "POST") return refuse(of, 405, "The method has to be POST.");
    if (keyIn(of, request) !== key && !fault?.opens?.(request))
      return refuse(of, 401, "The API key is missing or wrong.");
    const [wrong] = faultsIn(exchange);
    if (wrong) return refuse(of, 400, wrong.message);
    const { body, uploads } = read(request);
    const model = of === "generate-content" ? path.split("/")[3]?.split(":")[0] : body["model"];
    const known = model === undefined ? of === "images" : own.includes(String(model));
    if (!known && !fault?.knowsAll) return refuse(of, 404, `There is no model ${JSON.stringify(model)}.`);
    const reason = fault?.refuses?.(body);
    if (reason) return refuse(of, 400, reason);
    return response(speaker({ exchange, body, path, query, uploads, base, serial: ++serial }));
  }

  const server = await listen((request) => {
    const asked = { request: fault?.hears?.(request) ?? request, response: null };
    const good = { request, response: fault?.answers?.(asked.request, refuse) ?? honest(asked) };
    return replyOf(fault?.spoils?.(good, memory).response ?? good.response, fault?.waits?.(good));
  });
  base = server.url;
  return server;
}

/** A response as it is sent: in the pieces it was made of. */
function replyOf(
  { status, headers, body, chunks }: WireResponse,
  [first, others] = [0, 0] as readonly number[],
): Reply {
  let from = 0;
  const parts = chunks?.map(([, length]) => body.subarray(from, (from += length))) ?? [body];
  return { status, headers, pieces: parts.map((bytes, i) => ({ bytes, after: (i === 0 ? first : others) ?? 0 })) };
}
