/** Judges the sample values of a document by the validators that are derived from it: each as the reply of an operation of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import type { OpenApi } from "../../documents/openapi.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { jsonRequest, jsonResponse } from "../../wire/build.ts";
import type { Sample } from "./schema-places.ts";

/** Pointer of a sample to what it violates, as an error or a warning; those that violate nothing are left out. */
export async function faultsOf(
  doc: OpenApi,
  samples: readonly Sample[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-samples-"));
  try {
    const operations = samples.map((_, i) => `sample-${i}`);
    const paths = samples.map(({ schema }, i) => {
      const content = { "application/json": { schema: { $ref: `#${encodeURI(schema)}` } } };
      return [
        `/${operations[i]}`,
        { post: { operationId: operations[i], security: [], responses: { 200: { description: "", content } } } },
      ];
    });
    const { paths: own, servers: _, ...rest } = doc.root;
    const document = { ...rest, paths: { ...(own as object), ...Object.fromEntries(paths) } };
    writeFileSync(join(folder, "document.json"), JSON.stringify(document));
    writeFileSync(
      join(folder, "interface.json"),
      JSON.stringify({ name: "samples", openapi: "document.json", operations }),
    );
    const catalogue = await openCatalogue([folder]);
    const found = new Map<string, readonly string[]>();
    for (const [i, { pointer, value }] of samples.entries()) {
      const exchange = { request: jsonRequest(`/sample-${i}`, [], {}), response: jsonResponse(value) };
      const { findings, operation } = judge(exchange, { source: "", exchange: i }, catalogue, {
        names: namesFrom(),
        policy: lenient,
      });
      if (operation === null) throw new Error(`the sample at ${pointer} was judged by no operation`);
      const faults = findings.filter(({ level }) => level !== "note").map(({ message }) => message);
      if (faults.length > 0) found.set(pointer, faults);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
