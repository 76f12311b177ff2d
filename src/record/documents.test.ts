/** Users' own documents reach every process and thread that judges: a recorder's judges and enforcer, and those of a check. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describedIn } from "../documents/folder.test-kit.ts";
import { checkSources } from "./check-sources.ts";
import { record } from "./session.ts";
import { startUpstream } from "./upstream.test-kit.ts";

const clause = "embeddings.request.input-type";
const faulty = { input: 3 };

const post = (url: string, body: object): Promise<Response> =>
  fetch(`${url}/v1/embeddings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test.each([false, true])("a recording is judged by them, with enforcing: %s", async (enforce) => {
  const { base, folder } = await startUpstream((_, res) => void res.end("{}"));
  const documents = [describedIn(folder, "embeddings", "POST /v1/embeddings", "input")];
  const out = join(folder, "session.jsonl");
  const recorder = await record({ upstream: base, out, documents, enforce });
  onTestFinished(async () => void (await recorder.close()));
  const { status } = await post(recorder.url, faulty);
  expect(status).toBe(enforce ? 400 : 200);
  expect((await post(recorder.url, { input: "a text" })).status).toBe(200);
  const recorded = await recorder.close();
  expect(recorded.findings.filter((one) => one.clause === clause)).toHaveLength(1);
  expect(await checkSources([out], { documents })).toEqual(recorded);
  const { operations, clauses } = await checkSources([out]);
  expect(operations.every(({ known }) => !known)).toBe(true);
  expect(clauses.map(({ id }) => id)).not.toContain(clause);
});
