/** Rules on a request's parameters that no schema can express. */

import type { Grade } from "../../check/clause.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { isLonger } from "../../wire/characters.ts";
import { editHeader, editJson } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { duplicateKeys } from "../common/json.ts";
import { bodyIsJson, contentTypeIsJson, pathPrefix, requestMethod } from "../common/request.ts";

type Data = Record<string, unknown>;

function fault(pointer: string, expected: string, actual: unknown, reading?: Grade): Fault {
  return { side: "request", in: "body", pointer, expected, actual, ...(reading && { reading }) };
}

/** Only the plain form of an address: what is certainly no opaque identifier. */
const mailAddress = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*\.[A-Za-z]{2,}$/;

function userIdOf(subject: Subject): unknown {
  const { metadata } = subject.requestJson;
  return isObject(metadata) ? metadata["user_id"] : undefined;
}

const userIdOpaque: Rule = {
  clause: "messages.request.user-id-opaque",
  applies: (subject) => typeof userIdOf(subject) === "string",
  *check(subject) {
    const id = userIdOf(subject) as string;
    if (id.length <= 320 && mailAddress.test(id)) yield fault("/metadata/user_id", "an opaque identifier", id);
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: { metadata: Data }) => void (body.metadata["user_id"] = "ada@example.org")),
};

const oneOfTemperatureTopP: Rule = {
  clause: "messages.request.temperature-or-top-p",
  applies: (subject) => {
    const { temperature, top_p } = subject.requestJson;
    return typeof temperature === "number" || typeof top_p === "number";
  },
  *check(subject) {
    const { temperature, top_p } = subject.requestJson;
    // top_p has no default here, so that sending it at all adjusts it.
    if (typeof temperature === "number" && typeof top_p === "number")
      yield fault("/top_p", "either temperature or top_p", top_p, {
        id: "C-ADVICE",
        default: temperature === 1 ? "off" : "note",
        strict: "warning",
      });
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: Data) => void Object.assign(body, { temperature: 0.5, top_p: 0.5 })),
};

function budgetOf(subject: Subject): { budget: number; limit: number } | undefined {
  const { thinking, max_tokens: limit } = subject.requestJson;
  if (!isObject(thinking) || thinking["type"] !== "enabled") return undefined;
  const budget = thinking["budget_tokens"];
  return Number.isInteger(budget) && Number.isInteger(limit) && (limit as number) > 1
    ? { budget: budget as number, limit: limit as number }
    : undefined;
}

const budgetBelowMaxTokens: Rule = {
  clause: "messages.request.budget-below-max-tokens",
  applies: (subject) => budgetOf(subject) !== undefined,
  *check(subject) {
    const found = budgetOf(subject);
    if (found && found.budget >= found.limit)
      yield fault("/thinking/budget_tokens", `less than max_tokens (${found.limit})`, found.budget);
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: Data & { thinking: Data }) => {
      body.thinking["budget_tokens"] = Math.max(2048, Number(body["max_tokens"]));
      body["max_tokens"] = body.thinking["budget_tokens"];
    }),
  within: (exchange) => [
    {
      how: "maximum at /thinking/budget_tokens",
      exchange: editJson(exchange, "request", (body: Data & { thinking: Data }) => {
        body["max_tokens"] = Number(body.thinking["budget_tokens"]) + 1;
      }),
    },
  ],
};

const firstRole: Rule = {
  clause: "messages.request.first-role",
  applies: (subject) => {
    const { messages } = subject.requestJson;
    return Array.isArray(messages) && isObject(messages[0]);
  },
  *check(subject) {
    const first = (subject.requestJson["messages"] as Data[])[0];
    if (first?.["role"] === "assistant")
      yield fault("/messages/0/role", '"user" first', "assistant", {
        id: "M-FIRST-ROLE",
        default: "off",
        strict: "warning",
      });
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: { messages: unknown[] }) => {
      body.messages.unshift({ role: "assistant", content: "How can I help?" });
    }),
};

const version = "partner-version";

const versionRequired: Rule = {
  clause: "messages.request.version-required",
  applies: () => true,
  *check({ request, names, credentialsKept }) {
    if (request.headers[version] !== undefined) return;
    // A recorder that dropped the key may have dropped this header along with it.
    if (!credentialsKept && request.headers["x-api-key"] === undefined)
      return yield { needs: "a recording that keeps the request's headers" };
    yield {
      side: "request",
      in: "headers",
      pointer: `/${version}`,
      expected: "this header to be present",
      actual: undefined,
      ...(names.header(version) !== version && { hint: `here it is called ${names.header(version)}` }),
    };
  },
  spoil: (exchange) => editHeader(exchange, "request", version, undefined),
};

interface Counted {
  readonly text: string;
  readonly limit: number;
  readonly pointer: string;
}

/** Texts with an upper limit. */
function* countedTexts(subject: Subject): Generator<Counted> {
  const { model, tools } = subject.requestJson;
  const userId = userIdOf(subject);
  if (typeof model === "string") yield { text: model, limit: 256, pointer: "/model" };
  if (typeof userId === "string") yield { text: userId, limit: 256, pointer: "/metadata/user_id" };
  if (!Array.isArray(tools)) return;
  for (const [i, tool] of tools.entries())
    if (isObject(tool) && typeof tool["name"] === "string" && (tool["type"] ?? "custom") === "custom")
      yield { text: tool["name"], limit: 64, pointer: `/tools/${i}/name` };
}

/** Reading X-CHARS: only code points count; what exceeds the limit in other units alone is worth a note. */
const lengthUnits: Rule = {
  clause: "messages.request.length-units",
  applies: (subject) => !countedTexts(subject).next().done,
  *check(subject) {
    for (const { text, limit, pointer } of countedTexts(subject)) {
      if (isLonger(text, limit)) continue;
      if (text.length > limit)
        yield fault(pointer, `at most ${limit} UTF-16 units`, text.length, {
          id: "X-CHARS",
          default: "note",
          strict: "error",
        });
      else if (Buffer.byteLength(text) > limit)
        yield fault(pointer, `at most ${limit} bytes`, Buffer.byteLength(text), {
          id: "X-CHARS",
          default: "note",
          strict: "note",
        });
    }
  },
  spoil: (exchange) => editJson(exchange, "request", (body: Data) => void (body["model"] = "\u{1F600}".repeat(200))),
};

export const requestRules: readonly Rule[] = [
  requestMethod("messages.request.method"),
  pathPrefix("messages.request.path", "/v1"),
  contentTypeIsJson("messages.request.content-type-json"),
  versionRequired,
  bodyIsJson("messages.request.body-json"),
  duplicateKeys("messages.request.duplicate-keys", "request"),
  userIdOpaque,
  oneOfTemperatureTopP,
  budgetBelowMaxTokens,
  firstRole,
  lengthUnits,
];
