/** A page's data says what results say, and two pages are the same where their data is, however it was compressed. */

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { interfaces } from "../../interfaces/index.ts";
import { replaceText } from "../../replace-text.test-kit.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import { formatMarkdown } from "../markdown.ts";
import { clauses, finding, green, results } from "../results.test-kit.ts";
import { formatText } from "../text.ts";
import { createPacker, packed } from "./pack.ts";
import { reportPage } from "./page.ts";
import { pageDataOf } from "./page-data.ts";
import { isSamePage } from "./same.ts";

const sources = { clauses, readings: {}, clients: [], made: null };
const bundle = { script: "script", style: "style" };
const exchange = {
  request: { method: "POST", target: "/v1/messages?x", headers: [], body: new Uint8Array() },
  response: { status: 200, headers: [], body: Buffer.from(`{"text":"${"long ".repeat(1000)}"}`) },
};

/** Results with the exchange of the finding, and another with the same answer. */
function packedBoth() {
  const packer = createPacker(results, interfaces);
  const { source } = finding;
  packer.add({ exchange, asked: { source, exchange: 3, part: "scenario" } });
  packer.add({ exchange, asked: { source, exchange: 2, part: "scenario" } });
  return packer.finish("all");
}

const pageOf = () => [...reportPage(results, sources, packedBoth(), bundle)].join("");
const jsonOf = (block: string): string => inflateRawSync(Buffer.from(block, "base64")).toString("utf8");

test("the verdict is one sentence, and the share counts what could have been shown", () => {
  const { index } = packedBoth();
  const { verdict, troubles, name } = pageDataOf(results, sources, index);
  expect(name).toBe("127.0.0.1:8080");
  const named = { ...results, target: { ...results.target, name: "A gateway" } };
  expect(pageDataOf(named, sources, index).name).toBe("A gateway");
  expect(verdict.sentence).toBe(
    "This does not do what the documents say: 1 of the 3 statements tested does not hold, 1 request was not answered as recorded, 1 known failure did not happen.",
  );
  expect([verdict.shown, verdict.of]).toEqual([3, 5]);
  expect(troubles).toEqual(["messages.response.usage is a known failure, and does not fail: take the entry out"]);
  expect(pageDataOf(green, sources, index).verdict.sentence).toBe(
    "This does what the documents say, as far as it was tested: all 1 statements tested hold.",
  );
  expect(pageDataOf({ ...green, complete: false }, sources, index).verdict.state).toBe("incomplete");
});

test("rows of requests add up, in text and on the page; none stand in the text if all responses were judged", () => {
  const { index } = packedBoth();
  const { exchanges } = results.summary;
  const probes = [{ interface: "messages", requests: exchanges, paid: 0 }];
  const asked = { ...results, plan: { ...results.plan, exchanges: 2, probes } };
  const [[, planned], ...rows] = pageDataOf(asked, sources, index).requests as [
    [string, number],
    ...[string, number][],
  ];
  expect([planned, rows.map(([, count]) => count)]).toEqual([exchanges + 2, [exchanges, 0, 2]]);
  expect(formatText(asked, { clauses, verbose: false })).toMatch(
    /\n5 requests planned\n {2}3 responses judged\n {2}2 without/,
  );
  const all = { ...asked, plan: { ...asked.plan, exchanges: 0 } };
  expect(formatText(all, { clauses, verbose: false })).not.toContain("requests planned");
});

test("an interface that is not offered counts nowhere, and its requests have a row of their own", () => {
  const { index } = packedBoth();
  const absent = {
    ...results,
    clauses: [...results.clauses, { id: "images.response.created", verdict: "no-verdict", exercised: 0, failed: 0 }],
    incidents: [{ ...results.incidents[0]!, interface: "images", kind: "absent", explainedBy: "images" }],
    plan: { ...results.plan, exchanges: 3, probes: [{ interface: "images", requests: 7, paid: 0 }] },
  } as unknown as RunResults;
  const { lacking, requests, verdict } = pageDataOf(absent, sources, index);
  expect([lacking, requests.map(([, count]) => count)]).toEqual([["images"], [10, 3, 7, 0]]);
  expect(verdict).toEqual({ ...pageDataOf(results, sources, index).verdict, sentence: verdict.sentence });
  for (const text of [formatText(absent, { clauses }), formatMarkdown(absent, { clauses })])
    expect(text).toContain(`${results.clauses.length} clauses: `);
});

test("exchanges stand in order with what was found in them, also those that were not kept, and a text that several hold stands once", () => {
  const { index, blocks } = packedBoth();
  const rows = index.exchange.map((position, row) => [index.sources[index.source[row]!], position, index.worst[row]]);
  expect(rows).toEqual([
    [finding.source, 2, 3],
    [finding.source, 3, 0],
    ["messages/tools/call.json", 0, 3],
  ]);
  expect(index.operations[index.operation[1]!]).toBe("POST /v1/messages");
  const read = (row: number) => JSON.parse(jsonOf(blocks[index.block[row]! - 1]!))[index.item[row]!];
  expect(read(0).findings).toEqual([finding]);
  expect(read(1).exchange.response.body).toEqual(read(0).exchange.response.body);
  expect(read(2)).not.toHaveProperty("exchange");
  expect(index.shared).toHaveLength(1);
  expect(JSON.parse(jsonOf(blocks[index.shared[0]! - 1]!))[0]).toContain("long long");
  expect(pageDataOf(results, sources, index).groups[0]!.at).toEqual([0]);
});

test("a page is the same however its data was compressed, and another where one word of it changed", () => {
  const page = pageOf();
  const last = /(?<=id="block-1">)[^<]+/;
  const change = (make: (json: string) => string) => replaceText(page, last, (block) => make(jsonOf(block)));
  const again = change((json) => deflateRawSync(json, { level: 0 }).toString("base64"));
  expect(again).not.toBe(page);
  expect(isSamePage(again, page)).toBe(true);
  expect(
    isSamePage(
      change((json) => packed(replaceText(json, "end_turn", "end_turm"))),
      page,
    ),
  ).toBe(false);
  expect(
    isSamePage(
      change((json) => packed(json + " ".repeat(1e6))),
      page,
    ),
  ).toBe(false);
  expect(
    isSamePage(
      change(() => "no block"),
      page,
    ),
  ).toBe(false);
  expect(isSamePage(replaceText(page, "<script>script", "<script>alert(1)"), page)).toBe(false);
  expect(isSamePage(`${page}<p>more`, page)).toBe(false);
});
