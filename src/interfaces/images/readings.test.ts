/** Holds every reading of images that the wire decides: what it finds by default, and what its strict option finds. */
import { beforeAll, describe, expect, test } from "vitest";
import { lenient, type Policy } from "../../check/clause.ts";
import { type Catalogue, judge } from "../../check/judge.ts";
import { type Bindings, namesFrom } from "../../check/names.ts";
import { type FormField, jsonResponse, utf8 } from "../../wire/build.ts";
import { editHeader, editJson, editStatus, editTarget } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { encodePng } from "../../wire/png.ts";
import { loadCatalogue } from "../catalogue.ts";
import {
  edit,
  failure,
  file,
  generation,
  jpeg,
  opaque,
  pictures,
  transparent,
  urls,
  usage,
  variation,
  wide,
  wideMask,
} from "./example-parts.ts";
import { paddedPng } from "./small-png.ts";

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await loadCatalogue();
});

/** `level clause` of everything found, notes included. */
function found(exchange: Exchange, policy: Policy = lenient, bindings: Bindings = {}): string[] {
  const { findings } = judge(exchange, { source: "test", exchange: 0 }, catalogue, {
    names: namesFrom(bindings),
    policy,
  });
  return findings.map(({ level, clause }) => `${level} ${clause.replace("images.", "")}`);
}

const strict = (id: string): Policy => ({ strict: new Set([id]), openEnums: false });
const prompt = "A red kite over the sea";
const asked: FormField = ["prompt", prompt];
const v2: FormField = ["model", "image-v2"];
const multi: FormField = ["model", "image-multi"];
/** An alpha channel in which nothing is transparent. */
const veiled = file(encodePng({ width: 1, height: 1, channels: 2, data: Uint8Array.of(128, 255) }));
const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const replyWith = (image: object): Exchange =>
  generation(
    { prompt, size: "256x256", response_format: "b64_json" },
    jsonResponse({ created: 1_735_689_600, data: [image] }),
  );
const padded = (size: number) => ({ ...transparent, bytes: paddedPng(transparent.bytes, size) });

type Case = readonly [reading: string, about: string, make: () => Exchange, byDefault: string[], whenStrict: string[]];

