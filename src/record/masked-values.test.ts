/** Values of paths, queries, headers and cookies are judged before they are masked, and no secret among them is kept. */
import { expect, test } from "vitest";
import { decodeExchange } from "../cassette/decode.ts";
import { fromHar } from "../cassette/har.ts";
import { toHar } from "../cassette/har-export.ts";
import { exchangeLine } from "../cassette/write.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { createHeadJudge } from "../check/judge-heads.ts";
import { namesFrom } from "../check/names.ts";
import { folderOf, openDocument } from "../documents/documents.test-kit.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { redact } from "../redact/redact.ts";
import { jsonResponse } from "../wire/build.ts";
import type { Exchange, HeaderPairs } from "../wire/exchange.ts";

const integer = { type: "integer", minimum: 0 };
const schemas = {
  page: integer,
  exact: { type: "boolean" },
  state: { type: "string", enum: ["open", "half-closed-2024-11-20"] },
  since: { type: "string", format: "date" },
  lang: { type: "string", pattern: "^[a-z]{2}(-[A-Z]{2})?$" },
  name: { type: "string", pattern: "^[A-Za-z0-9_-]+$" },
  code: { type: "string", pattern: "^v.*$" },
  hex: { type: "string", pattern: "^[0-9a-f]{8}$" },
  q: { type: "string", minLength: 3 },
  ids: { type: "array", items: integer },
  api_key: integer,
};
const inQuery = Object.entries(schemas).map(([name, schema]) => ({ name, in: "query", schema }));
const document = (parameters: readonly object[] = inQuery) => ({
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  paths: {
    "/things": {
      get: {
        tags: ["Things"],
        operationId: "list",
        parameters: [
          ...parameters,
          { name: "X-Depth", in: "header", schema: integer },
          { name: "X-Label", in: "header", schema: { type: "string", minLength: 3 } },
          { name: "theme", in: "cookie", schema: { type: "string", enum: ["dark-as-the-night-2", "light"] } },
          { name: "seen", in: "cookie", schema: { type: "string", minLength: 3 } },
        ],
        responses: {
          200: {
            description: "",
            headers: { "X-Total": { schema: integer }, "X-Page": { schema: { type: "string", minLength: 3 } } },
            content: { "application/json": { schema: { type: "object" } } },
          },
        },
      },
    },
  },
});
const catalogue = await openDocument(document());
const names = namesFrom();
const heads = createHeadJudge(catalogue, names)!;

const ask = (query: string, headers: HeaderPairs = [], reply: HeaderPairs = []): Exchange => {
  const response = jsonResponse({});
  return {
    request: { method: "GET", target: `/things${query}`, headers, body: new Uint8Array() },
    response: { ...response, headers: [...response.headers, ...reply] },
  };
};
const judged = (exchange: Exchange, by = catalogue) => {
  const { findings, exercised } = judge(exchange, { source: "", exchange: 0 }, by, { names, policy: lenient });
  return {
    findings: findings.map(({ clause, pointer, level }) => [clause.replace("Things.", ""), pointer, level]),
    actual: findings.map(({ actual }) => actual),
    exercised: [...exercised],
  };
};
/** As a cassette has it. */
const kept = (exchange: Exchange): Exchange =>
  decodeExchange(JSON.parse(exchangeLine(redact(exchange, { heads }))), "cassette").exchange;

test.each([
  ["?page=-1", [], [], "/page"],
  ["?page=ten", [], [], "/page"],
  ["?exact=maybe", [], [], "/exact"],
  ["?state=closed", [], [], "/state"],
  ["?since=tomorrow", [], [], "/since"],
  ["?lang=english", [], [], "/lang"],
  ["?name=a+b", [], [], "/name"],
  ["?q=ab", [], [], "/q"],
  ["?ids=1&ids=-2", [], [], "/ids/1"],
  ["?ids=1&ids=x", [], [], "/ids"],
  ["", [["X-Depth", "-1"]], [], "/x-depth"],
  ["", [["X-Label", "ab"]], [], "/x-label"],
  ["", [["Cookie", "sid=abc; theme=blue"]], [], "/cookie/theme"],
  ["", [["Cookie", "seen=ab"]], [], "/cookie/seen"],
  ["", [], [["X-Total", "-1"]], "/x-total"],
  ["", [], [["X-Page", "ab"]], "/x-page"],
] as [string, HeaderPairs, HeaderPairs, string][])(
  "%s %j %j: the recording has the violation at %s",
  (query, sent, came, place) => {
    const exchange = ask(query, sent, came);
    const { findings } = judged(exchange);
    expect(findings.map(([, , level]) => level)).toEqual(["error"]);
    const masked = judged(kept(exchange));
    expect(masked.findings.map(([clause, , level]) => [clause, level])).toEqual(
      findings.map(([clause, , level]) => [clause, level]),
    );
    expect(masked.findings[0]![1]).toBe(place);
    expect(masked.exercised).toEqual(judged(exchange).exercised);
    expect(kept(kept(exchange))).toEqual(kept(exchange));
    const [again] = fromHar(JSON.parse(JSON.stringify(toHar([kept(exchange)], "1"))), "har");
    expect(judged(again!.exchange).findings).toEqual(masked.findings);
  },
);

test("values that the document lists, types or dates stay readable, and so do narrow patterns", () => {
  const query = "?page=-1&exact=true&state=half-closed-2024-11-20&since=2024-12-31&lang=en-US&ids=1&ids=2";
  const { request, response } = kept(
    ask(
      query,
      [
        ["X-Depth", "3"],
        ["Cookie", "theme=dark-as-the-night-2"],
      ],
      [["X-Total", "12"]],
    ),
  );
  expect(request.target).toBe(`/things${query}`);
  expect(request.headers).toEqual([
    ["X-Depth", "3"],
    ["Cookie", "theme=dark-as-the-night-2"],
  ]);
  expect(response!.headers).toContainEqual(["X-Total", "12"]);
  expect(request.judged).toBeUndefined();
});

