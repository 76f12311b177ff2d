/** Readings X-MASKED and X-MISSING-KEY: what a request without a credential, and the refusal of one, come to. */
import { describe, expect, test } from "vitest";
import { type FindingLevel, lenient, type Policy } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { type Bindings, namesFrom } from "../../check/names.ts";
import { jsonRequest, jsonResponse, utf8 } from "../../wire/build.ts";
import type { Exchange, HeaderPairs, WireResponse } from "../../wire/exchange.ts";
import { openCatalogue } from "../catalogue.ts";

const catalogue = await openCatalogue();
const strict = (id: string): Policy => ({ strict: new Set([id]), openEnums: false });

function judged(exchange: Exchange, policy: Policy = lenient, bindings: Bindings = {}) {
  const { findings, undecided } = judge(exchange, { source: "", exchange: 0 }, catalogue, {
    names: namesFrom(bindings),
    policy,
  });
  const ofKeys = (clause: string): boolean => clause.includes(".auth.");
  return {
    levels: Object.fromEntries(
      findings
        .filter(({ clause }) => ofKeys(clause))
        .map(({ clause, level }): [string, FindingLevel] => [clause, level]),
    ),
    undecided: undecided.map(({ clause }) => clause).filter(ofKeys),
  };
}

const version: HeaderPairs = [["partner-version", "2023-06-01"]];
const talk = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi." }] };
const keyless: Readonly<Record<string, (response: WireResponse | null, more?: object) => Exchange>> = {
  messages: (response, more = {}) => ({
    request: jsonRequest("/v1/messages", version, { ...talk, ...more }),
    response,
  }),
  "generate-content": (response, more = {}) => ({
    request: jsonRequest("/v1beta/models/m:generateContent", [], { contents: [{ parts: [{ text: "Hi." }] }], ...more }),
    response,
  }),
};
const required: Readonly<Record<string, string>> = {
  messages: "messages.auth.key-required",
  "generate-content": "generate-content.auth.key",
};
const status: Readonly<Record<string, string>> = {
  messages: "messages.auth.missing-key-refused",
  "generate-content": "generate-content.auth.missing-key-status",
};
const faulty: Readonly<Record<string, object>> = {
  messages: { max_tokens: "many" },
  "generate-content": { contents: 7 },
};
const says = (message: string, code: number): WireResponse =>
  jsonResponse({ error: { type: "invalid_request_error", message, code, status: "INVALID_ARGUMENT" } }, code);
const silent = (code: number): WireResponse => ({ status: code, headers: [], body: new Uint8Array(0) });

describe.each(Object.keys(keyless))("the refusal of a request without a key, in %s", (name) => {
  const ask = keyless[name]!;
  const clause = status[name]!;

  test.each<[string, WireResponse]>([
    ["says that the key is missing", says("Please use API Key", 403)],
    ["calls the key missing", says("x-api-key is required", 400)],
    ["calls the key invalid", says("API key not valid. Please pass a valid API key.", 400)],
    ["calls callers unregistered", says("Method doesn't allow unregistered callers.", 403)],
    ["speaks of credentials", says("You have no permission to do this.", 403)],
    ["speaks of authentication", says("Request had no authentication.", 400)],
    ["says so under a status of its own", says("No API key found in request", 405)],
    ["orders one to be sent", says("You need to provide your API key in a header.", 400)],
    [
      "lists the header as missing",
      jsonResponse({ detail: [{ loc: ["header", "x-api-key"], msg: "Field required" }] }, 422),
    ],
    ["speaks of a bearer token", says("Missing bearer token", 400)],
    ["says nothing", silent(403)],
    ["says nothing in HTML", { ...silent(403), body: utf8("<h1>403 Forbidden</h1><hr><center>nginx</center>") }],
    ["says no more than its status", says("Bad Request", 400)],
  ])("is to be 401 where it %s", (_what, response) => {
    expect(judged(ask(response)).levels).toMatchObject({ [clause]: "error" });
  });

  test.each<[string, WireResponse]>([
    ["speaks of a parameter", says("temperature is not supported by this model", 400)],
    ["speaks of the model", says("model m does not exist or you have no permission to use it", 404)],
    ["speaks of a key of an object", says("Unknown key 'top_k' in the request", 400)],
    ["asks for a key of an object", says("metadata: a key is required for each value", 400)],
    ["tells what keys are good for", says("Unknown member. See how to use your API key for beta features", 404)],
    ["has no model for a key", says("There is no model m for your API key", 404)],
    ["says nothing but that the path is unknown", silent(404)],
  ])("is no verdict where it %s, unless the reading is strict", (_what, response) => {
    expect(judged(ask(response)).levels).not.toHaveProperty([clause]);
    expect(judged(ask(response)).undecided).toContain(clause);
    expect(judged(ask(response), strict("X-MISSING-KEY")).levels).toMatchObject({ [clause]: "error" });
    expect(judged(ask(response), strict("X-MISSING-KEY")).undecided).not.toContain(clause);
  });

  test("of a request with another fault counts only where it says that the key is missing", () => {
    const other = ask(says("You have no permission to do this.", 403), faulty[name]);
    expect(judged(other)).toMatchObject({ levels: expect.not.objectContaining({ [clause]: "error" }) });
    expect(judged(other).undecided).toContain(clause);
    expect(judged(ask(says("No API key was provided.", 403), faulty[name])).levels).toMatchObject({
      [clause]: "error",
    });
  });

  test("is as it should be with 401, and 429 or 500 are none", () => {
    for (const code of [401, 429, 500]) {
      const { levels, undecided } = judged(ask(says("temperature is odd", code)));
      expect([levels[clause], undecided.includes(clause)]).toEqual([undefined, false]);
    }
  });
});