const cases: readonly Case[] = [
  [
    "X-ENFORCE",
    "a bad request that is accepted",
    () => generation({ prompt, n: 11 }),
    ["error generations.n-range", "warning errors.invalid-refused"],
    ["error generations.n-range", "error errors.invalid-refused"],
  ],
  [
    "X-ENFORCE",
    "a bad file that is accepted",
    () => variation([["image", jpeg]]),
    ["error variations.image-format", "warning errors.file-limits"],
    ["error variations.image-format", "error errors.file-limits"],
  ],
  [
    "X-ENFORCE",
    "a request without key that is accepted",
    () => editHeader(generation({ prompt }), "request", "Authorization", undefined),
    ["error auth.authorization-present", "warning auth.missing-key"],
    ["error auth.authorization-present", "error auth.missing-key"],
  ],
  ["X-STATUS", "202", () => editStatus(generation({ prompt }), 202), [], ["error response.status-200"]],
  [
    "X-STATUS",
    "an error under 200",
    () => generation({ prompt }, failure(200, "no")),
    ["error errors.status"],
    ["error errors.status"],
  ],
  [
    "C-ERRORS",
    "an error under 302",
    () => generation({ prompt }, failure(302, "no")),
    ["warning errors.failure-status"],
    ["warning errors.failure-status"],
  ],
  ["C-ERRORS", "an error of any shape", () => generation({ prompt }, jsonResponse({ detail: ["?"] }, 418)), [], []],
  [
    "X-CT-RESPONSE",
    "JSON as text",
    () => editHeader(generation({ prompt }), "response", "Content-Type", "text/plain"),
    ["warning response.media-type"],
    ["error response.media-type"],
  ],
  [
    "X-NULL",
    "null for a string",
    () => generation({ prompt, user: null }),
    ["warning generations.user-type"],
    ["error generations.user-type", "warning errors.invalid-refused"],
  ],
  [
    "X-NULL",
    "null for the prompt",
    () => ({ ...generation({ prompt: null }), response: null }),
    ["error generations.prompt-type"],
    ["error generations.prompt-type"],
  ],
  [
    "X-EXTRA",
    "an unknown field and an unknown member",
    () => generation({ prompt, seed: 4 }, urls(1, { model: "m" })),
    ["warning generations.unknown-members"],
    ["error generations.unknown-members", "warning errors.invalid-refused", "warning response.unknown-members"],
  ],
  [
    "X-CHARS",
    "600 astral characters, 1200 UTF-16 units",
    () => ({ ...generation({ prompt: "\u{1F600}".repeat(600) }), response: null }),
    ["note generations.prompt-image-v2-length"],
    ["error generations.prompt-image-v2-length"],
  ],
  [
    "X-CHARS",
    "600 characters of two bytes",
    () => generation({ prompt: "é".repeat(600) }),
    ["note generations.prompt-image-v2-length"],
    ["note generations.prompt-image-v2-length"],
  ],
  [
    "X-INT",
    "n as 1.0",
    () => ({
      ...generation({ prompt }),
      request: { ...generation({ prompt }).request, body: utf8('{"prompt":"x","n":1.0}') },
    }),
    ["warning generations.n-type"],
    ["error generations.n-type", "warning errors.invalid-refused"],
  ],
  [
    "X-INT",
    "n as 1.0 in a form",
    () => edit([["image", transparent], asked, ["n", "1.0"]]),
    ["warning edits.n-type"],
    ["error edits.n-type", "warning errors.invalid-refused"],
  ],
  ["X-EMPTY", "an empty prompt", () => generation({ prompt: "" }), [], []],
  [
    "X-HEADER-CASE",
    "bearer in lower case",
    () => ({ ...editHeader(generation({ prompt }), "request", "authorization", "bearer k"), response: null }),
    [],
    ["error auth.bearer"],
  ],
  [
    "X-CT-PARAMS",
    "a charset",
    () => ({
      ...editHeader(generation({ prompt }), "request", "Content-Type", "application/json; charset=utf-8"),
      response: null,
    }),
    [],
    ["error generations.content-type"],
  ],
  [
    "X-DUP",
    "a member twice",
    () => ({
      ...generation({ prompt }),
      request: { ...generation({ prompt }).request, body: utf8('{"prompt":"x","prompt":"y"}') },
      response: null,
    }),
    ["warning request.duplicate-members"],
    ["error request.duplicate-members"],
  ],
  [
    "X-BASE-PATH",
    "no version",
    () => ({ ...editTarget(generation({ prompt }), () => "/images/generations"), response: null }),
    ["warning request.path-version"],
    ["error request.path-version"],
  ],
  [
    "C-CREATED-UNIT",
    "milliseconds",
    () => generation({ prompt }, jsonResponse({ created: 1_735_689_600_000, data: [{ url: "https://x.example/a" }] })),
    ["warning response.created-seconds"],
    ["error response.created-seconds"],
  ],
  [
    "I-KIND",
    "a model of no known kind",
    () => ({ ...generation({ prompt, model: "m" }), response: null }),
    [],
    ["warning request.model-kinds"],
  ],
  [
    "I-GEN-MULTI",
    "image-multi on generations",
    () => generation({ prompt, model: "image-multi", quality: "low", size: "auto" }, urls(1, { usage })),
    [],
    ["warning generations.kinds"],
  ],
  [
    "I-QUALITY",
    "standard for image-v2 on generations",
    () => ({ ...generation({ prompt, quality: "standard" }), response: null }),
    ["warning generations.quality-support"],
    ["error generations.quality-support"],
  ],
  [
    "I-QUALITY",
    "hd for image-v2 on generations",
    () => ({ ...generation({ prompt, quality: "hd" }), response: null }),
    ["error generations.quality-support"],
    ["error generations.quality-support"],
  ],
  [
    "I-QUALITY",
    "auto for image-v2 on edits",
    () => ({ ...edit([v2, ["image", transparent], asked, ["quality", "auto"]]), response: null }),
    [],
    ["error edits.quality-image-v2-values"],
  ],
  [
    "I-EDIT-SIZE",
    "image-multi in any size when none is named",
    () => edit([multi, ["image", wide], asked, ["response_format", "b64_json"]], pictures(1, 640, 480, { usage })),
    [],
    [],
  ],
  [
    "I-TREATED-V2",
    "image-multi by its parameters",
    () => ({ ...edit([["image", wide], asked, ["size", "1536x1024"]]), response: null }),
    [],
    [],
  ],
  [
    "I-TREATED-V2",
    "image-multi by name only, not square",
    () => ({ ...edit([multi, ["image", wide], asked]), response: null }),
    [],
    ["warning edits.treated-as-image-v2"],
  ],
  [
    "I-IMAGE-ARRAY",
    "image twice",
    () => ({ ...edit([multi, ["image", wide], ["image", opaque], asked]), response: null }),
    ["warning edits.image-field-name"],
    ["error edits.image-field-name"],
  ],
  [
    "I-IMAGE-ARRAY",
    "image[] once",
    () => ({ ...edit([["image[]", transparent], asked]), response: null }),
    [],
    ["error edits.image-field-name"],
  ],
  [
    "I-MULTI-COUNT",
    "forty images",
    () => ({
      ...edit([multi, ...Array.from({ length: 40 }, (): FormField => ["image[]", wide]), asked]),
      response: null,
    }),
    [],
    [],
  ],
  [
    "I-MB",
    "between the decimal and the binary limit",
    () => ({ ...edit([["image", padded(4_100_000)], asked]), response: null }),
    ["warning edits.image-v2-size"],
    ["error edits.image-v2-size"],
  ],
  [
    "I-MB",
    "at the binary limit",
    () => ({ ...variation([["image", padded(4_194_304)]]), response: null }),
    ["error variations.image-size"],
    ["error variations.image-size"],
  ],
  [
    "I-MASK-SIZE",
    "another shape than the first image",
    () => ({ ...edit([["image", opaque], ["mask", wideMask], asked]), response: null }),
    ["error edits.mask-dimensions"],
    ["error edits.mask-dimensions"],
  ],
  [
    "I-ALPHA",
    "no alpha channel in the image",
    () => ({ ...edit([["image", opaque], asked]), response: null }),
    ["error edits.image-v2-transparency"],
    ["error edits.image-v2-transparency"],
  ],
  [
    "I-ALPHA",
    "nothing transparent in the image",
    () => ({ ...edit([["image", veiled], asked]), response: null }),
    ["warning edits.image-v2-transparency"],
    ["error edits.image-v2-transparency"],
  ],
  [
    "I-ALPHA",
    "no alpha channel in the mask",
    () => ({ ...edit([["image", opaque], ["mask", opaque], asked]), response: null }),
    ["warning edits.mask-transparency"],
    ["error edits.mask-transparency"],
  ],
  [
    "I-SNIFF",
    "a PNG called JPEG",
    () => ({ ...variation([["image", { ...opaque, contentType: "image/jpeg" }]]), response: null }),
    ["warning variations.declared-format"],
    ["error variations.declared-format"],
  ],
  [
    "I-VAR-MULTI",
    "image-multi on variations",
    () => ({ ...variation([multi, ["image", opaque]]), response: null }),
    ["warning variations.model-image-multi"],
    ["error variations.model-image-multi"],
  ],
  [
    "I-FORM-NULL",
    "null as text",
    () => ({ ...edit([["image", transparent], asked, ["n", "null"], ["size", ""]]), response: null }),
    ["warning edits.null-values", "warning edits.null-values"],
    ["error edits.null-values", "error edits.null-values"],
  ],
  [
    "I-MULTIPART-CT",
    "an edit as JSON",
    () => ({
      ...generation({ prompt }),
      request: { ...generation({ prompt }).request, target: "/v1/images/edits" },
      response: null,
    }),
    ["error edits.multipart"],
    ["error edits.multipart"],
  ],
  [
    "I-N-COUNT",
    "fewer images",
    () => generation({ prompt, n: 3 }, urls(2)),
    ["warning response.data-count"],
    ["error response.data-count"],
  ],
  [
    "I-N-COUNT",
    "more images",
    () => generation({ prompt }, urls(2)),
    ["error response.data-count"],
    ["error response.data-count"],
  ],
  [
    "I-URL-B64",
    "base64 where a url is the default",
    () => generation({ prompt }, pictures(1, 1024, 1024)),
    ["error response.url-present"],
    ["error response.url-present"],
  ],
  [
    "I-URL-B64",
    "base64 from image-multi, unasked",
    () => generation({ prompt, model: "image-multi" }, pictures(1, 8, 8, { usage })),
    ["note response.url-present"],
    ["error response.url-present"],
  ],
  [
    "I-URL-B64",
    "both forms",
    () =>
      replyWith({
        b64_json: base64Of(encodePng({ width: 256, height: 256, channels: 1, data: new Uint8Array(65_536) })),
        url: "https://x.example/a",
      }),
    ["warning response.one-form"],
    ["error response.one-form"],
  ],
  [
    "I-USAGE",
    "image-multi without usage",
    () => generation({ prompt, model: "image-multi" }),
    ["warning response.usage-image-multi"],
    ["error response.usage-image-multi"],
  ],
  [
    "I-USAGE",
    "image-v2 with usage",
    () => generation({ prompt }, urls(1, { usage })),
    ["error response.usage-only-image-multi"],
    ["error response.usage-only-image-multi"],
  ],
  [
    "I-USAGE",
    "a wrong sum",
    () => generation({ prompt, model: "image-multi" }, urls(1, { usage: { ...usage, total_tokens: 1 } })),
    ["warning response.usage-total"],
    ["warning response.usage-total"],
  ],
  [
    "I-OUT-IMAGE",
    "a text as base64",
    () => replyWith({ b64_json: base64Of(utf8("sorry, no image")) }),
    ["warning response.b64-json-image"],
    ["error response.b64-json-image"],
  ],
  [
    "I-OUT-SIZE",
    "another size than the default",
    () => generation({ prompt, response_format: "b64_json" }, pictures(1, 8, 8)),
    ["note response.output-size"],
    ["warning response.output-size"],
  ],
];

