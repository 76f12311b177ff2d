/** A wrong address, key or model is one line and what to do, before any suite runs. */
import { expect, test } from "vitest";
import type { RunResults } from "../../verdict/run-results.ts";
import { json, recordedAnswers, resultsOf, serve, touchstone, twoLines } from "../run.test-kit.ts";

test("an unreachable target is one line and what to do, and exit 2", async () => {
  const { code, stdout, stderr } = await touchstone(["http://127.0.0.1:1"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(twoLines(stderr)).toHaveLength(2);
  expect(stderr).toMatch(/^touchstone: http:\/\/127\.0\.0\.1:1 cannot be reached: the connection was refused/);
});

test("a refused key is one line and what to do, exit 2, and never shown", async () => {
  const url = await serve(({ headers }) =>
    json({ error: { message: `Incorrect key ${headers.find(([name]) => name === "Authorization")?.[1]}` } }, 401),
  );
  const { code, stdout, stderr } = await touchstone([url, "--key", "$MY_KEY"], { MY_KEY: "sk-very-secret" });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(twoLines(stderr)).toHaveLength(2);
  expect(stderr).toMatch(/key for chat-completions is not accepted.*401 \(.*Incorrect key Bearer x{14}/);
});

test("a short key that a target repeats is not shown either", async () => {
  const url = await serve(() => json({ error: { message: "Incorrect key q7-Zw9." } }, 401));
  const { stderr } = await touchstone([url, "--key", "$MY_KEY"], { MY_KEY: "q7-Zw9" });
  expect(stderr).toContain("Incorrect key xxxxxx.");
});

test("a target that takes its key in the vendor's header alone gets it there, and a warning", async () => {
  const answers = recordedAnswers();
  const asked: string[] = [];
  const url = await serve((request) => {
    const inHeader = request.headers.some(([name]) => name.toLowerCase() === "x-goog-api-key");
    asked.push(`${request.target.includes("key=")} ${inHeader}`);
    return inHeader
      ? answers(request)
      : json({ error: { code: 401, message: "No key.", status: "UNAUTHENTICATED" } }, 401);
  });
  const { stdout, code } = await touchstone([url, "--interface", "generate-content", "--format", "json"]);
  const { findings, clauses } = JSON.parse(stdout) as RunResults;
  expect(asked.slice(0, 2)).toEqual(["true false", "false true"]);
  expect(new Set(asked.slice(2))).toEqual(new Set(["false true"]));
  expect(findings.filter(({ clause }) => clause === "generate-content.auth.key")).toMatchObject([
    { level: "warning", side: "request", in: "query", pointer: "/key" },
  ]);
  expect([code, clauses.find(({ id }) => id === "generate-content.auth.key")?.verdict]).not.toContain("pass");
});

test("an unknown model is one line that names it, and exit 2", async () => {
  const url = await serve(() => json({ error: { message: "The model `chat-model` does not exist" } }, 404));
  const { code, stderr } = await touchstone([url, "--interface", "chat-completions"]);
  expect(code).toBe(2);
  expect(twoLines(stderr)).toHaveLength(2);
  expect(stderr).toMatch(/does not know the model chat-model/);
});

test("a target without any of the operations is told to check its address", async () => {
  const { code, stderr } = await touchstone([await serve(() => json({ detail: "Not Found" }, 404))]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/knows no operation/);
});

test("a server that takes the key of generate content in the query alone, as documented, gets it there", async () => {
  const answers = recordedAnswers();
  const url = await serve((request) =>
    request.target.includes("key=secret-key") && !request.headers.some(([name]) => /key|authorization/i.test(name))
      ? answers(request)
      : json({ error: { code: 401, message: "No key.", status: "UNAUTHENTICATED" } }, 401),
  );
  const { code, results } = await resultsOf(url, "--interface", "generate-content", "--key", "secret-key");
  expect([code, results.options.ways, results.incidents]).toEqual([0, {}, []]);
});

test("messages of a gateway that takes bearer keys get theirs so, which is said, and only a warning", async () => {
  const answers = recordedAnswers();
  const url = await serve((request) =>
    request.headers.some(([name, value]) => name.toLowerCase() === "authorization" && value === "Bearer secret-key")
      ? answers(request)
      : json({ type: "error", error: { type: "authentication_error", message: "no key" } }, 401),
  );
  const { code, results } = await resultsOf(url, "--interface", "messages", "--key", "secret-key");
  expect(code).toBe(0);
  expect(results.options.ways).toEqual({ messages: { keyHeader: "authorization" } });
  expect(results.findings.filter(({ clause }) => clause === "messages.auth.key-required")).toMatchObject([
    { level: "warning", side: "request" },
  ]);
});

test.each([
  ["/v1", (path: string) => path, "/v1beta/models/", "generate-content"],
  ["/openai", (path: string) => path.replace("/openai/", "/v1/"), "/openai/chat/completions", "chat-completions"],
  ["/api", (path: string) => path.replace("/api/", "/v1/"), "/api/messages", "messages"],
])("the run finds out where the interface of HOST%s is, and says so", async (base, path, at, of) => {
  const answers = recordedAnswers();
  const url = await serve((request) =>
    request.target.startsWith(at)
      ? answers({ ...request, target: path(request.target) })
      : json({ detail: "Not Found" }, 404),
  );
  const { code, results, stderr } = await resultsOf(url + base, "--interface", of);
  expect([code, stderr, results.incidents]).toEqual([0, "", []]);
  expect(Object.keys(results.options.ways)).toEqual([of]);
  const text = await touchstone([url + base, "--interface", of]);
  expect(text.stdout).toMatch(new RegExp(`found out: ${of} is reached (below|without)`));
});

test("a page for people at any address is not taken for an interface", async () => {
  const page = { status: 200, headers: [], pieces: [{ bytes: Buffer.from("<!doctype html><title>Hello</title>") }] };
  const url = await serve(({ target }) => (target.startsWith("/v1") ? json({}, 404) : page));
  const { code, stderr } = await touchstone([url]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/knows no operation/);
});

test("an interface that is not there is one incident that fails nothing, and nothing more is asked of it", async () => {
  const answers = recordedAnswers();
  const asked: string[] = [];
  const url = await serve((request) => {
    asked.push(request.target.split("?")[0]!);
    return request.target.startsWith("/v1/messages") ? json({ detail: "Not Found" }, 404) : answers(request);
  });
  const { code, results } = await resultsOf(url, "--interface", "images,messages");
  expect(code).toBe(0);
  const explainedBy = "messages";
  expect(results.incidents).toMatchObject([{ kind: "absent", interface: "messages", exchange: 0, explainedBy }]);
  expect(asked.filter((path) => path === "/v1/messages")).toHaveLength(1);
  const ofMessages = results.clauses.filter(({ id }) => id.startsWith("messages."));
  expect(new Set(ofMessages.map(({ verdict }) => verdict))).toEqual(new Set(["no-verdict"]));
  const { stdout } = await touchstone([url, "--interface", "images,messages"]);
  expect(stdout.replace(/\s+/g, " ")).toMatch(/not offered: messages: it answered POST \/v1\/messages with 404/);
  expect(stdout).toContain("conforms as far as offered; not offered: messages\n");
  const lacking = await resultsOf(url, "--interface", "images,messages", "--lacks", "messages");
  expect(lacking.code).toBe(0);
  const skipped = lacking.results.clauses.filter(({ id }) => id.startsWith("messages."));
  expect(skipped.length).toBeGreaterThan(0);
  expect(new Set(skipped.map(({ verdict }) => verdict))).toEqual(new Set(["skipped"]));
});

test("a header that a gateway wants is named, and how to give it", async () => {
  const message = "Either x-gateway-config or x-gateway-provider header is required";
  const url = await serve(() => json({ status: "failure", message }, 400));
  const { code, stderr } = await touchstone([url]);
  expect(code).toBe(2);
  expect(twoLines(stderr)).toHaveLength(2);
  expect(stderr).toMatch(/wants the header x-gateway-config or x-gateway-provider/);
  expect(stderr).toContain(`--header "x-gateway-config: VALUE"`);
});

test("a redirection is told, not followed: no key reaches another origin", async () => {
  let strangers = 0;
  const stranger = await serve(() => {
    strangers++;
    return json({});
  });
  const url = await serve(({ target }) => ({ status: 308, headers: [["location", stranger + target]], pieces: [] }));
  const { code, stderr } = await touchstone([url, "--key", "$MY_KEY"], { MY_KEY: "secret-key" });
  expect([code, strangers]).toEqual([2, 0]);
  expect(twoLines(stderr)[1]).toContain(`give its address: ${stranger}`);
});

const path = (target: string): string => target.split("?")[0]!;

test.each([
  ["400", (target: string) => json({ error: `unknown route ${path(target)}, request 4711-${target.length}` }, 400)],
  ["415", () => json({ error: "Unsupported Media Type" }, 415)],
  ["401, whatever the key", () => json({ error: { message: "unauthorized" } }, 401)],
])("an interface is not offered where its requests are answered as unknown paths are: %s", async (_what, unknown) => {
  const answers = recordedAnswers();
  const url = await serve((request) =>
    request.target.startsWith("/v1/images") ? answers(request) : unknown(request.target),
  );
  const { code, results } = await resultsOf(url, "--interface", "images,messages,generate-content");
  expect(code).toBe(0);
  expect(results.incidents.map(({ kind, explainedBy }) => [kind, explainedBy])).toEqual([
    ["absent", "generate-content"],
    ["absent", "messages"],
  ]);
  expect(results.findings.filter(({ source }) => !source?.startsWith("images/"))).toEqual([]);
});

test("a refused key of one interface is told where unknown paths are answered otherwise, or its key was named", async () => {
  const answers = recordedAnswers();
  const server = (unknown: number) =>
    serve((request) =>
      request.target.startsWith("/v1/images")
        ? answers(request)
        : json({ error: { message: "unauthorized" } }, request.target.startsWith("/v1/messages") ? 401 : unknown),
    );
  const both = ["--interface", "images,messages"];
  for (const [url, ...more] of [[await server(404)], [await server(401), "--key", "messages=$MY_KEY"]] as const) {
    const { code, stderr } = await touchstone([url, ...both, ...more], { MY_KEY: "sk-own" });
    expect([code, twoLines(stderr)[0]]).toEqual([2, expect.stringContaining("key for messages")]);
  }
});

test("an interface that refuses one good request like an unknown path, and answers others, is asked all", async () => {
  const answers = recordedAnswers();
  let refused = 0;
  const url = await serve((request) => {
    if (request.target.includes("no-such")) return json({ error: "no" }, 400);
    if (!request.target.startsWith("/v1/chat")) return answers(request);
    return refused++ === 0 ? json({ error: "no" }, 400) : answers(request);
  });
  const { results } = await resultsOf(url, "--interface", "images,chat-completions");
  expect(results.incidents).toEqual([]);
  expect(results.clauses.filter(({ id, verdict }) => id.startsWith("chat-") && verdict === "pass")).not.toEqual([]);
});

test.each([
  ["400", (target: string) => json({ error: `unknown route ${path(target)}` }, 400), "knows no operation"],
  ["415", () => json({ error: "Unsupported Media Type" }, 415), "knows no operation"],
  ["401", () => json({ error: { message: "unauthorized" } }, 401), "perhaps the target has no images"],
])(
  "an interface that is asked alone is missed where unknown paths are answered alike: %s",
  async (_, unknown, says) => {
    const answers = recordedAnswers();
    const url = await serve((request) =>
      request.target.startsWith("/v1/chat") ? answers(request) : unknown(request.target),
    );
    const { code, stdout, stderr } = await touchstone([url, "--interface", "images"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(twoLines(stderr)).toHaveLength(2);
    expect(stderr).toContain(says);
  },
);

test("an interface that is asked alone and refuses a request in words of its own is asked all", async () => {
  const url = await serve(({ target }) =>
    target.includes("no-such") ? json({ error: "unknown route" }, 400) : json({ error: "no picture of that" }, 400),
  );
  const { code, results } = await resultsOf(url, "--interface", "images");
  expect([code, results.incidents.map(({ kind }) => kind)]).toEqual([2, expect.arrayContaining(["refused"])]);
});
