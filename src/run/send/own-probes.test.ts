/** Probes of users' own documents: made at start of their examples, beside those made at build time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describedIn } from "../../documents/folder.test-kit.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { jsonRequest } from "../../wire/build.ts";
import { planRun } from "../plan-run.ts";
import { openProbes, shippedProbes } from "./probes.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-probes-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function probesWith(name: string, path: string) {
  const catalogue = await openCatalogue([describedIn(folder, name, `POST ${path}`, "input")]);
  const exchange = { request: jsonRequest(path, [], { input: "a text" }), response: null };
  const examples = async () => ({ exchanges: { [name]: [{ name: "a text", exchange }] }, conversations: {} });
  return openProbes({ ...catalogue, examples });
}

test("an interface of one's own has probes beside those of the others, which stay as they are", async () => {
  const shipped = shippedProbes();
  const { twins, probes } = await probesWith("embeddings", "/v1/embeddings");
  expect(twins.slice(0, -1)).toEqual(shipped.twins);
  expect(probes.slice(0, shipped.probes.length)).toEqual(shipped.probes);
  const [own, ...others] = probes.slice(shipped.probes.length);
  expect(others.every(({ twin }) => twin === twins.length - 1)).toBe(true);
  expect(own).toMatchObject({ clause: "embeddings.request.input-type", kind: "beyond", twin: twins.length - 1 });
});

test("those of an interface that is replaced are left out, and the others keep their twins", async () => {
  const { twins, probes } = await probesWith("images", "/v1/images/generations");
  expect(new Set(probes.filter(({ clause }) => clause.startsWith("images.")).map(({ clause }) => clause))).toEqual(
    new Set(["images.request.input-type"]),
  );
  for (const { clause, twin } of probes) expect(twins[twin]!.interface).toBe(clause.split(".")[0]);
});

test("a run is about the interfaces of one's own alone, unless others are named", async () => {
  const documents = [describedIn(folder, "embeddings", "POST /v1/embeddings", "input")];
  const { plan } = await planRun(undefined, { documents });
  expect(plan.interfaces).toEqual(["embeddings"]);
  expect(plan.cassettes).toEqual([]);
  const named = await planRun(undefined, { documents, interface: ["messages"] });
  expect(new Set(named.plan.cassettes.map((one) => one.interface))).toEqual(new Set(["messages"]));
});