describe("readings of images", () => {
  test.each(cases)("%s: %s", (reading, _about, make, byDefault, whenStrict) => {
    expect(found(make()).sort()).toEqual([...byDefault].sort());
    expect(found(make(), strict(reading)).sort()).toEqual([...whenStrict].sort());
  });

  test("rules of a kind give no verdict for a model nobody mapped, and say which binding decides", () => {
    const { findings, undecided } = judge(
      generation({ model: "my-model", prompt: "x".repeat(2000), quality: "hd", size: "64x64" }),
      { source: "test", exchange: 0 },
      catalogue,
      { names: namesFrom(), policy: lenient },
    );
    expect(findings).toEqual([]);
    expect(undecided.map(({ clause }) => clause)).toContain("images.generations.prompt-image-v2-length");
    expect(new Set(undecided.map(({ needs }) => needs))).toEqual(
      new Set(['bind image-v2, image-v3 or image-multi to "my-model"']),
    );
  });

  test("a binding decides the kind", () => {
    const exchange = { ...generation({ model: "my-model", prompt: "x".repeat(2000) }), response: null };
    expect(found(exchange, lenient, { names: { "image-v2": "my-model" } })).toEqual([
      "error generations.prompt-image-v2-length",
    ]);
    expect(found(exchange, lenient, { names: { "image-v3": "my-*" } })).toEqual([]);
  });

  test("where recordings drop credentials, their absence is no verdict", () => {
    const exchange = editHeader(generation({ prompt }), "request", "Authorization", undefined);
    expect(found(exchange, lenient, { credentials: "may-be-dropped" })).toEqual([]);
  });

  test("base64 with an alphabet of its own or without padding passes, unless X-BASE64 is strict", () => {
    const png = encodePng({ width: 256, height: 256, channels: 1, data: new Uint8Array(65_536).fill(251) });
    const plain = base64Of(png.length % 3 === 0 ? paddedPng(png, png.length + 13) : png);
    const exchange = replyWith({ b64_json: plain.replace(/=+$/, "") });
    expect(found(exchange)).toEqual([]);
    expect(found(exchange, strict("X-BASE64"))).toEqual(["error response.b64-json-canonical"]);
    const broken = editJson(
      exchange,
      "response",
      (body: { data: object[] }) => void (body.data[0] = { b64_json: "a b" }),
    );
    expect(found(broken)).toEqual(["error response.b64-json-base64"]);
  });
});
