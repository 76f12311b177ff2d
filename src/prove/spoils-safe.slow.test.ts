/** Spoils are asked about every exchange to which their rule applies: also compressed, without a body, or without a reply. None throws. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import type { Exchange, WireResponse } from "../wire/exchange.ts";

const zipped = <M extends { readonly headers: Exchange["request"]["headers"]; readonly body: Uint8Array }>(
  one: M,
): M => ({
  ...one,
  headers: [...one.headers, ["content-encoding", "gzip"]],
  body: gzipSync(one.body),
});
const empty = new Uint8Array();

/** The same exchange in other legal forms, and forms in which recordings hold what broke off. */
function formsOf({ request, response }: Exchange): Exchange[] {
  const { chunks: _chunks, ...whole } = response ?? ({} as WireResponse);
  return [
    { request, response: null },
    ...(response
      ? [
          { request: zipped(request), response: zipped(whole as WireResponse) },
          { request: { ...request, body: empty }, response: { ...whole, body: empty } as WireResponse },
          { request, response: { ...whole, headers: [], body: Buffer.from("null") } as WireResponse },
        ]
      : []),
  ];
}

const catalogue = await openCatalogue();
const judging = { names: namesFrom(), policy: lenient };

test.each(catalogue.interfaces.map((one) => [one.name, one] as const))(
  "no spoil of %s throws",
  async (name, { rules }) => {
    const failed = new Set<string>();
    let asked = 0;
    for (const { exchange } of ((await catalogue.examples()).exchanges[name] ?? []).slice(0, 40))
      for (const form of formsOf(exchange)) {
        // It counts on what its rule has seen.
        const { exercised } = judge(form, { source: "", exchange: 0 }, catalogue, judging);
        for (const { clause, spoil } of rules)
          try {
            if (exercised[catalogue.indexOf(clause)] === 0) continue;
            asked++;
            spoil(form);
          } catch (error) {
            failed.add(`${clause}: ${(error as Error).message}`);
          }
      }
    expect([...failed].sort()).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  },
);
