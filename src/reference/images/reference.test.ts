/** Holds the reference of images: its replies are conformant, its pictures real, its refusals justified. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Catalogue } from "../../check/catalogue.ts";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { examples } from "../../interfaces/images/examples/index.ts";
import {
  edit,
  file,
  generation,
  jpeg,
  opaque,
  transparent,
  variation,
  webp,
} from "../../interfaces/images/examples/parts.ts";
import type { FormField } from "../../wire/build.ts";
import { editHeader } from "../../wire/edit.ts";
import type { Exchange, WireRequest } from "../../wire/exchange.ts";
import { imageFacts } from "../../wire/image.ts";
import { encodePng, pixelReader } from "../../wire/png.ts";
import { createReference } from "../reference.ts";

let catalogue: Catalogue;
let serve: ReturnType<typeof createReference>;
beforeAll(async () => {
  catalogue = await openCatalogue();
  serve = createReference(catalogue, () => "http://127.0.0.1:9");
});

interface Body {
  data: { url?: string; b64_json?: string; revised_prompt?: string }[];
  usage?: { total_tokens: number };
  error: { message: string; param: string | null };
}

function ask(request: WireRequest): { status: number; type: string | undefined; bytes: Buffer; body: Body } {
  const reply = serve(request);
  const bytes = Buffer.concat(reply.pieces.map((piece) => piece.bytes));
  const type = reply.headers.find(([name]) => name === "Content-Type")?.[1];
  return { status: reply.status, type, bytes, body: type === "application/json" ? JSON.parse(bytes.toString()) : {} };
}

const of = (exchange: Exchange) => ask(exchange.request);
const picture = (url: string | undefined) =>
  ask({ method: "GET", target: new URL(url ?? "").pathname, headers: [], body: Buffer.alloc(0) });
const prompt: FormField = ["prompt", "A lighthouse"];
const inBase64: FormField = ["response_format", "b64_json"];

/** Red, green and blue in the middle of one of eight by eight cells. */
function cell(bytes: Uint8Array, column: number, row: number): number[] {
  const { width = 0, height = 0 } = imageFacts(bytes);
  const pixelAt = pixelReader(bytes)!;
  return pixelAt(Math.floor(((column + 0.5) * width) / 8), Math.floor(((row + 0.5) * height) / 8)).slice(0, 3);
}

/** Every cell has a grey of its own. */
const patchwork = (alpha: (column: number) => number) =>
  file(
    encodePng({
      width: 8,
      height: 8,
      channels: 2,
      data: Uint8Array.from({ length: 128 }, (_, i) => (i % 2 === 0 ? i : alpha((i >> 1) % 8))),
    }),
  );

