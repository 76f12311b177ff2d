/** Opens small OpenAPI documents of tests, and judges what passes by them. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Catalogue } from "../check/catalogue.ts";
import { type Clause, lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { groundOf } from "../prove/ground.ts";
import { type Proof, prove } from "../prove/prove.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-openapi-"));
let written = 0;

/** Writes files below a folder of their own: texts as they are, all else as JSON. @returns the folder */
export function folderOf(files: Readonly<Record<string, unknown>>): string {
  const own = join(folder, String(written++));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return own;
}

/** An OpenAPI document with one operation, `POST /v1/things`, whose body and reply have these schemas. */
export const documentOf = (request: unknown, response?: unknown, components: object = {}, version = "3.1.0") => ({
  openapi: version,
  info: { title: "Things", version: "1" },
  servers: [{ url: "https://api.example.com/v1" }],
  paths: {
    "/things": {
      post: {
        operationId: "makeThing",
        tags: ["Things"],
        requestBody: { required: true, content: { "application/json": { schema: request } } },
        responses: {
          200: { description: "OK", content: { "application/json": { schema: response ?? { type: "object" } } } },
        },
      },
    },
  },
  components: { schemas: components },
});

/** The catalogue with a document of its own. */
export const openDocument = (document: unknown): Promise<Catalogue> =>
  openCatalogue([join(folderOf({ "openapi.json": document }), "openapi.json")]);

export const ownClauses = ({ clauses, own }: Catalogue): Clause[] => clauses.filter((one) => own.has(one.interface));

/** Clauses that a request, or the reply to one, violates as an error. */
export function errorsIn(catalogue: Catalogue, request: unknown, response?: unknown, target = "/v1/things"): string[] {
  const exchange = {
    request: jsonRequest(target, [], request),
    response: response === undefined ? null : jsonResponse(response),
  };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  return [...new Set(findings.filter(({ level }) => level === "error").map(({ clause }) => clause))];
}

/** Proves the clauses of a catalogue's own documents. */
export const proofOf = async (catalogue: Catalogue): Promise<Proof> =>
  prove(catalogue, await groundOf(catalogue), (clause) => catalogue.own.has(clause.interface));
