/** Rules on successful replies that several interfaces share; each takes the clause it decides and returns a fresh rule. */

import { type Grade, strictOnly, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { utf8 } from "../../wire/build.ts";
import { editBody, editHeader, editJson, editStatus } from "../../wire/edit.ts";
import { notUtf8 } from "./json.ts";

const isHeaderless = (response: Subject["response"]): boolean =>
  response === null || Object.keys(response.headers).length === 0;

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
          // Official clients read JSON without a type as text. Recordings of others may hold no headers at all.
          reading: { ...warns("X-CT-RESPONSE"), ...(isHeaderless(response) && { default: "off" }) },
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
    spoil: (exchange) => editBody(exchange, "response", utf8("{broken")),
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
