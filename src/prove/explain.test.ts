/** A clause is explained by an example that passes it and one that fails it. */

import { expect, test } from "vitest";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { explainClause } from "./explain.ts";
import { groundOf } from "./ground.ts";

const catalogue = await openCatalogue();
const ground = await groundOf(catalogue);
const explained = (id: string) => explainClause(catalogue.clauses[catalogue.indexOf(id)]!, catalogue, ground);

test("a clause of shape shows the value before and after", () => {
  expect(explained("chat-completions.request.temperature-range")).toMatchObject({
    place: "the request body at /temperature",
    passes: expect.stringMatching(/^[\d.]+$/),
    fails: "-1",
    level: "error",
    strict: false,
    message: expect.stringContaining("expected at least 0, got -1"),
  });
});

test("headers, queries and events are shown where they stand", () => {
  expect(explained("messages.request.version-required")).toMatchObject({
    fails: "nothing",
  });
  expect(explained("generate-content.auth.key")).toMatchObject({
    place: "the query parameter key",
    passes: '"test-key"',
    fails: "nothing",
  });
  expect(explained("chat-completions.streaming.object-value")).toMatchObject({
    place: "event 0 at /object",
    passes: '"chat.completion.chunk"',
  });
});

test("a part that is missing at the end of a stream has nothing to show before", () => {
  const shown = explained("chat-completions.streaming.done-sent");
  expect(shown).toMatchObject({ fails: "the end of the stream" });
  expect(shown).not.toHaveProperty("passes");
});

test("a clause that only strict readings find says so, and one that no exchange shows has no example", () => {
  expect(explained("messages.response.model-echo")).toMatchObject({ strict: true });
  expect(
    explainClause(catalogue.clauses.find(({ kind }) => kind === "unobservable")!, catalogue, ground),
  ).toBeUndefined();
});
