/** Documents in several files: references lead to files below the folder of the document, and nowhere else. */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { documentOf, errorsIn, folderOf, ownClauses, proofOf } from "./documents.test-kit.ts";
import { readOpenApi } from "./read-openapi.ts";
import { startFolder } from "./write.ts";

const thing = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
const request = (ref: string): object => documentOf({ $ref: ref });
const open = (folder: string) => openCatalogue([join(folder, "api.json")]);
const failure = async (files: Readonly<Record<string, unknown>>): Promise<string> => {
  const folder = folderOf(files);
  const error = await readOpenApi(join(folder, "api.json")).catch((one: Error) => one);
  return (error as Error).message.replaceAll(folder, "DIR");
};

test.each([
  ["./schemas/thing.json#/Thing", "schemas/thing.json", { Thing: thing }],
  ["schemas/thing.json", "schemas/thing.json", thing],
  ["./schemas/my%20thing.json#/a~1b", "schemas/my thing.json", { "a/b": thing }],
  [
    "./schemas/thing.yaml#/Thing",
    "schemas/thing.yaml",
    "Thing: {type: object, required: [name], properties: {name: {type: string}}}",
  ],
  ["./schemas/thing.json#thing", "schemas/thing.json", { any: { ...thing, $anchor: "thing" } }],
])("%s is read from %s", async (ref, file, content) => {
  const catalogue = await open(folderOf({ "api.json": request(ref), [file]: content }));
  expect(errorsIn(catalogue, { name: "a" })).toEqual([]);
  expect(errorsIn(catalogue, { name: 1 })).toHaveLength(1);
  expect(errorsIn(catalogue, {})).toHaveLength(1);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("references within such a file, back to the document and from file to file in circles are followed", async () => {
  const folder = folderOf({
    "api.json": {
      ...documentOf({ $ref: "./a/node.json#/Node" }),
      components: { schemas: { Name: { type: "string" } } },
    },
    "a/node.json": {
      Node: {
        type: "object",
        properties: {
          name: { $ref: "../api.json#/components/schemas/Name" },
          next: { $ref: "b/next.json" },
          size: { $ref: "#/Size" },
        },
      },
      Size: { type: "integer" },
    },
    "a/b/next.json": { type: "object", properties: { node: { $ref: "../node.json#/Node" } } },
  });
  const catalogue = await open(folder);
  expect(
    errorsIn(catalogue, { name: "a", size: 1, next: { node: { name: "b", next: { node: { size: 2 } } } } }),
  ).toEqual([]);
  for (const bad of [
    { name: 1 },
    { size: "1" },
    { next: { node: { name: 1 } } },
    { next: { node: { next: { node: { size: "" } } } } },
  ])
    expect(errorsIn(catalogue, bad), JSON.stringify(bad)).toHaveLength(1);
});

test("a path and a discriminator may be in another file", async () => {
  const { paths, ...rest } = documentOf({
    oneOf: [{ $ref: "cat.json" }, { $ref: "dog.json" }],
    discriminator: { propertyName: "kind", mapping: { c: "cat.json", d: "dog.json" } },
  });
  const kind = { type: "string" };
  const folder = folderOf({
    "api.json": { ...rest, paths: { "/things": { $ref: "things.json" } } },
    "things.json": paths["/things"],
    "cat.json": { type: "object", required: ["kind"], properties: { kind, lives: { type: "integer" } } },
    "dog.json": { type: "object", required: ["kind"], properties: { kind, tricks: { type: "string" } } },
  });
  const catalogue = await open(folder);
  expect(errorsIn(catalogue, { kind: "c", lives: 9 })).toEqual([]);
  expect(errorsIn(catalogue, { kind: "c", lives: "9" })).toHaveLength(1);
  expect(errorsIn(catalogue, { kind: "d", tricks: 1 })).toHaveLength(1);
});

test("what looks like a reference in examples, in names of members and in ids of schemas is none", async () => {
  const missing = { $ref: "./missing.json" };
  const schema = {
    type: "object",
    example: missing,
    properties: {
      $ref: { type: "string" },
      default: { $ref: "thing.json" },
      other: { $ref: "https://example.com/other" },
      any: { default: missing, examples: [missing], "x-any": missing },
    },
  };
  const folder = folderOf({
    "api.json": documentOf(schema, undefined, { Other: { $id: "https://example.com/other", type: "string" } }),
    "thing.json": thing,
  });
  const catalogue = await open(folder);
  expect(errorsIn(catalogue, { $ref: 1, default: { name: 1 }, other: 1 })).toHaveLength(3);
});

test("everything else is one line", async () => {
  const secret = folderOf({ "secret.json": thing });
  const refused = async (ref: string, files: Readonly<Record<string, unknown>> = {}) =>
    failure({ "api.json": request(ref), "folder/any.json": thing, ...files });
  const at = "DIR/api.json: /paths/~1things/post/requestBody/content/application~1json/schema/$ref refers to";
  const outside = "which is not below the folder of the document";
  for (const ref of [
    "https://example.com/a.json",
    "http://127.0.0.1/a.json#/A",
    "file:///etc/passwd",
    "//example.com/a.json",
  ])
    expect(await refused(ref)).toBe(`${at} ${JSON.stringify(ref.split("#")[0])}, and nothing is read over the network`);
  for (const ref of [
    "../secret.json",
    "folder/../../secret.json",
    "%2e%2e/secret.json",
    join(secret, "secret.json"),
    "a%00.json",
  ])
    expect(await refused(ref)).toBe(`${at} ${JSON.stringify(ref)}, ${outside}`);
  expect(await refused("missing.json")).toBe(`${at} "missing.json", which cannot be read: there is no such file`);
  expect(await refused("%zz.json")).toBe(`${at} "%zz.json", which is no path`);
  expect(await refused("folder")).toBe("DIR/folder is a folder, and only plain files are read here");
  expect(await refused("a.json", { "a.json": "{" })).toMatch(/^DIR\/a\.json is not JSON: /);
  expect(await refused("a.yaml", { "a.yaml": "a: [" })).toMatch(/^DIR\/a\.yaml is not YAML: /);
  expect(await refused("a.txt", { "a.txt": "only words" })).toMatch(/^DIR\/a\.txt has nothing to refer to/);
  expect(await refused("a.json", { "a.json": " " })).toBe("DIR/a.json is empty");
  expect(await refused("a.bin", { "a.bin": "\0\x01" })).toBe("DIR/a.bin is no text in UTF-8");
});

test("links that lead out of the folder are refused, and huge files are not read", async () => {
  const secret = folderOf({ "secret.json": thing, "inner/secret.json": thing });
  const folder = folderOf({ "api.json": request("link.json"), "inner/thing.json": thing });
  symlinkSync(join(secret, "secret.json"), join(folder, "link.json"));
  await expect(open(folder)).rejects.toThrow(/"link\.json", which is a link out of the folder/);
  writeFileSync(join(folder, "api.json"), JSON.stringify(request("linked/secret.json")));
  symlinkSync(join(secret, "inner"), join(folder, "linked"));
  await expect(open(folder)).rejects.toThrow(/which is a link out of the folder/);
  writeFileSync(join(folder, "api.json"), JSON.stringify(request("near.json")));
  symlinkSync(join("inner", "thing.json"), join(folder, "near.json"));
  expect(errorsIn(await open(folder), {})).toHaveLength(1);
  writeFileSync(join(folder, "huge.json"), "{}");
  truncateSync(join(folder, "huge.json"), 65 << 20);
  writeFileSync(join(folder, "api.json"), JSON.stringify(request("huge.json")));
  await expect(open(folder)).rejects.toThrow(/huge\.json has 65 MiB, and at most 64 MiB are read/);
});

test("the digest follows every file, and a started folder has a copy of each", async () => {
  const folder = folderOf({ "api.json": request("schemas/thing.json"), "schemas/thing.json": thing });
  const { digest, others } = await readOpenApi(join(folder, "api.json"));
  expect(others).toEqual(["schemas/thing.json"]);
  const own = join(folder, "own");
  mkdirSync(own);
  await startFolder(own, join(folder, "api.json"), []);
  expect(ownClauses(await openCatalogue([own])).map(({ id }) => id)).toContain("things.request.name-type");
  writeFileSync(join(folder, "schemas/thing.json"), JSON.stringify({ ...thing, title: "another" }));
  expect((await readOpenApi(join(folder, "api.json"))).digest).not.toBe(digest);
});
