/** Holds the readings about the fields of image requests, and what the kind of a model decides. */
import { describe, expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { utf8 } from "../../wire/build.ts";
import { editHeader, editTarget } from "../../wire/edit.ts";
import { generation, urls, usage } from "./examples/parts.ts";
import { type Case, found, sent, testReadings, undecided } from "./readings.test-kit.ts";

const prompt = "A red kite over the sea";

const cases: readonly Case[] = [
  [
    "X-NULL",
    "null for a string",
    () => generation({ prompt, user: null }),
    ["warning generations.user-type"],
    ["error generations.user-type"],
  ],
  [
    "X-NULL",
    "null for the prompt",
    () => sent(generation({ prompt: null })),
    ["error generations.prompt-type"],
    ["error generations.prompt-type"],
  ],
  [
    "X-CHARS",
    "600 astral characters, 1200 UTF-16 units",
    () => sent(generation({ prompt: "\u{1F600}".repeat(600) })),
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
    ["error generations.n-type"],
  ],
  ["X-EMPTY", "an empty prompt", () => generation({ prompt: "" }), [], []],
  [
    "X-HEADER-CASE",
    "bearer in lower case",
    () => sent(editHeader(generation({ prompt }), "request", "authorization", "bearer k")),
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
    () => sent(editTarget(generation({ prompt }), () => "/images/generations")),
    ["warning request.path-version"],
    ["error request.path-version"],
  ],
  [
    "I-KIND",
    "a model of no known kind",
    () => sent(generation({ prompt, model: "m" })),
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
    () => sent(generation({ prompt, quality: "standard" })),
    ["warning generations.quality-support"],
    ["error generations.quality-support"],
  ],
  [
    "I-QUALITY",
    "hd for image-v2 on generations",
    () => sent(generation({ prompt, quality: "hd" })),
    ["error generations.quality-support"],
    ["error generations.quality-support"],
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
];

describe("readings of image requests", () => {
  testReadings(cases);

  test("rules of a kind give no verdict for a model nobody mapped, and say which binding decides", () => {
    const exchange = generation({ model: "my-model", prompt: "x".repeat(2000), quality: "hd", size: "64x64" });
    expect(found(exchange)).toEqual([]);
    const open = undecided(exchange);
    expect(open.map(({ clause }) => clause)).toContain("images.generations.prompt-image-v2-length");
    expect(new Set(open.map(({ needs }) => needs))).toEqual(
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

  test("the absence of credentials is no verdict in recordings that drop them", () => {
    const exchange = editHeader(generation({ prompt }), "request", "Authorization", undefined);
    expect(found(exchange, lenient, { credentials: "may-be-dropped" })).toEqual([]);
  });
});
