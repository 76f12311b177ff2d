/** A refusal of a probe may speak of the rule, or have another explanation. */

import { expect, test } from "vitest";
import type { Probe, Twin } from "../../check/probe.ts";
import { chatCompletions } from "../../interfaces/chat-completions/index.ts";
import { jsonRequest, jsonResponse } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { furtherNeeds, otherReason } from "./refusal-reasons.ts";

const ask = { role: "user", content: "Say hello." };
const requestOf = (members: object) =>
  jsonRequest("/v1/chat/completions", [], { model: "chat-model", messages: [ask], ...members });

const twinOf = (members: object = {}): Twin => ({
  interface: "chat-completions",
  operation: "chat",
  name: "request/seed-type",
  request: requestOf(members),
});
const probeOf = (kind: Probe["kind"], members: object, clause = "chat-completions.request.seed-type"): Probe => ({
  clause,
  kind,
  how: "type at /seed",
  twin: 0,
  request: requestOf(members),
});
const refused = ({ request }: Probe, message: string, status = 400): Exchange => ({
  request,
  response: jsonResponse({ error: { message } }, status),
});

test("a refusal that speaks of the value has no other reason", () => {
  for (const kind of ["beyond", "within"] as const) {
    const probe = probeOf(kind, { seed: 3 });
    expect(otherReason(refused(probe, "seed must be less than 2"), probe, twinOf(), chatCompletions)).toBeUndefined();
  }
});

test("the caller explains a refusal, unless the rule is about keys", () => {
  const probe = probeOf("beyond", { seed: "x" });
  expect(otherReason(refused(probe, "no", 403), probe, twinOf(), chatCompletions)).toMatch(/who asks/);
  const ofKeys = { ...probeOf("beyond", {}), ofKey: true as const };
  expect(otherReason(refused(ofKeys, "no", 401), ofKeys, twinOf(), chatCompletions)).toBeUndefined();
});

test("a model of another kind that the target does not have explains a refusal", () => {
  const probe = probeOf("beyond", { model: "not-reasoning" });
  expect(otherReason(refused(probe, "the model `small` does not exist"), probe, twinOf(), chatCompletions)).toMatch(
    /not-reasoning/,
  );
  expect(
    otherReason(refused(probe, "reasoning_effort is not for this model"), probe, twinOf(), chatCompletions),
  ).toBeUndefined();
});

test("a feature that only the probe asks for explains its refusal", () => {
  const probe = probeOf("within", { response_format: { type: "json_object" } });
  expect(furtherNeeds(probe, twinOf(), chatCompletions)).toEqual(["json-mode"]);
  expect(otherReason(refused(probe, "no"), probe, twinOf(), chatCompletions)).toMatch(/json-mode/);
  const same = twinOf({ response_format: { type: "json_object" } });
  expect(otherReason(refused(probe, "no"), probe, same, chatCompletions)).toBeUndefined();
});

test("an unsupported feature or a cut reply is no wrong limit", () => {
  const probe = probeOf("within", { seed: 3 });
  expect(otherReason(refused(probe, "seed is not supported"), probe, twinOf(), chatCompletions)).toMatch(/unsupported/);
  expect(otherReason(refused(probe, "max_tokens was reached"), probe, twinOf(), chatCompletions)).toMatch(/cuts/);
  const bound = probeOf("within", { max_tokens: 3 }, "chat-completions.request.max-tokens-range");
  expect(
    otherReason(refused(bound, "max_tokens is too low"), bound, twinOf({ max_tokens: 9 }), chatCompletions),
  ).toBeUndefined();
});

test("a feature that only the probe asks for and that is unsupported explains a refusal beyond the rule, too", () => {
  const probe = probeOf("beyond", { tools: [{}] }, "chat-completions.tools.tool-type");
  expect(otherReason(refused(probe, "tools are not supported"), probe, twinOf(), chatCompletions)).toMatch(/tools/);
  expect(otherReason(refused(probe, "tools.0.type is missing"), probe, twinOf(), chatCompletions)).toBeUndefined();
});
