/** Forms are judged as the values that their parts stand for, in whatever way clients spell lists, objects and files. */
import { expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const multipart = "multipart/form-data";
const urlencoded = "application/x-www-form-urlencoded";

const withForm = (type: string, schema: object, encoding: object = {}): Promise<Catalogue> => {
  const post = {
    tags: ["things"],
    requestBody: { content: { [type]: { schema: { type: "object", ...schema }, encoding } } },
    responses: { 200: { description: "OK" } },
  };
  return openDocument({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths: { "/v1/things": { post } } });
};

/** The clauses that a body violates, sent as `fetch` sends it. */
async function errors(
  catalogue: Catalogue,
  body: FormData | URLSearchParams | string,
  type?: string,
): Promise<string[]> {
  const sent = new Response(body);
  const request = {
    method: "POST",
    target: "/v1/things",
    headers: [["content-type", type ?? sent.headers.get("content-type")!]] as const,
    body: new Uint8Array(await sent.arrayBuffer()),
  };
  const at = { source: "", exchange: 0 };
  const { findings } = judge({ request, response: null }, at, catalogue, { names: namesFrom(), policy: lenient });
  return findings.map(({ clause, in: place, pointer }) => {
    expect(place).toBe("form");
    return `${pointer} ${clause.replace("things.request.", "")}`;
  });
}

function form(...fields: readonly (readonly [name: string, value: string | Blob, file?: string])[]): FormData {
  const data = new FormData();
  for (const [name, value, file] of fields)
    if (typeof value === "string") data.append(name, value);
    else data.append(name, value, file);
  return data;
}

const binary = { type: "string", format: "binary" };
const blob = (text: string, type = ""): Blob => new Blob([text], { type });

test("texts stand for numbers and switches, and files for themselves", async () => {
  const catalogue = await withForm(multipart, {
    required: ["file", "model"],
    properties: {
      file: binary,
      model: { type: "string", enum: ["small", "large"] },
      temperature: { type: "number", minimum: 0, maximum: 1 },
      n: { type: ["integer", "null"], minimum: 1 },
      stream: { type: "boolean" },
    },
  });
  const file = ["file", blob("bytes"), "a.wav"] as const;
  expect(await errors(catalogue, form(file, ["model", "small"], ["temperature", ".5"], ["stream", "True"]))).toEqual(
    [],
  );
  // A blob is a file to fetch, and still the text of its field.
  expect(await errors(catalogue, form(file, ["model", blob("large"), "blob"], ["n", "null"]))).toEqual([]);
  expect(await errors(catalogue, form(["file", "bytes"], ["model", "small"], ["other", "x"]))).toEqual([]);
  expect(
    await errors(catalogue, form(["model", "tiny"], ["temperature", "2"], ["n", "one"], ["stream", "on"])),
  ).toEqual([
    "/file file-required",
    "/model model-enum",
    "/n n-type",
    "/stream stream-type",
    "/temperature temperature-maximum",
  ]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a list is a field that is repeated, has brackets, or stands in one text as JSON", async () => {
  const catalogue = await withForm(multipart, {
    properties: {
      kinds: { type: "array", minItems: 1, maxItems: 2, items: { type: "integer", maximum: 9 } },
      "words[]": { type: "array", items: { enum: ["a", "b"] } },
      image: { anyOf: [binary, { type: "array", maxItems: 2, items: binary }] },
    },
  });
  for (const fields of [
    [["kinds", "1"]],
    [
      ["kinds", "1"],
      ["kinds", "2"],
    ],
    [
      ["kinds[]", "1"],
      ["kinds[]", "2"],
    ],
    [
      ["kinds[0]", "1"],
      ["kinds[1]", "2"],
    ],
    [["kinds", "[1, 2]"]],
    [
      ["words[]", "a"],
      ["words[]", "b"],
    ],
    [["image", blob("x"), "a.png"]],
    [
      ["image[]", blob("x"), "a.png"],
      ["image[]", blob("y"), "b.png"],
    ],
  ] as const)
    expect(await errors(catalogue, form(...fields)), JSON.stringify(fields)).toEqual([]);
  expect(await errors(catalogue, form(["kinds", "1"], ["kinds", "2"], ["kinds", "x"]))).toEqual([
    "/kinds kinds-items-type",
    "/kinds kinds-max-items",
  ]);
  expect(await errors(catalogue, form(["words[]", "a"], ["words[]", "c"]))).toEqual(["/words[] words-items-enum"]);
  const images = ["a", "b", "c"].map((name) => ["image[]", blob("x"), `${name}.png`] as const);
  expect(await errors(catalogue, form(...images))).toEqual(["/image image-max-items"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("an object is JSON in one part, or fields with brackets", async () => {
  const options = {
    type: "object",
    required: ["type"],
    properties: {
      type: { const: "vad" },
      ms: { type: "integer" },
      parts: { type: "array", items: { type: "object" } },
    },
  };
  const catalogue = await withForm(multipart, {
    properties: { options, strategy: { anyOf: [{ type: "string", enum: ["auto"] }, options] } },
  });
  for (const fields of [
    [["options", '{"type":"vad","ms":5}']],
    [["options", blob('{"type":"vad"}', "application/json"), "blob"]],
    [
      ["options[type]", "vad"],
      ["options[ms]", "5"],
      ["options[parts][][a]", "1"],
      ["options[parts][][a]", "2"],
    ],
    [["strategy", "auto"]],
    [["strategy[type]", "vad"]],
  ] as const)
    expect(await errors(catalogue, form(...fields)), JSON.stringify(fields)).toEqual([]);
  expect(await errors(catalogue, form(["options", '{"ms":"5"}']))).toEqual([
    "/options options-ms-type",
    "/options options-type-required",
  ]);
  expect(await errors(catalogue, form(["options[type]", "x"], ["strategy", "manual"]))).toEqual([
    "/options options-type-const",
    "/strategy strategy-enum",
  ]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("an urlencoded form is read alike, and follows the encoding of the document", async () => {
  const catalogue = await withForm(
    urlencoded,
    {
      required: ["grant", "spread"],
      additionalProperties: false,
      properties: {
        grant: { type: "string", const: "code" },
        ttl: { type: "integer", minimum: 0 },
        filter: { type: "object", required: ["a"], properties: { a: { type: "integer" }, b: { type: "boolean" } } },
        spread: { type: "object", properties: { x: { type: "integer" } } },
        tags: { type: "array", items: { enum: ["q", "r"] } },
      },
    },
    { filter: { style: "deepObject" }, tags: { explode: false } },
  );
  expect(await errors(catalogue, new URLSearchParams("grant=code&ttl=05&filter[a]=1&tags=q,r&x=1"))).toEqual([]);
  expect(await errors(catalogue, new URLSearchParams("ttl=-1&filter[b]=yes&tags=q,s"))).toEqual([
    "/filter filter-a-required",
    "/filter filter-b-type",
    "/grant grant-required",
    "/tags tags-items-enum",
    "/ttl ttl-minimum",
  ]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("of a text that may stand for several, and of another media type, nothing is said", async () => {
  const either = { oneOf: [{ type: "integer" }, { type: "string", enum: ["auto"] }] };
  const catalogue = await withForm(multipart, { required: ["either"], properties: { either } });
  expect(await errors(catalogue, form(["either", "5"]))).toEqual([]);
  expect(await errors(catalogue, form(["either", "[redacted]"]))).toEqual([]);
  expect(await errors(catalogue, new URLSearchParams("a=b"))).toEqual([]);
  expect(await errors(catalogue, "no form", `${multipart}; boundary=b`)).toEqual([]);
  expect(ownClauses(catalogue).flatMap(({ id, opaque }) => (opaque ? [id] : []))).toEqual([
    "things.request.either-one-of",
  ]);
});

test("a form of hostile names is read", async () => {
  const properties = { list: { type: "array", items: { type: "object" } } };
  const catalogue = await withForm(urlencoded, { properties });
  for (const text of [
    "list[",
    "list[]]",
    "list[__proto__][a]=1",
    "__proto__=1",
    "list[][][][]=1",
    "=&=&[]=1",
    "list[a]=1&list=2",
  ])
    await errors(catalogue, new URLSearchParams(text));
});
