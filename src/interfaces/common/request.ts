/** Rules on requests that several interfaces share; each takes the clause it decides and returns a fresh rule. */

import { notes, strictOnly, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { inWords } from "../../check/unquoted.ts";
import { utf8 } from "../../wire/build.ts";
import { editHeader, editTarget } from "../../wire/edit.ts";
import { mediaType } from "../../wire/headers.ts";
import { notUtf8 } from "./json.ts";

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
    check({ path, operation, names, interface: of }) {
      const before = operation.at(path);
      const last = path.slice(path.lastIndexOf("/", before - 1), Math.max(0, before));
      if (last === prefix) return undefined;
      const isKnown = names.alternatives(of).prefixes?.includes(last);
      const other = /^\/v\d+(?:[a-z]+\d*)?$/.test(last);
      return [
        {
          side: "request",
          in: "path",
          expected: `${prefix} right before the operation`,
          actual: path,
          ...(isKnown ? { reading: notes("X-ALTERNATIVES") } : !other && { reading: warns("X-BASE-PATH") }),
        },
      ];
    },
    spoil: (exchange) => editTarget(exchange, (target) => target.replace(`${prefix}/`, "/v9/")),
  };
}

/** The request body is JSON. */
export function bodyIsJson(clause: string): Rule {
  return {
    clause,
    applies: ({ request }) => request.body.kind !== "unreadable",
    check({ request: { body } }) {
      if (body.kind === "json") return body.utf8 ? undefined : [{ side: "request", ...notUtf8 }];
      // A body that is called a form and is none may well be JSON: the Content-Type is at fault.
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
