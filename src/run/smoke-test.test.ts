/** A wrong address, key or model is one line and what to do, before any suite runs. */
import { expect, test } from "vitest";
import type { RunResults } from "../verdict/document.ts";
import { json, recordedAnswers, serve, touchstone, twoLines } from "./run.test-kit.ts";

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
