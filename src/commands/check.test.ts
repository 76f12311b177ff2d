/** What `touchstone check` shows of recordings that hold more than they should. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-check-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = "sk-proj-0123456789abcdefABCDEF";

/** A HAR file as a browser exports it, with the key wherever it passed. */
function har(path: string, body: object): string {
  const headers = [
    { name: "Authorization", value: `Bearer ${key}` },
    { name: "Content-Type", value: "application/json" },
  ];
  const entry = {
    startedDateTime: "2026-01-01T00:00:00.000Z",
    request: {
      method: "POST",
      url: `https://h.example${path}`,
      headers,
      postData: { mimeType: "application/json", text: JSON.stringify(body) },
    },
    response: {
      status: 401,
      headers: headers.slice(1),
      content: { mimeType: "application/json", text: JSON.stringify({ error: `no ${key}` }) },
    },
  };
  const file = join(folder, "export.har");
  writeFileSync(file, JSON.stringify({ log: { version: "1.2", entries: [entry] } }));
  return file;
}

test.each(["text", "json", "ndjson"])("a key in somebody's HAR file is not in the report: %s", async (format) => {
  const body = { messages: [{ role: "user", content: "hi" }], api_key: key, mine: `it is ${key}` };
  for (const path of ["/v1/chat/completions", `/bot${key}/x`]) {
    const { code, stdout, stderr } = await touchstoneHere(["check", har(path, body), "--format", format]);
    expect(code).toBe(path.startsWith("/bot") ? 0 : 1);
    expect(stdout + stderr).not.toContain(key);
    expect(stdout).toContain(path.startsWith("/bot") ? "exchange" : "/mine");
  }
});
