/** Images of the small server: every picture is of one colour. */
import { encode } from "fast-png";
import { type Answer, type IncomingRequest, type Json, now } from "./answer.ts";
import { tokensOf } from "./model.ts";

const drawn = new Map<string, Uint8Array>();

/** A picture of a size such as `256x256`. */
export function picture(size: string): Uint8Array {
  const [width = 1024, height = 1024] = size.split("x").map(Number);
  const known = drawn.get(size);
  if (known) return known;
  const made = encode({ width, height, channels: 1, data: new Uint8Array(width * height).fill(90) });
  drawn.set(size, made);
  return made;
}

export const picturePath = /^\/pictures\/(\d{3,4}x\d{3,4})\.png$/;

/** Without a model, an edit that asks for what image-multi alone offers is one of image-multi. */
function isMulti({ body, path, uploads }: IncomingRequest): boolean {
  if (body["model"] !== undefined) return body["model"] === "image-multi";
  const asks =
    /^(?:high|medium|low)$/.test(String(body["quality"])) || /^(?:auto|1536|1024x1536)/.test(String(body["size"]));
  const shows = uploads.filter(({ name }) => name !== "mask");
  const brings = shows.length > 1 || shows.some(({ bytes }) => bytes[0] !== 0x89);
  return path.endsWith("/edits") && (asks || brings);
}

export function images(asked: IncomingRequest): Answer {
  const { body, base, uploads } = asked;
  const multi = isMulti(asked);
  const wanted = String(body["size"] ?? "");
  const size = /^\d+x\d+$/.test(wanted) ? wanted : "1024x1024";
  const count = Number(body["n"] ?? 1);
  const prompt = String(body["prompt"] ?? "");
  const image: Json =
    body["response_format"] === "b64_json"
      ? { b64_json: Buffer.from(picture(size)).toString("base64") }
      : { url: `${base}/pictures/${size}.png` };
  const input = { text_tokens: tokensOf(prompt).length, image_tokens: uploads.length * 10 };
  const input_tokens = input.text_tokens + input.image_tokens;
  const output_tokens = count * 100;
  return {
    body: {
      created: now(),
      data: Array.from({ length: count }, () => image),
      ...(multi && {
        usage: {
          total_tokens: input_tokens + output_tokens,
          input_tokens,
          output_tokens,
          input_tokens_details: input,
        },
      }),
    },
  };
}
