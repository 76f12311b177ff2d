/** Holds the readings about replies to image requests. */
import { describe, expect, test } from "vitest";
import { replaceText } from "../../replace-text.test-kit.ts";
import { type FormField, jsonResponse, utf8 } from "../../wire/build.ts";
import { editHeader, editJson, editStatus } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { encodePng } from "../../wire/png.ts";
import { edit, failure, generation, jpeg, pictures, urls, usage, variation, wide } from "./examples/parts.ts";
import { paddedPng } from "./examples/small-png.ts";
import { type Case, found, strict, testReadings, undecided } from "./readings.test-kit.ts";

const prompt = "A red kite over the sea";
const asked: FormField = ["prompt", prompt];
const _v2: FormField = ["model", "image-v2"];
const multi: FormField = ["model", "image-multi"];
const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const replyWith = (image: object): Exchange =>
  generation(
    { prompt, size: "256x256", response_format: "b64_json" },
    jsonResponse({ created: 1_735_689_600, data: [image] }),
  );

const cases: readonly Case[] = [
  [
    "X-ENFORCE",
    "a bad request that is accepted",
    () => generation({ prompt, n: 11 }),
    ["error generations.n-range", "unenforced errors.invalid-refused"],
    ["error generations.n-range", "error errors.invalid-refused"],
  ],
  [
    "X-ENFORCE",
    "a bad file that is accepted",
    () => variation([["image", jpeg]]),
    ["error variations.image-format", "unenforced errors.file-limits"],
    ["error variations.image-format", "error errors.file-limits"],
  ],
  [
    "X-ENFORCE",
    "a request without key that is accepted",
    () => editHeader(generation({ prompt }), "request", "Authorization", undefined),
    ["error auth.authorization-present", "error auth.missing-key"],
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
    "I-URL-B64",
    "the form nobody asked for as null",
    () =>
      generation(
        { prompt: "x" },
        jsonResponse({ created: 1, data: [{ url: "https://images.example/a.png", b64_json: null }] }),
      ),
    [],
    [],
  ],
  [
    "I-URL-B64",
    "the form asked for as null",
    () => generation({ prompt: "x" }, jsonResponse({ created: 1, data: [{ url: null }] })),
    ["error response.url-present"],
    ["error response.url-present"],
  ],
  [
    "X-CT-RESPONSE",
    "JSON as text",
    () => editHeader(generation({ prompt }), "response", "Content-Type", "text/plain"),
    ["warning response.media-type"],
    ["error response.media-type"],
  ],
  [
    "X-EXTRA",
    "an unknown field and an unknown member",
    () => generation({ prompt, seed: 4 }, urls(1, { model: "m" })),
    ["warning generations.unknown-members"],
    ["error generations.unknown-members", "warning response.unknown-members"],
  ],
  [
    "C-CREATED-UNIT",
    "milliseconds",
    () => generation({ prompt }, jsonResponse({ created: 1_735_689_600_000, data: [{ url: "https://x.example/a" }] })),
    ["warning response.created-seconds"],
    ["error response.created-seconds"],
  ],
  [
    "I-EDIT-SIZE",
    "image-multi in any size when none is named",
    () => edit([multi, ["image", wide], asked, ["response_format", "b64_json"]], pictures(1, 640, 480, { usage })),
    [],
    [],
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
    "image-multi with a usage of one member",
    () => generation({ prompt, model: "image-multi" }, urls(1, { usage: { total_tokens: 2 } })),
    [
      "warning response.usage-input-details-present",
      "warning response.usage-input-tokens-present",
      "warning response.usage-output-tokens-present",
    ],
    [
      "error response.usage-input-details-present",
      "error response.usage-input-tokens-present",
      "error response.usage-output-tokens-present",
    ],
  ],
  [
    "I-USAGE",
    "image-multi without details of the input",
    () => generation({ prompt, model: "image-multi" }, urls(1, { usage: { ...usage, input_tokens_details: {} } })),
    ["warning response.usage-image-tokens-present", "warning response.usage-text-tokens-present"],
    ["error response.usage-image-tokens-present", "error response.usage-text-tokens-present"],
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

describe("readings of image replies", () => {
  testReadings(cases);

  test("members of a usage are not asked for where nobody said of which kind the model is", () => {
    const exchange = generation({ prompt, model: "a-model" }, urls(1, { usage: { total_tokens: 2 } }));
    expect(found(exchange, strict("I-USAGE"))).toEqual([]);
    expect(undecided(exchange).map(({ clause }) => clause)).toEqual(
      expect.arrayContaining([
        "images.response.usage-input-tokens-present",
        "images.response.usage-input-details-present",
      ]),
    );
  });

  test("base64 with an alphabet of its own or without padding passes, unless X-BASE64 is strict", () => {
    const png = encodePng({ width: 256, height: 256, channels: 1, data: new Uint8Array(65_536).fill(251) });
    const plain = base64Of(png.length % 3 === 0 ? paddedPng(png, png.length + 13) : png);
    const exchange = replyWith({ b64_json: replaceText(plain, /=+$/, "") });
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
