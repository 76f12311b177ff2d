/** A mistyped name is taken for a known one. */
import { expect, test } from "vitest";
import { didYouMean, suggestName } from "./suggest.ts";

test.each([
  ["maxTokens", "max_tokens", "another way of writing it, whatever else is close"],
  ["temprature", "temperature", "a letter left out"],
  ["temperatrue", "temperature", "two edits"],
  ["modl", "model", "one edit of a short name"],
  ["nm", undefined, "two edits of a short name"],
  ["colour", undefined, "another word"],
])("%s suggests %s: %s", (name, meant, _why) => {
  expect(suggestName(name, ["name", "max_token", "max_tokens", "model", "temperature"])).toBe(meant);
});

test.each([
  ["messages.response.stop-reason-requird", "messages.response.stop-reason-required"],
  ["stop-reason-required", "messages.response.stop-reason-required"],
  ["strucured-outptu", "structured-output"],
  ["messages.response.role", "messages.response.role-required"],
  ["strict", undefined],
  ["", undefined],
])("a typed %s means %s", (typed, meant) => {
  const known = [
    "messages.response.id-type",
    "messages.response.role-assistant-only",
    "messages.response.role-required",
    "messages.response.stop-reason-required",
    "structured-output",
    "tools",
  ];
  expect(didYouMean(typed, known)).toBe(meant === undefined ? "" : `Did you mean ${meant}? `);
});
