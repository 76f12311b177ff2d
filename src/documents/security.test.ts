/** Keys of users' own interfaces: read from security schemes, sent there by a run, and demanded only if the document does. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { run, serve } from "../index.ts";
import { jsonRequest } from "../wire/build.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { documentOf, folderOf, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";
import { openApiOf } from "./openapi.ts";
import { securityIn } from "./operations.ts";
import { keyOf } from "./security.ts";

const bearer = { type: "http", scheme: "Bearer" };
const basic = { type: "http", scheme: "basic" };
const oauth = { type: "oauth2", flows: {} };
const inHeader = { type: "apiKey", in: "header", name: "X-Api-Key" };
const inQuery = { type: "apiKey", in: "query", name: "key" };
const inCookie = { type: "apiKey", in: "cookie", name: "session" };
const schemes = {
  bearer,
  basic,
  oauth,
  inHeader,
  inQuery,
  inCookie,
  secondCookie: { type: "apiKey", in: "cookie", name: "csrf" },
  unsendableCookie: { type: "apiKey", in: "cookie", name: "a;b" },
  certificate: { type: "mutualTLS" },
  cookieHeader: { type: "apiKey", in: "header", name: "Cookie" },
  unsendable: { type: "apiKey", in: "header", name: "X Api\nKey" },
  other: { $ref: "#/components/securitySchemes/inHeader" },
};

const authorization = { header: "authorization" };
const xApiKey = { header: "x-api-key" };
const session = { cookie: "session" };

const post = { method: "POST", parameters: [] };

test.each<[what: string, security: unknown, key: object | undefined, ways: unknown]>([
  ["a bearer token", [{ bearer: [] }], authorization, [[authorization]]],
  ["a header", [{ inHeader: [] }], xApiKey, [[xApiKey]]],
  ["a reference", [{ other: [] }], xApiKey, [[xApiKey]]],
  ["the query", [{ inQuery: [] }], { query: "key" }, [[{ query: "key" }]]],
  ["alternatives", [{ bearer: [] }, { inHeader: [] }], authorization, [[authorization], [xApiKey]]],
  [
    "two keys, of which the request has to carry one alone",
    [{ bearer: [], inHeader: [] }, { bearer: [] }],
    authorization,
    [[authorization, xApiKey], [authorization]],
  ],
  ["a key beside a cookie", [{ inCookie: [], bearer: [] }], authorization, [[authorization]]],
  ["a key beside a certificate", [{ certificate: [], bearer: [] }], authorization, [[authorization]]],
  ["two keys at once, which a run cannot carry", [{ bearer: [], inHeader: [] }], authorization, undefined],
  ["a key or none", [{ bearer: [] }, {}], authorization, undefined],
  ["a cookie", [{ inCookie: [] }], session, [[session]]],
  ["a key or a cookie", [{ inCookie: [] }, { bearer: [] }], authorization, [[session], [authorization]]],
  ["a cookie or a token that has other places as well", [{ inCookie: [] }, { oauth: [] }], authorization, undefined],
  ["a cookie or none", [{ inCookie: [] }, {}], session, undefined],
  ["two cookies at once, which a run cannot carry", [{ inCookie: [], secondCookie: [] }], session, undefined],
  ["a cookie of a name that no request can carry", [{ unsendableCookie: [] }], undefined, undefined],
  ["a key or a certificate", [{ bearer: [] }, { certificate: [] }], authorization, undefined],
  ["a key or a cookie that is written as a header", [{ bearer: [] }, { cookieHeader: [] }], authorization, undefined],
  ["a header that cannot be sent", [{ unsendable: [] }], undefined, undefined],
  ["a certificate", [{ certificate: [] }], undefined, undefined],
  ["a scheme that challenges first", [{ basic: [] }], authorization, undefined],
  ["a token that has other places as well", [{ oauth: [] }, { bearer: [] }], authorization, undefined],
  ["no list", undefined, undefined, undefined],
  ["an empty list", [], undefined, undefined],
  ["names in place of alternatives", ["bearer"], undefined, undefined],
  ["null", null, undefined, undefined],
  ["a scheme of no name in the document", [{ toString: [] }, { gone: [] }], undefined, undefined],
])("security is read: %s", (_what, security, key, ways) => {
  const doc = openApiOf({ components: { securitySchemes: schemes }, paths: {}, security }, "api");
  const found = keyOf(doc, new Map([["POST /things", { ...post, security: securityIn(security) }]]));
  expect([found.key, found.keyDemand?.ways.get("POST /things")]).toEqual([key, ways]);
});

test.each<
  [what: string, method: string, name: string, place: "header" | "query", required: boolean, isDemanded: boolean]
>([
  ["a preflight", "OPTIONS", "x", "query", true, false],
  ["a trace, which may carry none", "TRACE", "x", "query", true, false],
  ["a required parameter that is the key", "GET", "X-API-Key", "header", true, false],
  ["a parameter that is the key", "GET", "X-API-Key", "header", false, true],
  ["a parameter of the same name in the query", "GET", "x-api-key", "query", true, true],
])("a key beside %s", (_what, method, name, place, required, isDemanded) => {
  const doc = openApiOf({ components: { securitySchemes: schemes }, paths: {} }, "api");
  const parameter = { name, in: place, required, pointer: "", schema: undefined, isJson: false };
  const { keyDemand } = keyOf(doc, new Map([["one", { method, parameters: [parameter], security: [["inHeader"]] }]]));
  expect(keyDemand?.ways.has("one") ?? false).toBe(isDemanded);
});

/** The document of the kit, with operations of these lists; the first takes that of the document. */
function securedDocument(security: unknown, operations: Readonly<Record<string, unknown>> = {}) {
  const { components, paths, ...rest } = documentOf({ type: "object" });
  const { post } = paths["/things"];
  const others = Object.entries(operations).map(([path, own]) => [
    path,
    { post: { ...post, operationId: undefined, security: own } },
  ]);
  return {
    ...rest,
    ...(security !== undefined && { security }),
    paths: { ...paths, ...Object.fromEntries(others) },
    components: { ...components, securitySchemes: schemes },
  };
}

