/** Rules of generate-content's `request` section: path, spelling, and what the body as a whole must be. */

import { type Grade, notes, warns } from "../../check/clause.ts";
import type { Operation, Spelling } from "../../check/operation.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { editJson, editStatus, editTarget } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { invalidRequestRefused } from "../common/errors.ts";
import { duplicateKeys } from "../common/json.ts";
import { bodyIsJson, contentTypeIsJson, pathPrefix, requestMethod } from "../common/request.ts";
import { editRequest, type Loose } from "./examples/spoil.ts";
import { namesSpeltTwice } from "./reading/names-spelt-twice.ts";
import { partKinds } from "./reading/part.ts";
import { memberOf, objectsIn } from "./reading/reply.ts";

const id = (name: string): string => `generate-content.request.${name}`;

/** The path from the first `/models` on, or its last two segments where it names something else. */
export function placeOf(verb: string): Operation["at"] {
  const colon = new RegExp(`(?::|%3[Aa])${verb}$`);
  return (path) => {
    const end = path.search(colon);
    if (end < 0) return -1;
    const own = path.slice(0, end);
    const last = own.lastIndexOf("/");
    const two = last > 0 ? own.lastIndexOf("/", last - 1) : last;
    const models = own.search(/\/models(?:\/|$)/);
    const segments = two >= 0 ? two : last;
    return models >= 0 ? Math.min(models, segments) : segments;
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The model in the path in place of `{model}`, unescaped; undefined if the path names no model. */
export function modelOf({ path, operation }: Subject): string | undefined {
  const own = path.slice(operation.at(path));
  const model = own.startsWith("/models") ? /^\/models\/?(.*?)(?::|%3[Aa])[A-Za-z]+$/.exec(own)?.[1] : undefined;
  return model === undefined ? undefined : decoded(model);
}

const modelInPath: Rule = {
  clause: id("model-in-path"),
  applies: () => true,
  *check(subject) {
    const model = modelOf(subject);
    const fault = { side: "request", in: "path", expected: "models/{model}", actual: subject.path } as const;
    if (model === undefined || model === "") yield fault;
    else if (/^models\/[^/]+$/.test(model)) yield { ...fault, hint: "models/ twice", reading: warns("G-PATH") };
    else if (model.includes("/")) yield fault;
  },
  spoil: (exchange) =>
    editTarget(exchange, (target) => target.replace(/\/models\/([^/:?]+)(:[a-zA-Z]+)/, "/models/a/$1$2")),
};

const plain: Spelling = { aliases: [], singles: [] };
const spelling = ({ request: { body } }: Subject): Spelling => (body.kind === "json" && body.spelling) || plain;

const hasBody = ({ request }: Subject): boolean => request.body.kind === "json" && isObject(request.body.value);

const referenceNames: Rule = {
  clause: id("reference-names"),
  applies: hasBody,
  *check(subject) {
    for (const { pointer, name, camel, both } of spelling(subject).aliases)
      if (!both && !namesSpeltTwice.has(name))
        yield {
          side: "request",
          in: "body",
          pointer,
          expected: camel,
          actual: name,
          reading: notes("G-ALIAS"),
        };
  },
  spoil: (exchange) =>
    editRequest(exchange, (body: Loose) => {
      if (!body.generationConfig) return false;
      body.generation_config = body.generationConfig;
      delete body.generationConfig;
    }),
};

const oneSpelling: Rule = {
  clause: id("one-spelling"),
  applies: hasBody,
  *check(subject) {
    for (const { pointer, name, camel, both } of spelling(subject).aliases)
      if (both)
        yield {
          side: "request",
          in: "body",
          pointer,
          expected: `${camel} alone`,
          actual: inWords(`${camel} and ${name}`),
          reading: warns("G-ALIAS"),
        };
  },
  spoil: (exchange) =>
    editRequest(exchange, (body: Loose) => {
      if (!body.generationConfig) return false;
      body.generation_config = body.generationConfig;
    }),
};

/** Single objects where arrays should be, the contents themselves or what stands in them; other shapes are the schema's business. */
function* singles(subject: Subject, ofContents: boolean, reading: Grade): Generator<Fault> {
  for (const pointer of spelling(subject).singles)
    if ((pointer === "/contents") === ofContents)
      yield { side: "request", in: "body", pointer, expected: "an array", actual: inWords("one object"), reading };
}

const contentsSingle: Rule = {
  clause: id("contents-type"),
  applies: (subject) => Array.isArray(subject.requestJson["contents"]),
  check: (subject) => singles(subject, true, notes("G-CONTENTS")),
  spoil: (exchange) => editRequest(exchange, (body: Loose) => void (body.contents = body.contents[0])),
};

/** A single Part where `parts` should be an array; stands here because spelling is read here. */
export const partsSingle: Rule = {
  clause: "generate-content.content.parts-type",
  applies: hasBody,
  check: (subject) => singles(subject, false, warns("G-CONTENTS")),
  spoil: (exchange) => editRequest(exchange, ({ contents }: Loose) => void (contents[0].parts = contents[0].parts[0])),
};

const systemText: Rule = {
  clause: id("system-instruction-text"),
  applies: (subject) => isObject(subject.requestJson["systemInstruction"]),
  *check(subject) {
    for (const { value, position } of objectsIn(memberOf(subject.requestJson, "systemInstruction")["parts"]))
      for (const kind of partKinds)
        if (kind !== "text" && value[kind] !== undefined && value[kind] !== null)
          yield {
            side: "request",
            in: "body",
            pointer: `/systemInstruction/parts/${position}/${kind}`,
            expected: "text alone",
            actual: value[kind],
          };
  },
  spoil: (exchange) =>
    editRequest(exchange, ({ systemInstruction, contents }: Loose) => {
      if (!Array.isArray(systemInstruction?.parts)) return false;
      // A part that the same request has in its place, so that nothing but the place is wrong.
      const [other] = [contents]
        .flat()
        .flatMap((content) => [content?.parts ?? []].flat().filter((part) => part?.inlineData));
      if (!other) return false;
      systemInstruction.parts = [other];
    }),
};

/** The answer of a server that did not notice. */
const accepted = {
  candidates: [{ content: { role: "model", parts: [{ text: "Fine." }] }, finishReason: "STOP" }],
  usageMetadata: { totalTokenCount: 0 },
  modelVersion: "any",
  responseId: "any",
};

const refused = invalidRequestRefused(id("invalid-refused"));

export const requestRules: readonly Rule[] = [
  requestMethod(id("method")),
  pathPrefix(id("version-prefix"), "/v1beta"),
  modelInPath,
  contentTypeIsJson(id("content-type")),
  bodyIsJson(id("body-json")),
  duplicateKeys(id("duplicate-keys"), "request"),
  referenceNames,
  oneSpelling,
  contentsSingle,
  systemText,
  {
    ...refused,
    spoil: (exchange) =>
      editStatus(
        editJson(exchange, "response", () => accepted),
        200,
      ),
    // The section Authentication speaks of requests without a key.
    applies: (subject) =>
      refused.applies(subject) && subject.requestFaults.some((clause) => !clause.startsWith("generate-content.auth.")),
  },
];
