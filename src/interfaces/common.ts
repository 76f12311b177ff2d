/** Rules that several interfaces state alike; each takes the clause it decides and returns a fresh rule. */
import { type Grade, type Side, strictOnly, warns } from "../check/clause.ts";
import type { Fault, Rule } from "../check/rule.ts";
import { isObject } from "../check/subject.ts";
import { inWords } from "../check/words.ts";
import { utf8 } from "../wire/build.ts";
import { editHeader, editJson, editStatus, editTarget } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { mediaType } from "../wire/headers.ts";

export function withResponseBody(exchange: Exchange, body: Uint8Array): Exchange | undefined {
  if (!exchange.response) return undefined;
  const { chunks: _chunks, ...response } = exchange.response;
  return { ...exchange, response: { ...response, body } };
}

/** The operation's method is the documented one. */
export function requestMethod(clause: string): Rule {
  return {
    clause,
    applies: () => true,
    check({ exchange, operation }) {
      const { method } = exchange.request;
      if (method === operation.method) return undefined;
      return [{ side: "request", in: "method", expected: operation.method, actual: method }];
    },
    spoil: (exchange) => ({ ...exchange, request: { ...exchange.request, method: "PUT" } }),
  };
}

/** The operation's path follows the version prefix; another version is an error, none at all may be a base address. */
export function pathPrefix(clause: string, prefix: string): Rule {
  return {
    clause,
    applies: () => true,
    check({ path, operation }) {
      const before = operation.at(path);
      const last = path.slice(path.lastIndexOf("/", before - 1), Math.max(0, before));
      if (last === prefix) return undefined;
      const other = /^\/v\d+(?:[a-z]+\d*)?$/.test(last);
      return [
        {
          side: "request",
          in: "path",
          expected: `${prefix} right before the operation`,
          actual: path,
          ...(!other && { reading: warns("X-BASE-PATH") }),
        },
      ];
    },
    spoil: (exchange) => editTarget(exchange, (target) => target.replace(`${prefix}/`, "/v9/")),
  };
}

/** JSON is UTF-8 by its own standard (reading X-UTF8). */
export const notUtf8 = {
  in: "body",
  expected: "a JSON text in UTF-8",
  actual: inWords("bytes that are not UTF-8"),
  reading: { id: "X-UTF8", default: "error", strict: "error" },
} as const;

/** The request body is JSON. */
export function bodyIsJson(clause: string): Rule {
  return {
    clause,
    applies: ({ request }) => request.body.kind !== "unreadable",
    check({ request: { body } }) {
      if (body.kind === "json") return body.utf8 ? undefined : [{ side: "request", ...notUtf8 }];
      // What is called a form and is none may well be JSON: the Content-Type is at fault.
      if (body.kind === "form" && body.problem) return undefined;
      const actual = inWords(
        body.kind === "text" ? body.problem : body.kind === "empty" ? "an empty body" : "a multipart form",
      );
      return [{ side: "request", in: "body", expected: "a JSON text", actual }];
    },
    spoil: (exchange) => ({ ...exchange, request: { ...exchange.request, body: utf8("{broken") } }),
  };
}

/** The request is sent as `application/json`; parameters such as charset are fine unless X-CT-PARAMS is strict. */
export function contentTypeIsJson(clause: string): Rule {
  return {
    clause,
    applies: () => true,
    check({ request }) {
      const type = request.headers["content-type"];
      if (type === "application/json") return undefined;
      const fault = { side: "request", in: "headers", pointer: "/content-type", expected: "application/json" } as const;
      if (mediaType(type) !== "application/json") return [{ ...fault, actual: type }];
      if (type?.trim().toLowerCase() === "application/json") return undefined;
      return [{ ...fault, actual: type, reading: strictOnly("X-CT-PARAMS") }];
    },
    spoil: (exchange) => editHeader(exchange, "request", "Content-Type", "text/plain"),
  };
}

/** JSON and event streams come under their own media types (reading X-CT-RESPONSE). */
export function replyMediaType(clause: string): Rule {
  const wanted = { json: "application/json", stream: "text/event-stream" } as const;
  return {
    clause,
    applies: ({ response }) => response?.body.kind === "json" || response?.body.kind === "stream",
    check({ response }) {
      const kind = response?.body.kind;
      if (kind !== "json" && kind !== "stream") return undefined;
      const type = response?.mediaType;
      if (type === wanted[kind] || (kind === "json" && type?.endsWith("+json"))) return undefined;
      return [
        {
          side: "response",
          in: "headers",
          pointer: "/content-type",
          expected: wanted[kind],
          actual: type,
          // A reply that says nothing of its type does not come under another one.
          reading: {
            ...warns("X-CT-RESPONSE"),
            ...(response?.headers["content-type"] === undefined && { default: "off" }),
          },
        },
      ];
    },
    spoil: (exchange) => editHeader(exchange, "response", "Content-Type", "text/plain"),
  };
}

/** A successful reply has exactly status 200; only where reading X-STATUS is strict. */
export function successIs200(clause: string): Rule {
  return {
    clause,
    applies: ({ response }) => response?.ok === true,
    check({ response }) {
      if (response?.status === 200) return undefined;
      const reading = strictOnly("X-STATUS");
      return [{ side: "response", in: "status", expected: "200", actual: response?.status, reading }];
    },
    spoil: (exchange) => editStatus(exchange, 202),
  };
}

