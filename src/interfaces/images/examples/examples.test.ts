/** Holds the examples of images: they are good, and together they prove every clause. */

import { beforeAll, describe, expect, test } from "vitest";
import type { Catalogue } from "../../../check/catalogue.ts";
import { lenient } from "../../../check/clause.ts";
import { judge } from "../../../check/judge.ts";
import { namesFrom } from "../../../check/names.ts";
import { type Ground, groundOf } from "../../../prove/ground.ts";
import { prove } from "../../../prove/prove.ts";
import { editHeader } from "../../../wire/edit.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { openCatalogue } from "../../catalogue.ts";
import { refusals } from "./failures.ts";
import { examples } from "./index.ts";
import { edit, generation, opaque, pictures, wideMask } from "./parts.ts";

let catalogue: Catalogue;
let ground: Ground;
beforeAll(async () => {
  catalogue = await openCatalogue();
  ground = await groundOf(catalogue);
});

const names = namesFrom();
const credentials = [["Authorization", "Bearer a-key"]] as const;
const judged = (exchange: Parameters<typeof judge>[0]) =>
  judge(exchange, { source: "example", exchange: 0 }, catalogue, { names, policy: lenient });

describe("examples of images", () => {
  const good = examples.filter((example) => !refusals.includes(example));

  test.each(good.map(({ name }, i) => [name, i] as const))("%s: nothing is found", (_name, i) => {
    const found = judged(good[i]!.exchange).findings.filter(({ level }) => level !== "note");
    expect(found.map(({ clause, message }) => `${clause}: ${message}`)).toEqual([]);
  });

  test.each(refusals.map(({ name }, i) => [name, i] as const))("%s: only the request is at fault", (_name, i) => {
    const { findings } = judged(refusals[i]!.exchange);
    expect(findings.map(({ side }) => side)).toEqual(["request"]);
  });

  test("no two examples share a name", () => {
    expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
  });

  test("every decidable clause passes an example and fails a broken one for its own reason", () => {
    const proof = prove(catalogue, ground, (clause) => clause.interface === "images");
    expect(proof.gaps).toEqual([]);
    expect(proof.proven.length).toBeGreaterThan(130);
  });

  test.each<[string, Exchange, string]>([
    ["half an image of image-v3", generation({ prompt: "x", model: "image-v3", n: 1.5 }), "generations.n-type"],
    ["a model that is no text", generation({ prompt: "x", model: 5 }, pictures(1, 9, 9)), "generations.model-type"],
    [
      "a first image that is no file",
      edit([
        ["model", "image-multi"],
        ["image[]", "x"],
        ["image[]", opaque],
        ["mask", wideMask],
        ["prompt", "x"],
      ]),
      "edits.image-type",
    ],
    [
      "nothing sent with GET",
      {
        ...generation({}),
        request: { ...generation({}).request, method: "GET", body: new Uint8Array(), headers: credentials },
      },
      "request.method-post",
    ],
    [
      "JSON called a form",
      editHeader(generation({ prompt: "x" }), "request", "Content-Type", "multipart/form-data; boundary=x"),
      "generations.content-type",
    ],
  ])("%s is one error", (_name, exchange, clause) => {
    const errors = judged(exchange).findings.filter(({ level }) => level === "error");
    expect(errors.map(({ clause: found }) => found)).toEqual([`images.${clause}`]);
  });

  test("a request for a stream, which is undocumented, may get one or not", () => {
    const { findings } = judged(generation({ prompt: "x", stream: true }));
    expect(findings.map(({ clause }) => clause)).toEqual(["images.generations.unknown-members"]);
  });

  test("a fault that only bytes can have is found at its place", () => {
    const broken = prove(catalogue, ground, (clause) => clause.id === "images.edits.mask-dimensions").counterexamples;
    const exchange = broken.get("images.edits.mask-dimensions")!;
    const [finding] = judged(exchange).findings;
    expect(finding).toMatchObject({ in: "form", pointer: "/mask", level: "error", side: "request" });
  });
});