describe("the reference of images", () => {
  test.each(examples.map(({ name }, i) => [name, i] as const))("answers without findings: %s", (_name, i) => {
    const { request } = examples[i]!.exchange;
    const reply = serve(request);
    const body = Buffer.concat(reply.pieces.map(({ bytes }) => bytes));
    const exchange = { request, response: { status: reply.status, headers: reply.headers, body } };
    const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, {
      names: namesFrom(),
      policy: lenient,
      side: "response",
    });
    expect(findings).toEqual([]);
    const isFaulty = judge(exchange, { source: "", exchange: 0 }, catalogue, {
      names: namesFrom(),
      policy: lenient,
    }).findings.some(({ level }) => level === "error");
    expect(reply.status >= 400).toBe(isFaulty);
  });

  test("serves the address it hands out, as a PNG of the size asked for", () => {
    const { body } = of(generation({ prompt: "x", size: "512x512", n: 2 }));
    const first = picture(body.data[0]?.url);
    expect(first).toMatchObject({ status: 200, type: "image/png" });
    expect(imageFacts(first.bytes)).toMatchObject({ format: "png", width: 512, height: 512 });
    expect(picture(body.data[1]?.url).bytes.equals(first.bytes)).toBe(false);
  });

  test("draws the same picture for address and base64, at every asking", () => {
    const url = of(generation({ prompt: "x", size: "256x256" })).body.data[0]?.url;
    const base64 = of(generation({ prompt: "x", size: "256x256", response_format: "b64_json" })).body.data[0]?.b64_json;
    expect(picture(url).bytes.toString("base64")).toBe(base64);
  });

  test.each(["/images/0x8/AAAA.png", "/images/9999x9999/AAAA.png", "/images/8x8/AAAA.png", "/images/8x8/..%2f.png"])(
    "knows no picture at %s",
    (target) => {
      expect(ask({ method: "GET", target, headers: [], body: Buffer.alloc(0) }).status).toBe(404);
    },
  );

  test("an edit keeps what the mask covers and repaints what it leaves transparent", () => {
    const image = patchwork(() => 255);
    const mask = patchwork((column) => (column < 4 ? 0 : 255));
    const { body } = of(edit([["image", image], ["mask", mask], prompt, inBase64]));
    const made = Buffer.from(body.data[0]?.b64_json ?? "", "base64");
    for (const row of [0, 3, 7]) {
      const grey = 2 * (row * 8 + 6);
      expect(cell(made, 6, row)).toEqual([grey, grey, grey]);
      const painted = cell(made, 1, row);
      expect(painted).not.toEqual(Array(3).fill(2 * (row * 8 + 1)));
    }
  });

  test("an edit without mask repaints where the image itself is transparent", () => {
    const { body } = of(edit([["image", patchwork((column) => (column === 0 ? 0 : 255))], prompt, inBase64]));
    const made = Buffer.from(body.data[0]?.b64_json ?? "", "base64");
    expect(cell(made, 5, 2)).toEqual([42, 42, 42]);
    expect(cell(made, 0, 2)).not.toEqual([32, 32, 32]);
  });

  test("further images and the prompt change what is painted", () => {
    const answer = (...fields: FormField[]) =>
      of(edit([["model", "image-multi"], ["image[]", opaque], prompt, ...fields])).body.data[0]?.url;
    const all = [answer(), answer(["image[]", webp]), answer(["image[]", jpeg])];
    expect(new Set(all).size).toBe(3);
  });

  test("a variation mirrors its image, and no two are alike", () => {
    const { body } = of(variation([["image", patchwork(() => 255)], ["n", "3"], inBase64]));
    const made = body.data.map(({ b64_json }) => Buffer.from(b64_json ?? "", "base64"));
    expect(cell(made[0]!, 7, 0)).toEqual([16, 16, 16]);
    expect(cell(made[0]!, 0, 0)).toEqual([30, 30, 30]);
    expect(new Set(made.map((bytes) => bytes.toString("base64"))).size).toBe(3);
  });

  test("only image-multi reports usage", () => {
    expect(of(generation({ prompt: "a b c", model: "image-multi" })).body.usage).toMatchObject({ input_tokens: 3 });
    expect(of(generation({ prompt: "a b c", model: "image-v3" })).body.usage).toBeUndefined();
  });

  test("image-v3 and [[revise]] bring a revised prompt", () => {
    expect(of(generation({ prompt: "x", model: "image-v3" })).body.data[0]?.revised_prompt).toMatch(/^x, /);
    expect(of(generation({ prompt: "x [[revise]]" })).body.data[0]?.revised_prompt).toBeDefined();
    expect(of(generation({ prompt: "x" })).body.data[0]?.revised_prompt).toBeUndefined();
  });

  test.each([
    ["no key", editHeader(generation({ prompt: "x" }), "request", "Authorization", undefined), 401, null],
    ["a wrong key", editHeader(generation({ prompt: "x" }), "request", "Authorization", "Bearer wrong-key"), 401, null],
    ["an unknown model", generation({ prompt: "x", model: "unknown-1" }), 404, "model"],
    ["too many images", generation({ prompt: "x", n: 11 }), 400, "n"],
    ["no transparency", edit([["image", opaque], prompt]), 400, "image"],
    ["a mask of another size", edit([["image", patchwork(() => 9)], ["mask", transparent], prompt]), 400, "mask"],
    ["a forbidden prompt", generation({ prompt: "[[policy]]" }), 400, null],
    [
      "a failure asked for",
      variation([
        ["image", opaque],
        ["user", "[[fail:503]]"],
      ]),
      503,
      null,
    ],
  ])("refuses %s", (_about, exchange, status, param) => {
    const { body, ...reply } = of(exchange);
    expect(reply.status).toBe(status);
    expect(body.error).toMatchObject({ param, message: expect.stringMatching(/./) });
  });
});
