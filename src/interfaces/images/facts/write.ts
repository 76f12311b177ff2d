/** Writes what image requests ask and image replies say. */
import { type FormField, formRequest, jsonRequest } from "../../../wire/build.ts";
import type { WireRequest } from "../../../wire/exchange.ts";
import type { AnswerFacts, ErrorFacts, RequestFacts, UsageFacts } from "../../common/facts/model.ts";
import {
  type StreamDecoder,
  type StreamEncoder,
  statusOf,
  type Written,
  type WrittenError,
  writeSettings,
} from "../../common/facts/write.ts";

type Json = Record<string, unknown>;

/** The request, without a key: a form where files are sent. */
export function writeRequest(facts: RequestFacts): WireRequest {
  const { operation = "generations", files, model } = facts;
  const body: Json = { ...(model !== undefined && { model }) };
  writeSettings(body, "images", facts);
  const target = `/v1/images/${operation}`;
  if (operation === "generations") return jsonRequest(target, [], body);
  const uploads = Object.entries(files ?? {}).flatMap(([name, list]) =>
    list.map(({ name: filename, mediaType, bytes }): FormField => {
      const field = name === "image" && list.length > 1 ? "image[]" : name;
      return [field, { filename, ...(mediaType !== undefined && { contentType: mediaType }), bytes }];
    }),
  );
  const texts = Object.entries(body).map(([name, value]): FormField => [name, String(value)]);
  return formRequest(target, [], [...uploads, ...texts]);
}

const usageOf = ({ input = 0, output = 0, total }: UsageFacts): Json => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: total ?? input + output,
  input_tokens_details: { text_tokens: input, image_tokens: 0 },
});

/** A reply. */
export const writeAnswer = ({ pictures = [], usage }: AnswerFacts, { created }: Written): Json => ({
  created,
  data: pictures.map(({ data, url, revised }) => ({
    ...(data !== undefined && { b64_json: data }),
    ...(url !== undefined && { url }),
    ...(revised !== undefined && { revised_prompt: revised }),
  })),
  ...(usage && { usage: usageOf(usage) }),
});

/** A failed reply. */
export const writeError = ({ class: kind, message, status }: ErrorFacts): WrittenError => ({
  status: kind === "server" && status !== undefined ? status : statusOf[kind],
  body: { error: { message: message ?? "The upstream failed.", type: kind.replaceAll("-", "_") } },
});

/** The interface has no streams. */
export const createDecoder = (): StreamDecoder => () => [];
export const createEncoder = (): StreamEncoder => () => "";
