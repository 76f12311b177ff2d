/** Rules on a request's content blocks. */

import { warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { base64Problem } from "../../wire/base64.ts";
import { editJson } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { imageFacts } from "../../wire/image.ts";
import { isObject } from "../../wire/json.ts";
import { base64Departure } from "../common/base64.ts";
import { bodyFault, conversationOf, type SeenBlock } from "./reading/conversation.ts";

type Data = Record<string, unknown>;

const blocksOf = (subject: Subject): readonly SeenBlock[] => conversationOf(subject).blocks;

const unlisted = new Set<unknown>(["thinking", "redacted_thinking"]);

const noThinkingBlocks: Rule = {
  clause: "messages.content.no-thinking-blocks",
  applies: (subject) => blocksOf(subject).length > 0,
  *check(subject) {
    // Inside tool results the list of types is shorter and decided by shape.
    for (const { type, pointer } of blocksOf(subject))
      if (unlisted.has(type) && pointer.split("/").length === 5)
        yield {
          ...bodyFault(`${pointer}/type`, "a documented type of content block", type),
          reading: warns("M-THINKING-BLOCK"),
        };
  },
  spoil: (exchange) =>
    editJson(exchange, "request", (body: { messages: { content: unknown }[] }) => {
      const message = body.messages.find(({ content }) => Array.isArray(content));
      (message?.content as Data[] | undefined)?.push({ type: "thinking", thinking: "Hm.", signature: "c2ln" });
    }),
};

interface Picture {
  readonly mediaType: unknown;
  readonly data: string;
  readonly pointer: string;
}

/** A key for `remember`: images whose data is base64 at all. */
function pictures(subject: Subject): readonly Picture[] {
  return blocksOf(subject).flatMap(({ type, value, pointer }): Picture[] => {
    const source = value["source"];
    if (type !== "image" || !isObject(source)) return [];
    const { media_type: mediaType, data } = source;
    return typeof data === "string" && base64Problem(data) === undefined
      ? [{ mediaType, data, pointer: `${pointer}/source` }]
      : [];
  });
}

function editImage(exchange: Exchange, change: (source: Data) => void): Exchange {
  return editJson(exchange, "request", (body: { messages: { content: unknown }[] }) => {
    for (const { content } of body.messages)
      for (const block of Array.isArray(content) ? (content as Data[]) : [])
        if (block["type"] === "image") return change(block["source"] as Data);
  });
}

const picturesOf = remember(pictures);

const imageDataCanonical: Rule = {
  clause: "messages.content.image-data-canonical",
  applies: (subject) => picturesOf(subject).length > 0,
  *check(subject) {
    for (const { data, pointer } of picturesOf(subject)) {
      const departure = base64Departure(data);
      if (departure)
        yield { ...bodyFault(`${pointer}/data`, "the standard base64 alphabet with its padding", data), ...departure };
    }
  },
  spoil: (exchange) => editImage(exchange, (source) => void (source["data"] = "iVBORw0KGh==")),
};

const imageDataOfMediaType: Rule = {
  clause: "messages.content.image-data-of-media-type",
  applies: (subject) => picturesOf(subject).length > 0,
  *check(subject) {
    for (const { data, mediaType, pointer } of picturesOf(subject)) {
      // The signature stands within the first bytes; the rest may be large.
      const { format } = imageFacts(Buffer.from(data.slice(0, 64), "base64"));
      if (format !== "unknown" && typeof mediaType === "string" && mediaType !== `image/${format}`)
        yield bodyFault(`${pointer}/media_type`, `"image/${format}", as its data begins`, mediaType);
    }
  },
  spoil: (exchange) =>
    editImage(exchange, (source) => {
      source["media_type"] = source["media_type"] === "image/gif" ? "image/png" : "image/gif";
    }),
};

const modelClass = "third-generation";

/** Reading X-MODEL-CAPS: without a binding nobody knows a model's generation. */
const imageModelGeneration: Rule = {
  clause: "messages.content.image-model-generation",
  applies: (subject) =>
    typeof subject.requestJson["model"] === "string" && blocksOf(subject).some(({ type }) => type === "image"),
  *check(subject) {
    const model = subject.requestJson["model"] as string;
    const known = subject.names.isClass(model, modelClass);
    if (known === true) return;
    if (known === undefined) return yield { needs: `bind models.${modelClass} or not-${modelClass} for "${model}"` };
    const image = blocksOf(subject).find(({ type }) => type === "image");
    yield bodyFault(image?.pointer ?? "", "no image for a model before the third generation", model);
  },
  spoil: (exchange) => editJson(exchange, "request", (body: Data) => void (body["model"] = `not-${modelClass}`)),
};

export const contentRules: readonly Rule[] = [
  noThinkingBlocks,
  imageDataCanonical,
  imageDataOfMediaType,
  imageModelGeneration,
];
