/** Cassettes as fixtures: recorded once, always or never, and nothing lost of those that are there. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type PlayOptions, play, readCassette, serve } from "../index.ts";
import { recordModeFrom } from "./fixture.ts";

const secret = "sk-9f8e7d6c5b4a39281706";

function cassettePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-fixture-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "chat.jsonl");
}

async function service() {
  const server = await serve();
  onTestFinished(() => server.close());
  return server;
}

/** Asks a player of the cassette, one question after another. */
async function ask(path: string | URL, questions: readonly string[], options: PlayOptions) {
  const player = await play(path, options);
  const statuses: number[] = [];
  for (const content of questions) {
    const answer = await fetch(`${player.url}/v1/chat/completions`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content }] }),
    });
    await answer.text();
    statuses.push(answer.status);
  }
  const { missed } = player;
  await player.close();
  return { statuses, missed };
}

const questionsIn = async (path: string): Promise<unknown[]> =>
  (await readCassette(path)).exchanges.map(
    ({ exchange }) => JSON.parse(Buffer.from(exchange.request.body).toString()).messages[0].content,
  );

test("once asks the service for what the cassette lacks, and keeps it without credentials", async () => {
  const path = cassettePath();
  const { url: record, requests } = await service();
  expect((await ask(path, ["Hi.", "Hi."], { record })).statuses).toEqual([200, 200]);
  expect((await ask(pathToFileURL(path), ["Hi.", "Bye."], { record })).statuses).toEqual([200, 200]);
  expect(requests.length).toBe(2);
  expect(await questionsIn(path)).toEqual(["Hi.", "Bye."]);
  expect(readFileSync(path, "utf8")).not.toContain(secret);
});

test("never asks nobody, and a miss says where it differs from what is recorded", async () => {
  const path = cassettePath();
  const { url: record, requests } = await service();
  await ask(path, ["Hi."], { record });
  const { statuses, missed } = await ask(path, ["Hi.", "Bye."], { record, mode: "never" });
  expect(statuses).toEqual([200, 404]);
  expect(requests.length).toBe(1);
  expect(missed).toMatchObject([
    { nearest: { exchange: 0, differences: [{ pointer: "/body/messages/0/content", before: "Hi.", after: "Bye." }] } },
  ]);
});

test("never refuses a cassette that is not there, and says how to record it", async () => {
  const { url: record } = await service();
  await expect(ask(cassettePath(), ["Hi."], { record, mode: "never" })).rejects.toMatchObject({
    name: "UserError",
    remedy: expect.stringContaining("TOUCHSTONE_RECORD=once"),
  });
});

test("always makes the cassette anew, and leaves it where the service gives no answer", async () => {
  const path = cassettePath();
  const { url: record, close } = await service();
  await ask(path, ["Hi.", "Bye."], { record });
  await ask(path, ["Yes."], { record, mode: "always" });
  expect(await questionsIn(path)).toEqual(["Yes."]);
  await close();
  const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
  expect((await ask(path, ["No."], { record, mode: "always" })).statuses).toEqual([502]);
  expect((await warned).message).toContain("left as it was");
  expect(await questionsIn(path)).toEqual(["Yes."]);
  expect(existsSync(`${path}.new`)).toBe(false);
});

test.each([
  ["without its last line feed", (text: string) => text.trimEnd(), ["Hi.", "Bye."]],
  ["with a torn last line", (text: string) => `${text}{"request":{"met`, ["Hi.", "Bye."]],
  ["that is empty", () => "", ["Bye."]],
])("a cassette %s is added to", async (_what, edit, expected) => {
  const path = cassettePath();
  const { url: record } = await service();
  await ask(path, ["Hi."], { record });
  writeFileSync(path, edit(readFileSync(path, "utf8")));
  const questions = expected.slice(-1);
  expect((await ask(path, questions, { record })).statuses).toEqual([200]);
  expect(await questionsIn(path)).toEqual(expected);
});

test("a file that cannot be added to is refused, and so is a mode that nobody knows", async () => {
  const { url: record } = await service();
  await expect(play("session.har", { record })).rejects.toThrow("only a .jsonl cassette can be added to");
  await expect(play(["a.jsonl", "b.jsonl"], { record })).rejects.toThrow(
    "--record adds to one cassette, and 2 are named",
  );
  expect(() => recordModeFrom(undefined, { TOUCHSTONE_RECORD: "all" })).toThrow(
    "TOUCHSTONE_RECORD all is none of once",
  );
  expect(recordModeFrom(undefined, { TOUCHSTONE_RECORD: "never" })).toBe("never");
});
