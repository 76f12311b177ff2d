/** Failures as each interface writes them: whole bodies, and the event with which a stream reports one. */
import { failures } from "../interfaces/generate-content/errors.ts";
import { sseEvent } from "../wire/build.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import type { Reply } from "../wire/listen.ts";
import { jsonReply } from "./answer.ts";

/** The types of messages by status; all other failures of the client are invalid requests. */
const messageTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "authentication_error",
  429: "rate_limit_error",
};

/** The body of a failure. @param of the name of an interface; one without errors of its own fails as chat completions do */
export function failureBody(of: string | undefined, status: number, message: string): object {
  const isOfServer = status >= 500;
  if (of === "messages") {
    const type = isOfServer ? "server_error" : (messageTypes[status] ?? "invalid_request_error");
    return { type: "error", error: { type, message, code: type.replace(/_error$/, "") } };
  }
  if (of === "generate-content") {
    const known = failures.find(([one]) => one === status)?.[1];
    return { error: { code: status, message, status: known ?? (isOfServer ? "INTERNAL" : "INVALID_ARGUMENT") } };
  }
  const type = isOfServer ? "server_error" : "invalid_request_error";
  return { error: { message, type, param: null, code: null } };
}

/** A failure as a whole reply. */
export function failureReply(of: string, status: number, message: string, headers: HeaderPairs = []): Reply {
  const reply = jsonReply(status, failureBody(of, status, message));
  return { ...reply, headers: [...reply.headers, ...headers] };
}

/** The event with which a stream reports that it fails in the middle, as the services of an interface send it. */
export function failureEvent(of: string, message: string): string {
  if (of === "messages") return sseEvent(failureBody(of, 500, message), "error");
  const event = sseEvent(failureBody(of, of === "generate-content" ? 503 : 500, message));
  return of === "generate-content" ? event.replaceAll("\n", "\r\n") : event;
}
