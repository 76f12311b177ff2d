/** What only Prism finds is listed with a reason, and a change is made at the place that it names. */
import { expect, test } from "vitest";
import { jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import { editEvents, jsonBodyOf } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { resolvePointer } from "../../wire/pointer.ts";
import { createChance } from "../legal/chance.ts";
import { type Difference, unexplainedDifferences } from "./differential.ts";
import { type Mutant, mutantOf } from "./plant.ts";

const difference: Difference = {
  document: "things.json",
  operation: "make-thing",
  kind: "null",
  side: "request",
  pointer: "/items/*/name",
  reply: "success",
  sent: "application/json",
  keyword: "type",
  says: "must be string",
};

test("a difference needs a reason that has its members, and a place above it explains it", () => {
  const reason = "Because.";
  expect(unexplainedDifferences([difference], [])).toHaveLength(1);
  for (const fits of [{}, { kind: "null" }, { pointer: "/items/*" }, { pointer: difference.pointer, keyword: "type" }])
    expect(unexplainedDifferences([difference], [{ ...fits, reason }]), JSON.stringify(fits)).toEqual([]);
  for (const other of [{ kind: "long text" }, { pointer: "/item" }, { document: "things.json", keyword: "enum" }])
    expect(unexplainedDifferences([difference], [{ ...other, reason }]), JSON.stringify(other)).toHaveLength(2);
});

const request = jsonRequest("/v1/things?limit=5", [["authorization", "Bearer a"]], { items: [{ name: "a", size: 1 }] });
const reply = jsonResponse({ id: "b", tags: ["c"], isNew: true });
const exchanges: readonly Exchange[] = [
  { request, response: { ...reply, headers: [...reply.headers, ["x-count", "1"]] } },
  { request, response: streamResponse([sseEvent({ id: "b" }), sseEvent({ id: "c" }), sseEvent("[DONE]")]) },
];

/** The JSON value that a change is in. */
function partOf({ exchange, side, event }: Mutant): unknown {
  let value: unknown = exchange[side] && jsonBodyOf(exchange[side]);
  if (event !== null) editEvents(exchange, (events) => void (value = events[event]?.data));
  return value;
}

test("one place is changed, and all kinds of changes are made", () => {
  const chance = createChance(1);
  const kinds = new Set<string>();
  for (let i = 0; i < 600; i++) {
    const original = exchanges[i % 2]!;
    const mutant = mutantOf(original, chance);
    kinds.add(mutant.kind);
    expect(mutant.exchange).not.toEqual(original);
    if ((mutant.in !== "body" && mutant.in !== "stream") || mutant.kind === "no body") continue;
    const before = resolvePointer(partOf({ ...mutant, exchange: original }), mutant.pointer);
    const after = resolvePointer(partOf(mutant), mutant.pointer);
    expect(after, `${mutant.kind} ${mutant.pointer}`).not.toEqual(before);
    if (mutant.kind === "member dropped") expect(after).toBeUndefined();
  }
  expect([...kinds].sort()).toEqual([
    "empty text",
    "header dropped",
    "high number",
    "list emptied",
    "long list",
    "long text",
    "low number",
    "member added",
    "member dropped",
    "no body",
    "null",
    "other header",
    "other media type",
    "other method",
    "other parameter",
    "other status",
    "other success",
    "other text",
    "other type",
    "parameter dropped",
  ]);
});
