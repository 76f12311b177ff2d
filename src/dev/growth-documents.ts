/** Documents of users that grow in one respect, and the forms that clients send to them. */
import { type Field, formValues } from "../documents/form-values.ts";
import { deriveFrom } from "../documents/from-openapi.ts";
import { openApiOf } from "../documents/openapi.ts";
import { operationPlaces } from "../documents/operations.ts";
import { utf8 } from "../wire/build.ts";
import type { FormPart } from "../wire/multipart.ts";
import { type Family, list, members, reading } from "./growth-family.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const documentOf = (schema: object, schemas: object = {}, paths: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "T", version: "1" },
  paths: {
    "/things": { post: { requestBody: { content: { "application/json": { schema } } }, responses: {} } },
    ...paths,
  },
  components: { schemas },
});

const deriving = (what: string, make: (n: number) => object): Family =>
  reading(
    `derive: ${what}`,
    (n) => openApiOf(make(n) as Readonly<Record<string, unknown>>, "d"),
    (doc) => deriveFrom(openApiOf(structuredClone(doc.root), "d"), "d", "d", operationPlaces(doc)).sources,
  );

const schema = (i: number, n: number) => ({
  type: "object",
  required: ["id"],
  properties: { id: { type: "string" }, next: ref(`A${(i + 1) % n}`), other: ref(`A${(7 * i) % n}`) },
});
const get = { parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }], responses: {} };

const documents: readonly Family[] = [
  deriving("a circle of schemas", (n) =>
    documentOf(ref("A0"), Object.fromEntries(list(n, (i) => [`A${i}`, schema(i, n)]))),
  ),
  deriving("members", (n) => documentOf({ type: "object", properties: members(n, () => ({ type: "string" })) })),
  deriving("a pattern", (n) =>
    documentOf({ type: "string", pattern: `^(?!${"a".repeat(n)})${"b?".repeat(n)}$`, minLength: 2, maxLength: 2 * n }),
  ),
  deriving("values of a list", (n) => documentOf({ enum: list(n, (i) => `v${i}`) })),
  deriving("alternatives", (n) =>
    documentOf({
      oneOf: list(n, (i) => ({ type: "object", required: ["type"], properties: { type: { const: `t${i}` } } })),
    }),
  ),
  deriving("parameters of a path", (n) =>
    documentOf(
      {},
      {},
      {
        [`/${list(n, (i) => `{p${i}}`).join("/")}`]: {
          get: {
            parameters: list(n, (i) => ({ name: `p${i}`, in: "path", required: true, schema: { type: "integer" } })),
            responses: {},
          },
        },
      },
    ),
  ),
  deriving("operations", (n) =>
    documentOf(
      {},
      {},
      Object.fromEntries(list(n, (i) => [`/r${i}/{id}`, { get: { ...get, operationId: `get${i}` } }])),
    ),
  ),
];

const field = (types: readonly ("array" | "object" | "string")[], items?: Field): Field => ({
  types: new Set(types),
  isFile: false,
  items,
  member: () => field(["string"]),
  separator: undefined,
  isDeep: false,
  contentType: undefined,
});
const { read } = formValues(
  new Map([
    ["list", field(["array"], field(["object"]))],
    ["object", field(["object"])],
  ]),
  undefined,
  true,
);
const part = (name: string): FormPart => ({ name, text: "x", bytes: utf8("x") });
const form = (what: string, name: (i: number) => string): Family =>
  reading(`form values: ${what}`, (n) => list(n, (i) => part(name(i))), read);

const int = { type: "integer" };
const parameter = (name: string, schema: object, style?: string) => ({ name, in: "query", schema, style });
const ofThings = {
  parameters: [
    parameter("list", { type: "array", items: int }),
    { ...parameter("joined", { type: "array", items: int }), explode: false },
    parameter("deep", { type: "object", additionalProperties: { type: "array", items: int } }, "deepObject"),
  ],
  responses: {},
};
const things = openApiOf({ openapi: "3.1.0", paths: { "/things": { get: ofThings } } }, "d");
const [operation] = deriveFrom(things, "d", "d", operationPlaces(things)).interface.operations;
const query = (what: string, piece: (i: number) => string, separator = "&", start = ""): Family =>
  reading(
    `parameters: ${what}`,
    (n) => start + list(n, piece).join(separator),
    (search) => operation!.parameters!.query!.read(search),
  );

export const families: readonly Family[] = [
  ...documents,
  query("a list", (i) => `list=${i}`),
  query("a list in one text", String, ",", "joined="),
  query("members", (i) => `deep[m${i}]=1`),
  query("positions", (i) => `deep[m][${i}]=1`),
  query("unknown names", (i) => `x${i}.y[]=1`),
  form("a list", () => "list[]"),
  form("positions", (i) => `list[${i}][a]`),
  form("objects without positions", () => "list[][a]"),
  form("members", (i) => `object[m${i}]`),
  form("unknown fields", (i) => `f${i}[x]`),
];
