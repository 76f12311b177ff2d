/** Holds what a run says of servers that answer requests without a key, and that `lacks: keys` takes those requests away. */
import { expect, onTestFinished, test } from "vitest";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { serveReference } from "../reference/serve.ts";
import { listen } from "../wire/listen.ts";
import { run } from "./run.ts";

const catalogue = await openCatalogue();

/** The reference behind a server that adds a key to whatever comes without one. */
async function serveKeyless(): Promise<string> {
  const reference = await serveReference(catalogue, {});
  const server = await listen(async ({ method, target, headers, body }) => {
    const kept = headers.filter(([name]) => /^(content-type|authorization|x-api-key|partner-version)$/i.test(name));
    const sent = new Headers(kept as [string, string][]);
    if (!sent.has("authorization")) sent.set("authorization", "Bearer added");
    if (!sent.has("x-api-key")) sent.set("x-api-key", "added");
    const keyed = /[?&]key=[^&]/.test(target) ? target : `${target}?key=added`;
    const answer = await fetch(reference.url + (target.startsWith("/v1beta") ? keyed : target), {
      method,
      headers: sent,
      body,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: [["content-type", "application/json"]], pieces: [{ bytes }] };
  });
  onTestFinished(() => server.close());
  onTestFinished(() => reference.close());
  return server.url;
}

const sections = ["auth"];
const missing: Readonly<Record<string, string>> = {
  "chat-completions": "chat-completions.auth.missing-key-fails",
  images: "images.auth.missing-key",
  messages: "messages.auth.missing-key-refused",
  "generate-content": "generate-content.auth.missing-key-status",
};

test("a request without a key that is accepted fails one clause an interface, which names the way out", async () => {
  const { clauses, findings } = await run(await serveKeyless(), { section: sections, probes: false });
  const failing = clauses.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  expect(failing.sort()).toEqual(Object.values(missing).sort());
  const errors = findings.filter(({ level }) => level === "error");
  expect(errors.length).toBe(4);
  for (const { message } of errors)
    expect(message).toContain("if this server is meant to run without keys, say --lacks keys");
  expect(findings.filter(({ clause }) => /invalid-?(request)?-refused/.test(clause))).toEqual([]);
});

test("a target that lacks keys is asked nothing about them, and the clauses are skipped", async () => {
  const { clauses, plan } = await run(await serveKeyless(), {
    section: [...sections, "chat-completions/errors"],
    interface: ["chat-completions", "messages"],
    lacks: ["keys"],
  });
  expect(plan.cassettes.filter(({ section }) => section === "auth").map(({ skipped }) => skipped)).toEqual([
    "keys",
    "keys",
  ]);
  const ofKeys = clauses.filter(({ id }) => id.includes(".auth.") && /key/.test(id));
  expect(ofKeys.length).toBeGreaterThan(4);
  for (const { id, verdict } of ofKeys) expect([id, verdict]).toEqual([id, "skipped"]);
  expect(clauses.filter(({ verdict }) => verdict === "fail")).toEqual([]);
});
