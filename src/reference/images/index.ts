/** The embedded reference implementation of images: draws pictures, edits and varies uploads, serves what it links to. */

import type { Answer, IncomingRequest } from "../../check/answer.ts";
import type { Subject } from "../../check/subject.ts";
import { countOf, fieldOf, fieldText, filesOf, isOperation, kindOf } from "../../interfaces/images/reading/fields.ts";
import type { Reply } from "../../wire/listen.ts";
import { pathOf } from "../../wire/target.ts";
import { jsonReply } from "../answer.ts";
import { createdNow, directivesIn, tokensIn } from "../directives.ts";
import { type Cells, cellsFrom, draw, drawFrom, edited, look, picturePath, varied } from "./picture.ts";

function failure(
  status: number,
  type: string,
  code: string | null,
  message: string,
  param: string | null = null,
): Reply {
  return jsonReply(status, { error: { message, type, param, code } });
}

/** Why a request is refused, in the order a caller would mend it; undefined where it is not. */
function refusal({ subject, faults }: IncomingRequest, directives: ReadonlyMap<string, string>): Reply | undefined {
  const authorization = subject?.request.headers["authorization"];
  const key = authorization === undefined ? undefined : /^bearer (\S+)$/i.exec(authorization)?.[1];
  if (!key || key === "wrong-key")
    return failure(401, "invalid_request_error", "invalid_api_key", key ? "The key is not valid." : "A key is needed.");
  const [fault] = faults;
  if (fault?.in === "method") return failure(405, "invalid_request_error", null, fault.message);
  if (fault) {
    const param = fault.pointer.split("/")[1] ?? null;
    return failure(400, "invalid_request_error", null, fault.message, param);
  }
  const model = subject && fieldOf(subject, "model");
  if (typeof model === "string" && model.startsWith("unknown-"))
    return failure(404, "invalid_request_error", "model_not_found", `There is no model ${model}.`, "model");
  if (directives.has("policy"))
    return failure(
      400,
      "invalid_request_error",
      "content_policy_violation",
      "The prompt is against the content policy.",
    );
  const status = Number(directives.get("fail") ?? "0");
  if (status >= 400 && status <= 599) return failure(status, "server_error", null, "The prompt asked for a failure.");
  return undefined;
}

/** Width and height of the pictures: as asked for, 1024 by 1024 otherwise. */
function sizeOf(subject: Subject): [number, number] {
  const [, width, height] = /^(\d{1,4})x(\d{1,4})$/.exec(fieldText(subject, "size") ?? "") ?? [];
  const sides: [number, number] = [Number(width ?? 1024), Number(height ?? 1024)];
  return sides.every((length) => length >= 1 && length <= 2048) ? sides : [1024, 1024];
}

/** The colours of the picture at a position of the reply. */
function painter(subject: Subject, prompt: string): (position: number) => Cells {
  const { images, mask } = filesOf(subject);
  const seed = (position: number): string =>
    [prompt, position, fieldText(subject, "quality"), fieldText(subject, "style")].join("\n");
  if (isOperation(subject, "generations") || !images[0]) return (position) => cellsFrom(seed(position));
  const [first, ...others] = images.map(({ part }) => look(part.bytes));
  const seen = mask && look(mask.part.bytes);
  if (isOperation(subject, "variations")) return (position) => varied(first!, position + 1);
  // Further images lend their colours to what is painted anew.
  const lent = others.map(({ cells }) => Buffer.from(cells).toString("base64")).join("\n");
  return (position) => edited(first!, seen, seed(position) + lent);
}

/** Token counts as image-multi reports them: words of the prompt, 64 for each uploaded image, one for 1024 pixels drawn. */
function usageOf(subject: Subject, prompt: string, count: number, [width, height]: [number, number]): object {
  const text_tokens = tokensIn(prompt).length;
  const image_tokens = 64 * filesOf(subject).images.length;
  const input_tokens = text_tokens + image_tokens;
  const output_tokens = count * Math.ceil((width * height) / 1024);
  return {
    total_tokens: input_tokens + output_tokens,
    input_tokens,
    output_tokens,
    input_tokens_details: { text_tokens, image_tokens },
  };
}

function imageReply(subject: Subject, prompt: string, directives: ReadonlyMap<string, string>, base: string): Reply {
  const [width, height] = sizeOf(subject);
  const count = countOf(subject) ?? 1;
  const paint = painter(subject, prompt);
  const asBase64 = fieldText(subject, "response_format") === "b64_json";
  const isRevised = directives.has("revise") || (isOperation(subject, "generations") && kindOf(subject) === "image-v3");
  const data = Array.from({ length: count }, (_, position) => {
    const cells = paint(position);
    return {
      ...(asBase64
        ? { b64_json: Buffer.from(draw(cells, width, height)).toString("base64") }
        : { url: base + picturePath(cells, width, height) }),
      ...(isRevised && { revised_prompt: `${prompt.trim()}, in eight by eight colours` }),
    };
  });
  const usage = kindOf(subject) === "image-multi" && usageOf(subject, prompt, count, [width, height]);
  return jsonReply(200, { created: createdNow(), data, ...(usage && { usage }) });
}

export const answer: Answer = (asked) => {
  const { subject, request, base } = asked;
  if (!subject) {
    const picture = request.method === "GET" ? drawFrom(pathOf(request.target)) : undefined;
    return picture && { status: 200, headers: [["Content-Type", "image/png"]], pieces: [{ bytes: picture }] };
  }
  const text = fieldOf(subject, "prompt") ?? fieldOf(subject, "user");
  const prompt = typeof text === "string" ? text : "";
  const directives = directivesIn(prompt);
  return refusal(asked, directives) ?? imageReply(subject, prompt, directives, base);
};
