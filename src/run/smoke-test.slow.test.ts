/** A wrong address, key or model is one line and what to do, before any suite runs. */
import { expect, test } from "vitest";
import type { RunResults } from "../verdict/run-results.ts";
import { json, recordedAnswers, resultsOf, serve, touchstone, twoLines } from "./run.test-kit.ts";

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
])("of a target given as HOST%s the run finds out where its interface is, and says so", async (base, path, at, of) => {
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

test("an interface that is not there is one incident with the option to add, and nothing more is asked of it", async () => {
  const answers = recordedAnswers();
  const asked: string[] = [];
  const url = await serve((request) => {
    asked.push(request.target.split("?")[0]!);
    return request.target.startsWith("/v1/messages") ? json({ detail: "Not Found" }, 404) : answers(request);
  });
  const { code, results } = await resultsOf(url, "--interface", "images,messages");
  expect(code).toBe(1);
  expect(results.incidents).toMatchObject([{ kind: "absent", interface: "messages", exchange: 0 }]);
  expect(asked.filter((path) => path === "/v1/messages")).toHaveLength(1);
  const ofMessages = results.clauses.filter(({ id }) => id.startsWith("messages."));
  expect(new Set(ofMessages.map(({ verdict }) => verdict))).toEqual(new Set(["no-verdict"]));
  const { stdout } = await touchstone([url, "--interface", "images,messages"]);
  expect(stdout.match(/--lacks messages/g)).toHaveLength(1);
  expect(stdout).toMatch(/NOT THERE messages: .*POST \/v1\/messages with 404/);
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
  const { code, stderr } = await touchstone([url, "--key", "secret-key"]);
  expect([code, strangers]).toEqual([2, 0]);
  expect(twoLines(stderr)[1]).toContain(`give its address: ${stranger}`);
});
