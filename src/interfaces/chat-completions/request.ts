/** Rules on the body of a chat request, its method and its path. */

import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { isLonger } from "../../wire/characters.ts";
import { editJson } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { pointer } from "../../wire/pointer.ts";
import { duplicateKeys } from "../common/json.ts";
import { bodyIsJson, contentTypeIsJson, pathPrefix, requestMethod } from "../common/request.ts";
import { deprecatedMember, type Editable } from "./reading/deprecated.ts";
import { partsOf, textsOf } from "./reading/messages.ts";
import { rules as models } from "./request/reasoning-models.ts";

const utf8Length = (text: string): number => Buffer.byteLength(text, "utf8");

/** Metadata within its limits in code points, though not in every other unit (reading X-CHARS). */
const metadataUnit: Rule = {
  clause: "chat-completions.request.metadata-length-unit",
  applies: (subject) => isObject(subject.requestJson["metadata"]),
  *check(subject) {
    const metadata = subject.requestJson["metadata"] as Readonly<Record<string, unknown>>;
    for (const [key, value] of Object.entries(metadata))
      for (const [text, limit] of [
        [key, 64],
        [value, 512],
      ] as const) {
        // If it is beyond the limit in code points too, the length clauses fail.
        if (typeof text !== "string" || utf8Length(text) <= limit || isLonger(text, limit)) continue;
        yield {
          side: "request",
          in: "body",
          pointer: pointer("metadata", key),
          expected: `at most ${limit} characters whatever they are counted in`,
          actual: text,
          hint: `${text.length} UTF-16 units, ${utf8Length(text)} bytes`,
          reading: { id: "X-CHARS", default: "note", strict: text.length > limit ? "error" : "note" },
        };
      }
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: Editable) => void (body["metadata"] = { note: "\u{1F600}".repeat(300) })),
};

/** The document names two combinations only; others are made of known items all the same (reading C-MODALITIES). */
const modalitiesCombination: Rule = {
  clause: "chat-completions.request.modalities-combination",
  applies: (subject) => isModalities(subject.requestJson["modalities"]),
  *check(subject) {
    const asked = subject.requestJson["modalities"];
    if (!isModalities(asked)) return;
    const list = asked.join();
    if (list === "text" || list === "text,audio") return;
    yield {
      side: "request",
      in: "body",
      pointer: "/modalities",
      expected: '["text"] or ["text","audio"]',
      actual: asked,
      reading: {
        id: "C-MODALITIES",
        default: asked.length > 0 && !asked.includes("text") ? "warning" : "off",
        strict: "error",
      },
    };
  },
  spoil: (exchange) =>
    editJson(
      exchange,
      "request",
      (body: Editable) => void Object.assign(body, { modalities: ["audio"], audio: { format: "mp3", voice: "echo" } }),
    ),
};

function isModalities(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => item === "text" || item === "audio");
}

/** Sampling members as numbers; undefined for those absent, null or ill-typed. */
function sampling(subject: Subject): { temperature: number | undefined; topP: number | undefined } {
  const { temperature, top_p: topP } = subject.requestJson;
  return {
    temperature: typeof temperature === "number" ? temperature : undefined,
    topP: typeof topP === "number" ? topP : undefined,
  };
}

const temperatureOrTopP: Rule = {
  clause: "chat-completions.request.temperature-or-top-p",
  applies(subject) {
    const { temperature, topP } = sampling(subject);
    return temperature !== undefined || topP !== undefined;
  },
  *check(subject) {
    const { temperature, topP } = sampling(subject);
    if (temperature === undefined || topP === undefined) return;
    yield {
      side: "request",
      in: "body",
      pointer: "/top_p",
      expected: "temperature or top_p, not both",
      actual: topP,
      reading: { id: "C-ADVICE", default: temperature !== 1 && topP !== 1 ? "note" : "off", strict: "warning" },
    };
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: Editable) => void Object.assign(body, { temperature: 0.5, top_p: 0.5 })),
};

const oneTokenBound: Rule = {
  clause: "chat-completions.request.one-token-bound",
  applies: (subject) => typeof subject.requestJson["max_completion_tokens"] === "number",
  *check(subject) {
    const { max_tokens: actual } = subject.requestJson;
    if (typeof actual === "number")
      yield {
        side: "request",
        in: "body",
        pointer: "/max_tokens",
        expected: "nothing beside max_completion_tokens",
        actual,
        reading: { id: "C-BOTH-MAX", default: "warning", strict: "warning" },
      };
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: Editable) => void (body["max_tokens"] = body["max_completion_tokens"])),
  alsoBreaks: ["chat-completions.request.max-tokens-models"],
};

/** Other parts than text may hold the instruction where no checker can read it. */
const jsonModeInstruction: Rule = {
  clause: "chat-completions.request.json-mode-instruction",
  applies(subject) {
    const format = subject.requestJson["response_format"];
    return isObject(format) && format["type"] === "json_object" && textsOf(subject).length > 0;
  },
  *check(subject) {
    if (partsOf(subject).some(({ type }) => type !== "text")) return;
    if (textsOf(subject).some((text) => /json/i.test(text))) return;
    yield {
      side: "request",
      in: "body",
      pointer: "/messages",
      expected: "a message that asks for JSON",
      actual: textsOf(subject).at(-1),
      reading: { id: "C-JSON-MODE", default: "warning", strict: "warning" },
    };
  },
  spoil: (exchange) =>
    editJson(
      exchange,
      "request",
      (body: Editable) => void (body["messages"] = [{ role: "user", content: "Name three colours." }]),
    ),
};

/** A member that another must allow by being true; what is no boolean there is another clause's fault. */
function onlyBeside(clause: string, member: string, fits: (value: unknown) => boolean, switched: string): Rule {
  return {
    clause: `chat-completions.request.${clause}`,
    applies: (subject) => {
      const { [member]: value, [switched]: by } = subject.requestJson;
      return fits(value) && (by === undefined || by === null || typeof by === "boolean");
    },
    *check(subject) {
      const by = subject.requestJson[switched];
      if (by !== true)
        yield {
          side: "request",
          in: "body",
          pointer: pointer(member),
          expected: `${switched} true beside it`,
          actual: inWords(by === undefined ? `no ${switched}` : `${switched} ${JSON.stringify(by)}`),
        };
    },
    // The reply was to the request as it stood.
    spoil: (exchange) => {
      const changed = editJson(exchange, "request", (body: Editable) => void delete body[switched]);
      return changed && { ...changed, response: null };
    },
  };
}

export const rules: readonly Rule[] = [
  requestMethod("chat-completions.request.method"),
  pathPrefix("chat-completions.request.path-version", "/v1"),
  contentTypeIsJson("chat-completions.request.content-type"),
  bodyIsJson("chat-completions.request.body-json"),
  duplicateKeys("chat-completions.request.duplicate-keys", "request"),
  metadataUnit,
  modalitiesCombination,
  temperatureOrTopP,
  oneTokenBound,
  jsonModeInstruction,
  onlyBeside("top-logprobs-needs-logprobs", "top_logprobs", Number.isInteger, "logprobs"),
  onlyBeside("stream-options-needs-stream", "stream_options", isObject, "stream"),
  deprecatedMember("chat-completions.request.max-tokens-deprecated", "max_tokens", "max_completion_tokens", (body) => {
    body["max_tokens"] = body["max_completion_tokens"] ?? 16;
    delete body["max_completion_tokens"];
  }),
  ...models,
];