/** A successful whole reply is JSON. */
export function replyIsJson(clause: string): Rule {
  return {
    clause,
    applies: ({ response, streamed, interrupted }) =>
      response?.ok === true &&
      !streamed &&
      !interrupted &&
      response.body.kind !== "unreadable" &&
      response.body.kind !== "stream",
    check({ response }) {
      const body = response?.body;
      if (!body) return undefined;
      if (body.kind === "json") return body.utf8 ? undefined : [{ side: "response", ...notUtf8 }];
      const actual = inWords(body.kind === "text" ? body.problem : "an empty body");
      return [{ side: "response", in: "body", expected: "a JSON text", actual }];
    },
    spoil: (exchange) => withResponseBody(exchange, utf8("{broken")),
  };
}

/** What tells error bodies and success bodies of an interface apart. */
export interface BodyKinds {
  readonly isError: (body: Readonly<Record<string, unknown>>) => boolean;
  readonly isSuccess: (body: Readonly<Record<string, unknown>>) => boolean;
  /** A body of each kind, for counterexamples. */
  readonly error: unknown;
  readonly success: unknown;
  /** Whether a redirection with an error body fails too, where no other clause says so. */
  readonly redirections?: boolean;
}

/** Status and body agree: no error body with 2xx, no success body with 400 or above (reading X-STATUS). */
export function statusFitsBody(clause: string, kinds: BodyKinds): Rule {
  return {
    clause,
    applies: ({ response }) => response?.body.kind === "json" && isObject(response.body.value),
    check({ response }) {
      if (response?.body.kind !== "json" || !isObject(response.body.value)) return undefined;
      const { value } = response.body;
      const { status: actual } = response;
      const noFailure = kinds.redirections ? actual < 400 : response.ok;
      if (noFailure && kinds.isError(value) && !kinds.isSuccess(value))
        return [{ side: "response", in: "status", expected: "400 or above with an error body", actual }];
      if (actual >= 400 && kinds.isSuccess(value) && !kinds.isError(value))
        return [{ side: "response", in: "status", expected: "200 to 299 with a successful body", actual }];
      return undefined;
    },
    spoil: (exchange) =>
      exchange.response && exchange.response.status >= 400
        ? editJson(exchange, "response", () => kinds.success)
        : editJson(exchange, "response", () => kinds.error),
  };
}

/** What should have been refused was not (reading X-ENFORCE: accepting it warns, apart from any other clause). */
export function notRefused(expected: string, actual: number, hint?: string): Fault {
  return { side: "response", in: "status", expected, actual, ...(hint && { hint }), reading: warns("X-ENFORCE") };
}

/** A request sent broken on purpose is refused (reading X-ENFORCE). */
export function invalidRequestRefused(clause: string): Rule {
  return {
    clause,
    applies: ({ probe, requestFaults, response }) => probe && requestFaults.length > 0 && response !== null,
    *check({ response, requestFaults }) {
      const status = response?.status ?? 0;
      if (status >= 400 && status < 500) return;
      yield notRefused("400 to 499", status, `the request breaks ${requestFaults[0]}`);
    },
    spoil: (exchange) => editStatus(exchange, 200),
  };
}

/** The reply names the model that was asked for; only where reading X-MODEL-ECHO is strict. */
export function modelEcho(clause: string, member: "model" | "modelVersion" = "model"): Rule {
  return {
    clause,
    applies: (subject) =>
      typeof subject.replyJson?.[member] === "string" && typeof subject.requestJson["model"] === "string",
    check(subject) {
      const asked = subject.requestJson["model"];
      const actual = subject.replyJson?.[member];
      if (asked === actual) return undefined;
      const reading: Grade = { id: "X-MODEL-ECHO", default: "off", strict: "warning" };
      return [
        { side: "response", in: "body", pointer: `/${member}`, expected: JSON.stringify(asked), actual, reading },
      ];
    },
    spoil: (exchange) =>
      editJson(exchange, "response", (body: Record<string, unknown>) => void (body[member] = "another-model")),
  };
}

/** No object of a JSON body, or of a stream's events, holds the same member twice (reading X-DUP). */
export function duplicateKeys(clause: string, side: Side): Rule {
  return {
    clause,
    applies(subject) {
      const kind = subject[side]?.body.kind;
      return kind === "json" || kind === "stream";
    },
    check(subject) {
      const body = subject[side]?.body;
      const fault = (place: { readonly in: Fault["in"]; readonly event?: number }, pointer: string): Fault => ({
        side,
        ...place,
        pointer,
        expected: "this member once",
        actual: inWords("the member again"),
        reading: warns("X-DUP"),
      });
      if (body?.kind === "json") return body.lexicalIssues?.duplicates.map((pointer) => fault({ in: "body" }, pointer));
      if (body?.kind !== "stream" || !body.events.some(({ lexicalIssues }) => lexicalIssues)) return undefined;
      return body.events.flatMap(
        ({ lexicalIssues, position: event }) =>
          lexicalIssues?.duplicates.map((pointer) => fault({ in: "stream", event }, pointer)) ?? [],
      );
    },
    spoil(exchange) {
      const message = exchange[side];
      if (!message) return undefined;
      const text = Buffer.from(message.body).toString("utf8");
      const first = /^\s*\{\s*("(?:[^"\\]|\\.)*"\s*:)/.exec(text)?.[1];
      if (!first) return undefined;
      const { chunks: _chunks, ...rest } = message as typeof message & { chunks?: unknown };
      return { ...exchange, [side]: { ...rest, body: utf8(text.replace("{", `{${first}null,`)) } };
    },
  };
}
