/** Whatever legal request is made, the reference implementation accepts it, and answers as the documents say. */
import { describe, expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { createReference } from "../../reference/reference.ts";
import { runsOf, seedOf } from "../random.test-kit.ts";
import { interfaceNames, legalExchange } from "./legal.ts";

const catalogue = await openCatalogue();
const names = namesFrom();
const seed = seedOf(20_261_120);
const runs = runsOf(40);

describe(`seed ${seed}`, () => {
  const serve = createReference(catalogue, () => "http://127.0.0.1:9");

  test.each(interfaceNames)(`${runs} legal requests of %s answered without an error`, (of) => {
    const accusations = new Map<string, string>();
    for (let at = seed; at < seed + runs; at++) {
      const { request } = legalExchange(of, [], at).exchange;
      const { status, headers, pieces } = serve(request);
      const response = { status, headers, body: Buffer.concat(pieces.map(({ bytes }) => bytes)) };
      const { findings } = judge({ request, response }, { source: "", exchange: 0 }, catalogue, {
        names,
        policy: lenient,
      });
      const told = findings.filter(({ level }) => level === "error").map(({ clause, message }) => [clause, message]);
      if (status >= 300) told.push([`status ${status}`, response.body.toString().slice(0, 300)]);
      for (const [what, message] of told)
        if (!accusations.has(what!)) accusations.set(what!, `TOUCHSTONE_SEED=${at} ${what}: ${message}`);
    }
    expect([...accusations.values()]).toEqual([]);
  });
});
