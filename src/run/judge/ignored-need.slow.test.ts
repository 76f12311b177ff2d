/** A server that gives every image as base64 is told once as not offering `url`, and breaks nothing (reading I-URL-B64). */
import { beforeAll, expect, test } from "vitest";
import type { Catalogue } from "../../check/catalogue.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { plainPng } from "../../interfaces/images/examples/small-png.ts";
import { serveReference } from "../../reference/serve.ts";
import { conclusionText } from "../../report/outline.ts";
import { runExitCode } from "../../verdict/outcome.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import type { RunOptions } from "../options.ts";
import { run } from "../run.ts";

const clause = "images.response.url-present";
const base64Of = (size = 1024): string => Buffer.from(plainPng({ width: size, height: size })).toString("base64");
let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await openCatalogue();
});

/** The results of a run against a reference that gives base64 where `when` says so, whatever it was asked. */
async function ask(
  options: RunOptions = {},
  when: (request: WireRequest) => boolean = () => true,
): Promise<RunResults> {
  const server = await serveReference(catalogue, {
    change: (request, reply) => {
      if (reply.status !== 200 || !when(request)) return reply;
      const body = JSON.parse(Buffer.concat(reply.pieces.map(({ bytes }) => bytes)).toString());
      const size = Number(/"size":\s*"(\d+)x\1"/.exec(Buffer.from(request.body).toString())?.[1] ?? 1024);
      body.data = body.data.map((image: { b64_json?: string }) => ({ b64_json: image.b64_json ?? base64Of(size) }));
      const headers = reply.headers.filter(([name]) => name.toLowerCase() !== "content-length");
      return { ...reply, headers, pieces: [{ bytes: Buffer.from(JSON.stringify(body)) }] };
    },
  });
  try {
    return await run(server.url, {
      interface: ["images"],
      section: ["generations", "variations"],
      key: ["k"],
      model: ["image-v2=image-v2", "image-v3=image-v3", "image-multi=image-multi"],
      probes: false,
      ...options,
    });
  } finally {
    await server.close();
  }
}

const verdictOf = ({ clauses }: RunResults): string | undefined => clauses.find(({ id }) => id === clause)?.verdict;

test("base64 wherever an address is asked for is not offering url, told once, and no failure", async () => {
  const results = await ask();
  expect(conclusionText(results)).toBe("conforms as far as offered; not offered: url");
  expect([runExitCode(results), verdictOf(results)]).toEqual([0, "no-verdict"]);
  const made = results.features?.find(({ name }) => name === "images/generations");
  expect(made).toMatchObject({ outcome: "works", faults: [] });
});

test("--lacks url says so beforehand, and nothing more is told", async () => {
  const results = await ask({ lacks: ["url"] });
  expect([results.incidents, conclusionText(results)]).toEqual([[], "conforms as far as tested"]);
});

test("an address that comes only where it is named is offered, and missing where it is the default", async () => {
  const named = (request: WireRequest): boolean => Buffer.from(request.body).includes("response_format");
  const results = await ask({}, (request) => !named(request));
  expect(runExitCode(results)).toBe(1);
  expect(results.incidents.map(({ problem }) => problem)).toContain(
    "POST /v1/images/generations was answered with b64_json, where the address of an image was asked for",
  );
});

test("a strict reading keeps each of them a failure", async () => {
  const results = await ask({ reading: ["strict:I-URL-B64"] });
  expect([runExitCode(results), verdictOf(results)]).toEqual([1, "fail"]);
});
