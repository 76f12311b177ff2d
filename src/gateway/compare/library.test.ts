/** Holds what is said of a client library: its warnings and lacks are told as such, and nothing else is excused. */
import { expect, test } from "vitest";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { compareTrip } from "../compare.ts";
import { libraryNamed } from "../library/find.ts";
import { compared, request, response } from "./compare.test-kit.ts";

const catalogue = await openCatalogue();
const { library } = libraryNamed("ai");

type Body = Readonly<Record<string, unknown>>;

/** What becomes of a fact of a request for messages. @param warnings of the library */
function became(fact: string, asked: Body, arrived: Body, ...warnings: readonly string[]): string | undefined {
  const reply = response({ id: "m", type: "message", role: "assistant", content: [], stop_reason: "end_turn" });
  const headers = warnings.map((text) => ["warning", `299 - ${JSON.stringify(text)}`] as const);
  const client = { request: request("m", asked), response: { ...reply, headers: [...reply.headers, ...headers] } };
  const upstream = [{ request: request("m", arrived), response: reply }];
  const terms = { strict: false, catalogue, names: namesFrom(), library };
  const found = compareTrip({ id: "by hand", client, upstream }, { from: "messages", to: "messages" }, terms);
  return found.find((one) => one.side === "request" && one.fact === fact)?.outcome;
}

const tools = [{ name: "look", input_schema: { type: "object" } }];
const bash = [{ type: "bash_20241022", name: "bash" }];

test.each([
  ["what arrives is kept", "sampling.top-k", { top_k: 5 }, { top_k: 5 }, [], "kept"],
  ["what is lost without a word is dropped", "sampling.top-k", { top_k: 5 }, {}, [], "dropped"],
  ["what is lost with a warning is refused", "sampling.top-k", { top_k: 5 }, {}, ["topK: not supported"], "refused"],
  ["a warning of another fact excuses nothing", "sampling.top-k", { top_k: 5 }, {}, ["topP: no"], "dropped"],
  ["a warning does not belittle what arrived", "sampling.top-k", { top_k: 5 }, { top_k: 5 }, ["topK: odd"], "kept"],
  ["another value is changed", "sampling.top-k", { top_k: 5 }, { top_k: 6 }, [], "changed"],
  ["what nobody asked is invented", "sampling.top-k", {}, { top_k: 6 }, [], "invented"],
  [
    "nobody's thinking is invented",
    "thinking",
    {},
    { thinking: { type: "enabled", budget_tokens: 2000 } },
    [],
    "invented",
  ],
  ["what is not asked for shows nothing", "tools.built-in", { tools: bash }, {}, [], "not-shown"],
  [
    "a choice among tools that are not declared shows nothing",
    ...["tools.choice", { tools: bash, tool_choice: { type: "any" } }, {}, [], "not-shown"],
  ],
  [
    "a lost choice among declared tools is dropped",
    ...["tools.choice", { tools, tool_choice: { type: "any" } }, { tools }, [], "dropped"],
  ],
  [
    "the budget for thinking may be added to the bound on tokens",
    "limits.max-tokens",
    { max_tokens: 4096, thinking: { type: "enabled", budget_tokens: 2048 } },
    ...[{ max_tokens: 6144, thinking: { type: "enabled", budget_tokens: 2048 } }, [], "kept"],
  ],
] as readonly (readonly [string, string, Body, Body, readonly string[], string])[])(
  "%s",
  (_what, fact, asked, arrived, warnings, outcome) => {
    expect(became(fact, asked, arrived, ...warnings)).toBe(outcome);
  },
);

test("a gateway is not excused by warnings of its own", () => {
  const reply = response({}, 200);
  const client = {
    request: request("m", { top_k: 5 }),
    response: { ...reply, headers: [...reply.headers, ["warning", '299 - "topK: not supported"'] as const] },
  };
  const found = compared("mm", client, [{ request: request("m", {}), response: reply }]);
  expect(found.find(({ fact }) => fact === "sampling.top-k")?.outcome).toBe("dropped");
});