describe.each(Object.keys(keyless))("a recording without a credential, in %s", (name) => {
  const ask = keyless[name]!;
  const clause = required[name]!;

  test("is judged where it was made live", () => {
    expect(judged(ask(null))).toEqual({ levels: { [clause]: "error" }, undecided: [] });
  });

  test("is no verdict where it was imported, unless the reading is strict", () => {
    const exchange: Exchange = { ...ask(null), imported: "HAR" };
    expect(judged(exchange)).toEqual({ levels: {}, undecided: [clause] });
    expect(judged(exchange, strict("X-MASKED"))).toEqual({ levels: { [clause]: "error" }, undecided: [] });
  });

  test("is judged where the importer kept another credential", () => {
    const { request } = ask(null);
    const exchange: Exchange = {
      request: { ...request, headers: [...request.headers, ["api-key", "[redacted]"]] },
      response: null,
      imported: "HAR",
    };
    expect(judged(exchange).levels).toHaveProperty([clause]);
  });

  test("is judged as whoever judges says", () => {
    expect(judged({ ...ask(null), imported: "HAR" }, lenient, { credentials: "kept" }).levels).toEqual({
      [clause]: "error",
    });
    expect(judged(ask(null), lenient, { credentials: "may-be-dropped" }).levels).toEqual({});
  });

  test("was sent without a key where the reply says so", () => {
    const dropped: Exchange = { ...ask(says("Please use API Key", 403)), imported: "VCR" };
    expect(judged(dropped).levels).toEqual({ [status[name]!]: "error" });
    expect(judged({ ...ask(silent(403)), imported: "VCR" }).levels).toEqual({});
  });

  test.each([
    "API key not valid. Please pass a valid API key.",
    "API Key not found. Please pass a valid API key.",
    "Your API key was reported as leaked. Please use another API key.",
    "The API key does not have the required permissions for this model",
  ])("was sent with a key where the reply does not accept it: %s", (message) => {
    expect(judged({ ...ask(says(message, 403)), imported: "VCR" }).levels).not.toHaveProperty([status[name]!]);
  });
});

test.each([
  [
    { type: "error", error: { type: "authentication_error", message: "No key." } },
    "the body of the answer is an error",
  ],
  [{ type: "message" }, "say --lacks keys"],
])("an answer with 200 to a request without a key says what its body is: %j", (body, hint) => {
  const exchange = keyless["messages"]!(jsonResponse(body));
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, {
    names: namesFrom({}),
    policy: lenient,
    probe: true,
  });
  const found = findings.find(({ clause }) => clause === "messages.auth.missing-key-refused");
  expect(found?.message).toContain(hint);
});