test("requests of operations that demand a key break a clause without one, and no others do", async () => {
  const catalogue = await openDocument(
    securedDocument([{ bearer: [] }, { inQuery: [] }], {
      "/open": [],
      "/optional": [{ bearer: [] }, {}],
      "/unknown": [{ gone: [] }],
      "/same": [{ bearer: [] }],
    }),
  );
  const broken = (path: string, headers: HeaderPairs = []): string[] => {
    const exchange = { request: jsonRequest(`/v1${path}`, headers, {}), response: null };
    const at = { source: "", exchange: 0 };
    return judge(exchange, at, catalogue, { names: namesFrom(), policy: lenient }).findings.map(({ clause }) => clause);
  };
  for (const path of ["/things", "/things?other=key", "/same", "/same?key=k"])
    expect([path, broken(path)]).toEqual([path, ["things.auth.key-present"]]);
  for (const path of ["/open", "/optional", "/unknown", "/things?key=k"])
    expect([path, broken(path)]).toEqual([path, []]);
  expect(broken("/things", [["Authorization", "Bearer k"]])).toEqual([]);
  expect(broken("/things", [["authorization", ""]])).toEqual(["things.auth.key-present"]);
  const clause = ownClauses(catalogue).find(({ id }) => id === "things.auth.key-present");
  expect(clause).toMatchObject({
    document: { section: "/components/securitySchemes/bearer" },
    says: "Every request of an operation that demands a key carries it in the header authorization, or in the query, as key.",
  });
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test.each(["HAR", "VCR"] as const)(
  "a key that an export to %s may have dropped or emptied is not missed",
  async (imported) => {
    const catalogue = await openDocument(securedDocument([{ bearer: [] }]));
    const judged = (target: string, headers: HeaderPairs, of: object, strict: string[] = []) => {
      const exchange = { ...of, request: jsonRequest(`/v1${target}`, headers, {}), response: null };
      const policy = { ...lenient, strict: new Set(strict) };
      const { findings, undecided } = judge(exchange, { source: "", exchange: 0 }, catalogue, {
        names: namesFrom(),
        policy,
      });
      return { broken: findings.map(({ clause }) => clause), undecided: undecided.map(({ clause }) => clause) };
    };
    const present = "things.auth.key-present";
    const requests: [target: string, headers: HeaderPairs][] = [
      ["/things", []],
      ["/things?key=a-parameter", []],
      ["/things", [["x-api-key", "k"]]],
      ["/things", [["authorization", ""]]],
    ];
    for (const [target, headers] of requests) {
      expect(judged(target, headers, { imported })).toEqual({ broken: [], undecided: [present] });
      expect(judged(target, headers, { imported }, ["X-MASKED"]).broken).toEqual([present]);
      expect(judged(target, headers, {}).broken).toEqual([present]);
    }
    expect(judged("/things", [["authorization", "Bearer [redacted]"]], {})).toEqual({ broken: [], undecided: [] });
  },
);

test("a cookie carries the key beside other cookies, and only its own name counts", async () => {
  const catalogue = await openDocument(securedDocument([{ inCookie: [] }, { inQuery: [] }]));
  const judged = (headers: HeaderPairs, query = "", of: object = {}) => {
    const exchange = { ...of, request: jsonRequest(`/v1/things${query}`, headers, {}), response: null };
    const at = { source: "", exchange: 0 };
    const { findings, undecided } = judge(exchange, at, catalogue, { names: namesFrom(), policy: lenient });
    return [findings.map(({ clause, in: place, pointer }) => [clause, place, pointer]), undecided.length];
  };
  const isKept = [[], 0];
  expect(judged([["Cookie", "a=1; session=k; b=2"]])).toEqual(isKept);
  expect(
    judged([
      ["cookie", "a=1"],
      ["cookie", "session=k"],
    ]),
  ).toEqual(isKept);
  expect(judged([["Cookie", "session=[redacted]; [redacted]"]])).toEqual(isKept);
  expect(judged([], "?key=k")).toEqual(isKept);
  // Its own place is the query: cookies of a document with both are the second choice.
  const isMissed = [[["things.auth.key-present", "query", "/key"]], 0];
  for (const cookie of ["a=1", "Session=k", "session=", "xsession=k", "a=session=k", ""])
    expect([cookie, judged([["Cookie", cookie]])]).toEqual([cookie, isMissed]);
  expect(judged([])).toEqual(isMissed);
  expect(judged([["Cookie", "[redacted]"]])).toEqual([[], 1]);
  expect(judged([["Cookie", "a=1"]], "", { imported: "HAR" })).toEqual([[], 1]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a missing cookie of a key is located in the cookies, and examples carry it beside the documented ones", async () => {
  const { paths, ...rest } = securedDocument([{ inCookie: [] }]);
  const theme = { name: "theme", in: "cookie", required: true, schema: { type: "string", enum: ["dark"] } };
  const { post } = paths["/things"];
  const catalogue = await openDocument({ ...rest, paths: { "/things": { post: { ...post, parameters: [theme] } } } });
  const exchange = { request: jsonRequest("/v1/things", [["Cookie", "theme=dark"]], {}), response: null };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  expect(findings).toMatchObject([{ clause: "things.auth.key-present", in: "headers", pointer: "/cookie/session" }]);
  const { exchanges } = await catalogue.examples();
  expect(new Set(exchanges["things"]!.map((one) => headerValue(one.exchange.request.headers, "cookie")))).toEqual(
    new Set(["theme=dark; session=a-key"]),
  );
  expect((await proofOf(catalogue)).gaps).toEqual([]);
  expect(catalogue.clauses.find(({ id }) => id === "things.auth.key-present")?.says).toBe(
    "Every request carries its key in the cookie session.",
  );
});

test("a path that is described twice demands a key only if both operations do", async () => {
  const { paths, ...rest } = securedDocument([{ bearer: [] }]);
  const { post } = paths["/things"];
  const places = async (security: unknown): Promise<readonly unknown[]> => {
    const catalogue = await openDocument({
      ...rest,
      paths: { "/things": { post }, "/things#other": { post: { ...post, security } } },
    });
    return catalogue.interfaces.find(({ name }) => name === "things")?.keyClauses?.operations ?? [];
  };
  expect(await places([])).toEqual([]);
  expect(await places([{ bearer: [] }, {}])).toEqual([]);
  expect(await places([{ inQuery: [] }])).toEqual(["POST /v1/things"]);
});

test.each<[what: string, security: unknown]>([
  ["no security", undefined],
  ["an empty list", []],
  ["an optional key", [{ bearer: [] }, {}]],
])("a document with %s has no clause on keys", async (_what, security) => {
  const catalogue = await openDocument(securedDocument(security));
  expect(ownClauses(catalogue).filter(({ section }) => section === "auth")).toEqual([]);
});

test("interface.json and an auth.clauses.json of the folder count in place of the document's security", async () => {
  const clauses = async (own: object, files: object = {}): Promise<object[]> => {
    const description = { name: "things", openapi: "api.json", ...own };
    const folder = folderOf({ "interface.json": description, "api.json": securedDocument([{ bearer: [] }]), ...files });
    const { openCatalogue } = await import("../interfaces/catalogue.ts");
    const found = ownClauses(await openCatalogue([folder])).filter(({ section }) => section === "auth");
    return found.map(({ id, document }) => ({ id, at: document.section }));
  };
  const both = (at: string) => ["key-present", "unknown-key"].map((name) => ({ id: `things.auth.${name}`, at }));
  expect(await clauses({})).toEqual(both("/components/securitySchemes/bearer"));
  expect(await clauses({ key: { header: "X-Other" } })).toEqual(both("interface.json"));
  expect(await clauses({ key: { header: "X-Other", optional: true } })).toEqual([]);
  expect(await clauses({}, { "auth.clauses.json": { document: "api", clauses: [] } })).toEqual([]);
});

const bearerIn = ({ headers }: IncomingMessage): string | undefined => headers.authorization?.replace("Bearer ", "");
const cookieIn = ({ headers }: IncomingMessage): string | undefined =>
  /(?:^|; )session=([^;]*)/.exec(headers.cookie ?? "")?.[1];

/** The statuses that a run gets from a server, by path and key; the server demands a key on all paths but `/v1/open`, or on none. */
async function runAgainst(refusal: 401 | 403 | undefined, scheme = "bearer", keyOf = bearerIn) {
  const seen = new Set<string>();
  const server = createServer((request: IncomingMessage, response) => {
    const key = keyOf(request);
    const isRefused = refusal !== undefined && request.url !== "/v1/open" && key !== "right-key";
    seen.add(`${request.url} ${key}`);
    response.writeHead(isRefused ? refusal : 200, { "content-type": "application/json" });
    request.resume().on("end", () => response.end("{}"));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const document = securedDocument([{ [scheme]: [] }], { "/open": [] });
  const documents = [join(folderOf({ "openapi.json": document }), "openapi.json")];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { clauses, findings } = await run(url, { documents, key: ["right-key"], interface: ["things"] });
  const verdicts = clauses.filter(({ id }) => id.startsWith("things.auth.")).map(({ id, verdict }) => [id, verdict]);
  const errors = findings.filter(({ level }) => level === "error").map(({ clause }) => clause);
  return { seen, errors, verdicts: Object.fromEntries(verdicts) };
}

test.each([
  [401, "bearer", bearerIn],
  [403, "bearer", bearerIn],
  [401, "inCookie", cookieIn],
] as const)("a server that refuses a missing and a wrong key with %i passes: %s", async (status, scheme, keyOf) => {
  const { seen, errors, verdicts } = await runAgainst(status, scheme, keyOf);
  expect(errors).toEqual([]);
  expect(verdicts).toEqual({ "things.auth.key-present": "pass", "things.auth.unknown-key": "pass" });
  expect([...seen].filter((one) => one.startsWith("/v1/things")).sort()).toEqual([
    "/v1/things right-key",
    "/v1/things undefined",
    "/v1/things wrong-key",
  ]);
  expect([...seen].filter((one) => one.startsWith("/v1/open"))).toEqual(["/v1/open right-key"]);
});

test.each([
  ["bearer", bearerIn],
  ["inCookie", cookieIn],
])("a server that takes any key does not enforce it, and breaks nothing: %s", async (scheme, keyOf) => {
  const { errors, verdicts } = await runAgainst(undefined, scheme, keyOf);
  expect(errors).toEqual([]);
  expect(verdicts).toEqual({ "things.auth.key-present": "unenforced", "things.auth.unknown-key": "unenforced" });
});

test.each([
  ["bearer", "authorization", "Bearer "],
  ["inCookie", "cookie", "a=1; session="],
])(
  "the reference refuses a missing and a wrong key where the document demands one: %s",
  async (scheme, name, before) => {
    const document = securedDocument([{ [scheme]: [] }], { "/open": [] });
    const server = await serve({ documents: [join(folderOf({ "openapi.json": document }), "openapi.json")] });
    onTestFinished(() => server.close());
    const status = async (path: string, key?: string): Promise<number> => {
      const headers = { "content-type": "application/json", ...(key && { [name]: `${before}${key}` }) };
      return (await fetch(`${server.url}/v1${path}`, { method: "POST", headers, body: "{}" })).status;
    };
    expect(await status("/things")).toBe(401);
    expect(await status("/things", "wrong-key")).toBe(401);
    expect(await status("/things", "k")).toBe(200);
    expect([await status("/open"), await status("/open", "wrong-key")]).toEqual([200, 200]);
  },
);

test.each([
  ["authorization", "bearer", "Bearer my-key"],
  ["x-api-key", "inHeader", "my-key"],
  ["cookie", "inCookie", "session=my-key"],
])("a run sends the key of its target in %s", async (header, scheme, expected) => {
  const documents = [join(folderOf({ "openapi.json": securedDocument([{ [scheme]: [] }]) }), "openapi.json")];
  const server = await serve({ documents });
  onTestFinished(() => server.close());
  process.env["OWN_DOCUMENTS_KEY"] = "my-key";
  await run(server.url, { documents, key: ["$OWN_DOCUMENTS_KEY"], probes: false });
  const sent = server.requests.flatMap(({ headers }) => headers.filter(([name]) => name.toLowerCase() === header));
  expect(new Set(sent.map(([, value]) => value))).toEqual(new Set([expected]));
});