const secrets = [
  "hunter2",
  "s3cr3t-w0rd",
  "sk-4f8a0c2b9d7e6f5a4b3c2d1e",
  "deadbeef",
  "vS3cret",
  "48151623424815162342",
  "en-SECRET",
];

test.each(secrets)("the secret %s stays nowhere, whatever parameter, header or cookie carries it", (secret) => {
  for (const name of Object.keys(schemas))
    expect(exchangeLine(kept(ask(`?${name}=${secret}`))), name).not.toContain(secret);
  for (const name of Object.keys(schemas))
    expect(exchangeLine(kept(ask(`?page=1&${name}[${secret}]=1&${name}[x]=${secret}`))), name).not.toContain(
      `=${secret}`,
    );
  for (const header of ["X-Depth", "X-Label", "X-Other"]) {
    expect(exchangeLine(kept(ask("", [[header, secret]])))).not.toContain(secret);
    expect(
      exchangeLine(kept(ask("", [], [[header.replace("Depth", "Total").replace("Label", "Page"), secret]]))),
    ).not.toContain(secret);
  }
  for (const cookie of [
    `theme=${secret}`,
    `seen=${secret}`,
    `${secret}; theme=dark-as-the-night-2`,
    `${secret}=1; theme=dark-as-the-night-2`,
    `sid=${secret};seen=abc`,
  ])
    expect(exchangeLine(kept(ask("", [["Cookie", cookie]])))).not.toContain(secret);
});

test("a name of a credential is never readable, and neither is a value that is one elsewhere in the exchange", () => {
  expect(kept(ask("?api_key=123456")).request.target).toBe("/things?api_key=%5Bredacted%5D");
  const line = exchangeLine(kept(ask("?page=12345678", [["Authorization", "Bearer 12345678"]])));
  expect(line).not.toContain("12345678");
});

test("findings quote no masked value", () => {
  const { actual } = judged(kept(ask("?page=hunter2", [["Cookie", "theme=hunter2"]])));
  expect(actual).toEqual(["a masked value", "a masked value"]);
});

test("a missing cookie beside others is found", async () => {
  const required = { name: "sid", in: "cookie", required: true, schema: { type: "string" } };
  const own = await openDocument(document([required]));
  const masked = redact(ask("", [["Cookie", "other=secret; theme=dark-as-the-night-2"]]), {
    heads: createHeadJudge(own, names),
  });
  expect(masked.request.headers).toEqual([["Cookie", "[redacted]; theme=dark-as-the-night-2"]]);
  expect(judged(masked, own)).toMatchObject({
    findings: [[expect.any(String), "/cookie/sid", "error"]],
    actual: ["nothing"],
  });
});

test("the presence of a key in a cookie is judged before the cookie is masked", async () => {
  const { paths, ...rest } = document([]);
  const { get } = paths["/things"];
  const parameters = get.parameters.filter((one) => !("in" in one && one.in === "cookie"));
  const own = await openDocument({
    ...rest,
    paths: { "/things": { get: { ...get, parameters } } },
    components: { securitySchemes: { login: { type: "apiKey", in: "cookie", name: "login" } } },
    security: [{ login: [] }],
  });
  const masked = (cookies: string): Exchange =>
    redact(ask("", [["Cookie", cookies]]), { heads: createHeadJudge(own, names) });
  const isMissed = [["things.auth.key-present", "/cookie/login", "error"]];
  for (const [cookies, kept, findings] of [
    ["login=hunter2", "login=[redacted]", []],
    ["other=secret; login=hunter2", "[redacted]; login=[redacted]", []],
    ["other=secret", "[redacted]", isMissed],
    ["login=", "login=[redacted]", isMissed],
  ] as const) {
    const exchange = masked(cookies);
    expect(exchange.request.headers).toEqual([["Cookie", kept]]);
    expect([cookies, judged(exchange, own).findings]).toEqual([cookies, findings]);
    expect(judged(exchange, own).exercised).toEqual(judged(ask("", [["Cookie", cookies]]), own).exercised);
    expect(redact(exchange, { heads: createHeadJudge(own, names) })).toEqual(exchange);
  }
  // Without the document, redaction leaves no name.
  const unread = redact(ask("", [["Cookie", "other=secret"]]));
  expect(judged(unread, own).findings).toEqual([]);
});

test("a verdict of another document is void", async () => {
  const masked = kept(ask("?q=ab"));
  const other = await openDocument({ ...document(), info: { title: "Things", version: "2" } });
  expect(judged(masked, other).findings).toEqual([]);
  const forged = { ...masked.request.judged!, clauses: ["chat-completions.request.model-type", "nothing"] };
  const { exercised } = judged({ ...masked, request: { ...masked.request, judged: forged } });
  const { exercised: own } = judged({ ...masked, request: { ...masked.request, judged: { ...forged, clauses: [] } } });
  expect(exercised).toEqual(own);
});

test("code of a folder does not change the digest by which a verdict holds", async () => {
  const folder = folderOf({
    "interface.json": { name: "things", document: "Things", openapi: { file: "api.json" } },
    "api.json": document(),
    "rules.mjs": "export const rules = [];",
  });
  const [run, unused] = [await openCatalogue([folder]), await openCatalogue([folder], false)];
  const masked = redact(ask("?q=ab"), { heads: createHeadJudge(unused, names) });
  expect(judged(masked, run).findings).toHaveLength(1);
});
