/** Image requests and replies the document allows, written down from its text. */

import type { FormField, FormUpload } from "../../wire/build.ts";
import { encodePng } from "../../wire/png.ts";
import { smallJpeg, smallWebp } from "../../wire/sample-files.ts";
import type { Chance } from "./chance.ts";
import { among, base64, integer, list, type Make, type Members, object, oneOf, orNull, text } from "./shape.ts";

/** Longest prompt of each kind, in characters. */
const maxPromptLength = { "image-v2": 1000, "image-v3": 4000, "image-multi": 32_000 } as const;
type Kind = keyof typeof maxPromptLength;
const smallSizes = ["256x256", "512x512", "1024x1024"];
const multiSizes = ["1024x1024", "1536x1024", "1024x1536", "auto"];

/** Mostly short, sometimes as long as may be and then all astral. */
const promptFor =
  (kind: Kind): Make =>
  (chance) =>
    chance.once(12) ? "\u{1F600}".repeat(maxPromptLength[kind] - chance.below(2)) : text(1, 60)(chance);

interface PictureRequest {
  readonly kind: Kind;
  /** The model's name; undefined leaves it out. */
  readonly model: string | undefined;
}

function modelFor(chance: Chance, kinds: readonly Kind[]): PictureRequest {
  const kind = chance.pick(kinds);
  return { kind, model: kind === "image-v2" && chance.once(2) ? undefined : kind };
}

/** The body of POST /v1/images/generations. */
export function generationRequest(chance: Chance): Members {
  const { kind, model } = modelFor(chance, ["image-v2", "image-v3", "image-multi"]);
  if (chance.once(15))
    return object(
      { prompt: text(1), model: among("my-model") },
      { quality: text(1), size: text(1) },
    )(chance) as Members;
  const isV3 = kind === "image-v3";
  const sizes = isV3 ? ["1024x1024", "1792x1024", "1024x1792"] : kind === "image-v2" ? smallSizes : multiSizes;
  return object(
    { prompt: promptFor(kind), model: () => model },
    {
      n: orNull(isV3 ? among(1) : integer(1, 10)),
      // Its default written out warns; what image-multi takes here is not said.
      ...(kind === "image-v2" && { quality: among("standard") }),
      ...(kind === "image-multi" && { quality: among("high", "medium", "low", "auto") }),
      ...(isV3 && { quality: among("standard", "hd"), style: orNull(among("vivid", "natural")) }),
      response_format: orNull(among("url", "b64_json")),
      size: orNull(among(...sizes)),
      user: text(),
    },
  )(chance) as Members;
}

function png(width: number, height: number, alpha: boolean): FormUpload {
  const channels = alpha ? 4 : 3;
  const data = new Uint8Array(width * height * channels);
  return { filename: "a.png", contentType: "image/png", bytes: encodePng({ width, height, channels, data }) };
}

const webp = Buffer.from(smallWebp, "base64");
const jpeg = Buffer.from(smallJpeg, "base64");
/** Names and media types follow the bytes, as sent by careful clients; some send neither. */
const uploads: readonly FormUpload[] = [
  { filename: "b.webp", contentType: "image/webp", bytes: webp },
  { filename: "c.jpg", contentType: "image/jpeg", bytes: jpeg },
  { filename: "d.JPEG", bytes: jpeg },
  // The bytes decide; a name or type that contradicts them warns.
  { filename: "e.png", contentType: "image/webp", bytes: jpeg },
  { filename: "blob", contentType: "application/octet-stream", bytes: webp },
];

/** Members of a form as its fields: a number in decimal, absent ones left out. */
function fieldsOf(members: unknown): FormField[] {
  return Object.entries(members as Members)
    .filter(([name, value]) => name !== "" && value !== null && typeof value !== "object")
    .map(([name, value]): FormField => [name, String(value)]);
}

/** The fields of POST /v1/images/edits. */
export function editForm(chance: Chance): FormField[] {
  const { kind, model } = modelFor(chance, ["image-v2", "image-multi"]);
  const side = 1 + chance.below(6);
  const multi = kind === "image-multi";
  const masked = chance.once(2);
  const first = multi ? png(side, 1 + chance.below(6), chance.once(2)) : png(side, side, !masked || chance.once(2));
  const height = multi ? Buffer.from(first.bytes).readUInt32BE(20) : side;
  const others = multi ? (list(among(...uploads, png(2, 3, true)), 0, 3)(chance) as FormUpload[]) : [];
  const repeated = chance.once(12) ? "image" : "image[]";
  const name = others.length > 0 || (multi && chance.once(2)) ? repeated : "image";
  const members = object(
    { prompt: promptFor(kind), model: () => model },
    {
      n: oneOf(integer(1, 10), among("null")),
      quality: multi ? among("high", "medium", "low", "auto") : among("standard", "auto"),
      response_format: among("url", "b64_json"),
      size: among(...(multi ? multiSizes : smallSizes)),
      user: text(),
    },
  )(chance);
  const images = [first, ...others].map((file): FormField => [name, file]);
  const mask: FormField[] = masked ? [["mask", { ...png(side, height, true), filename: "mask.png" }]] : [];
  return [...images, ...chance.shuffled([...mask, ...fieldsOf(members)])];
}

/** The fields of POST /v1/images/variations. */
export function variationForm(chance: Chance): FormField[] {
  const { kind, model } = modelFor(chance, ["image-v2", "image-v2", "image-v3", "image-multi"]);
  const side = 1 + chance.below(6);
  const isV3 = kind === "image-v3";
  const members = object(
    { model: () => model },
    {
      n: isV3 ? among(1) : integer(1, 10),
      response_format: among("url", "b64_json"),
      size: among(...(isV3 ? ["1024x1024", "1792x1024", "1024x1792"] : smallSizes)),
      user: text(),
    },
  )(chance);
  return chance.shuffled([["image", png(side, side, chance.once(2))] as FormField, ...fieldsOf(members)]);
}

const usage = object({
  total_tokens: among(10),
  input_tokens: among(4),
  output_tokens: among(6),
  input_tokens_details: object({ text_tokens: among(1), image_tokens: among(3) }),
});

/** The image response to fields or members that were asked for. */
export function imageReply(asked: Members, chance: Chance): unknown {
  const form = asked["response_format"] ?? "url";
  const count = Number(asked["n"] ?? 1) || 1;
  const picture = object(
    form === "url"
      ? { url: among("https://images.example/1.png?until=60", "http://127.0.0.1:9/a") }
      : { b64_json: pictureText(asked) },
    { revised_prompt: text(), ...(chance.once(15) && form === "url" && { b64_json: base64 }) },
  );
  return object({
    created: integer(0, 2_000_000_000),
    // Fewer than asked for warn.
    data: list(picture, chance.once(20) ? 1 : count, count),
    ...(asked["model"] === "image-multi" && !chance.once(15) && { usage }),
  })(chance);
}

/** A picture in the size asked for, where that is small; bytes of no known format otherwise. */
const pictureText =
  (asked: Members): Make =>
  (chance) =>
    asked["size"] === "256x256" ? Buffer.from(png(256, 256, false).bytes).toString("base64") : oneOf(base64)(chance);
