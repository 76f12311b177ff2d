/** Throws anything at the judging of images: it must neither throw nor take long. */
import fc from "fast-check";
import { beforeAll, describe, test } from "vitest";
import type { Catalogue } from "../../check/catalogue.ts";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { fuzz } from "../../dev/random.test-kit.ts";
import { createReference } from "../../reference/reference.ts";
import type { FormField } from "../../wire/build.ts";
import { jsonResponse, utf8 } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { openCatalogue } from "../catalogue.ts";
import { interfaces } from "../index.ts";
import { edit, generation, transparent, urls, variation } from "./examples/parts.ts";

const images = interfaces.find(({ name }) => name === "images")!;

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await openCatalogue();
});

const strictly = { strict: "all", openEnums: false } as const;
const judgeAll = (exchange: Exchange): void => {
  for (const policy of [lenient, strictly])
    judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
};

const fields = ["prompt", "model", "n", "quality", "response_format", "size", "style", "user", "__proto__", "image"];
const members = ["created", "data", "usage", "url", "b64_json", "input_tokens", "input_tokens_details", "__proto__"];
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  fc.constantFrom<unknown>(null, [], {}, "", "\ud800", 1e308, -0, [null], { constructor: 1 }, "image-multi"),
);
const objectOf = (names: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });
const reply = fc.oneof(
  odd,
  objectOf(members, fc.oneof(odd, fc.array(objectOf(members, odd), { maxLength: 3 }), objectOf(members, odd))),
);

describe("judging images", () => {
  test("survives any JSON on both sides", () => {
    const body = fc.oneof(odd, objectOf(fields, odd));
    fc.assert(
      fc.property(body, reply, (asked, got) => judgeAll(generation(asked as object, jsonResponse(got)))),
      fuzz(100),
    );
  });

  test("survives any form", () => {
    const name = fc.oneof(
      fc.constantFrom("image", "image[]", "mask", "prompt", "n", "size", "model", "constructor", "quality"),
      fc.stringMatching(/^[\w[\]]{0,8}$/),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .tuple(fc.nat({ max: transparent.bytes.length - 1 }), fc.nat({ max: 255 }))
        .map(([at, value]) => transparent.bytes.with(at, value)),
      fc.nat({ max: transparent.bytes.length }).map((length) => transparent.bytes.subarray(0, length)),
    );
    const upload = bytes.map((content) => ({ filename: "a.png", contentType: "image/png", bytes: content }));
    const text = fc.oneof(fc.string(), fc.constantFrom("image-v2", "image-multi", "null", "1e999", "-1", "auto"));
    const form = fc.array(fc.tuple(name, fc.oneof(text, upload)), { maxLength: 6 });
    fc.assert(
      fc.property(form, fc.boolean(), (parts, isEdit) => {
        const make = isEdit ? edit : variation;
        judgeAll(make(parts as FormField[], urls(1)));
      }),
      fuzz(100),
    );
  });

  test("survives any bytes under any Content-Type", () => {
    const types = ["application/json", "multipart/form-data; boundary=x", "multipart/form-data", "text/plain", ""];
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom(...types), fc.nat({ max: 599 }), (body, type, status) => {
        const headers = [["Content-Type", type]] as const;
        for (const operation of ["generations", "edits", "variations"])
          judgeAll({
            request: { method: "POST", target: `/v1/images/${operation}`, headers, body },
            response: { status, headers, body },
          });
      }),
      fuzz(100),
    );
  });

  test("no rule's spoil minds an exchange it cannot spoil", () => {
    const strange: Exchange[] = [
      generation([], null),
      generation({ prompt: 1 }, jsonResponse(null)),
      generation({ prompt: "x" }, jsonResponse({ data: [null, 1, {}], usage: [] })),
      edit([], jsonResponse([])),
      variation([["image", { ...transparent, bytes: transparent.bytes.with(16, 255) }]], urls(0)),
      { request: { method: "GET", target: "", headers: [], body: utf8("") }, response: null },
    ];
    for (const { spoil } of images.rules)
      for (const exchange of strange) {
        const spoilt = spoil(exchange);
        if (spoilt && spoilt.request.body.length < 100_000) judgeAll(spoilt);
      }
  });

  test("the reference answers whatever comes", () => {
    const serve = createReference(catalogue, () => "http://127.0.0.1:9");
    fc.assert(
      fc.property(fc.oneof(odd, objectOf(fields, odd)), fc.webPath(), (body, target) => {
        serve(generation(body as object).request);
        serve({ method: "GET", target: `/images/8x8${target}`, headers: [], body: utf8("") });
      }),
      fuzz(100),
    );
  });
});
