/** Cassettes as fixtures: recorded once, always or never, and nothing lost of those that are there. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import http, { type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { installFaults } from "../cassette/faulty-disk.test-kit.ts";
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

/** A service that gives each request to `answer`, with its number. */
async function serviceOf(answer: (res: ServerResponse, request: number) => void): Promise<string> {
  let count = 0;
  const server = http.createServer((req, res) => {
    req.resume().on("end", () => answer(res, count++));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

test("always replaces what is asked, keeps the rest unless it prunes, and changes nothing without an answer", async () => {
  const path = cassettePath();
  const { url: record, close } = await service();
  await ask(path, ["Hi.", "Bye."], { record });
  const before = readFileSync(path, "utf8").split("\n");
  await ask(path, ["Bye.", "Yes."], { record, mode: "always" });
  expect(await questionsIn(path)).toEqual(["Hi.", "Bye.", "Yes."]);
  const after = readFileSync(path, "utf8").split("\n");
  expect([after[1] === before[1], after[2] === before[2]]).toEqual([true, false]);
  await ask(path, ["Yes."], { record, mode: "always", prune: true });
  expect(await questionsIn(path)).toEqual(["Yes."]);
  await close();
  const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
  expect((await ask(path, ["No."], { record, mode: "always" })).statuses).toEqual([502]);
  expect((await warned).message).toContain("left as it was");
  expect(await questionsIn(path)).toEqual(["Yes."]);
  expect(readdirSync(dirname(path))).toEqual(["chat.jsonl"]);
});

test.skipIf(process.platform === "win32")("always keeps the mode of a cassette, and a link to it", async () => {
  const path = cassettePath();
  const link = `${path.slice(0, -6)}-link.jsonl`;
  const { url: record } = await service();
  await ask(path, ["Hi."], { record });
  chmodSync(path, 0o644);
  symlinkSync(path, link);
  await ask(link, ["Hi.", "Bye."], { record, mode: "always" });
  expect(await questionsIn(path)).toEqual(["Hi.", "Bye."]);
  expect([statSync(path).mode & 0o777, readlinkSync(link)]).toEqual([0o644, path]);
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

test.each([
  ["in chunks", {}, "\r\n0\r\n\r\n"],
  ["of a known length", { "content-length": "6" }, "whole."],
  ["without a body", { "content-length": "0" }, "\r\n\r\n"],
])("a response %s is in the cassette when its client has seen its end", async (_what, headers, end) => {
  const path = cassettePath();
  const record = await serviceOf((res) => {
    res.writeHead(200, headers);
    if ("content-length" in headers && headers["content-length"] === "0") return void res.end();
    res.write("who");
    setTimeout(() => res.end("le."), 5);
  });
  const player = await play(path, { record });
  for (const count of [1, 2, 3]) {
    const { port } = new URL(player.url);
    const request = `GET /v1/${count} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const cassette = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(request));
      let text = "";
      socket.on("data", (bytes) => {
        text += bytes;
        if (!text.endsWith(end)) return;
        resolve(readFileSync(path, "utf8"));
        socket.destroy();
      });
    });
    expect(cassette.trim().split("\n")).toHaveLength(1 + count);
  }
  await player.close();
});

test("error responses and a disk that refuses the cassette are reported at the end", async () => {
  const path = cassettePath();
  const record = await serviceOf((res) => void res.writeHead(429).end());
  let plan = "none";
  const endFaults = await installFaults(() => plan);
  onTestFinished(endFaults);
  const player = await play(path, { record });
  plan = "ENOSPC";
  const response = await fetch(`${player.url}/v1/models?a=1`);
  expect([response.status, await response.text()]).toEqual([429, ""]);
  plan = "none";
  const warnings: string[] = [];
  const listen = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", listen);
  onTestFinished(() => void process.off("warning", listen));
  await player.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([
    expect.stringMatching(/chat\.jsonl: cannot be written: no space left on device/),
    expect.stringMatching(/chat\.jsonl: written again after \d+ s; nothing was lost$/),
    expect.stringMatching(
      /chat\.jsonl: an error response was recorded, and will be played again: 429 GET \/v1\/models$/,
    ),
  ]);
});

test("a response that the service breaks off is not kept, and the next request gets a whole one", async () => {
  const path = cassettePath();
  const record = await serviceOf((res, request) => {
    res.writeHead(200, { "content-length": "6" });
    res.write("who");
    if (request === 0) setTimeout(() => res.destroy(), 20);
    else res.end("le.");
  });
  const player = await play(path, { record });
  await expect(fetch(`${player.url}/v1/models`).then((response) => response.text())).rejects.toThrow();
  expect(await (await fetch(`${player.url}/v1/models`)).text()).toBe("whole.");
  expect(await (await fetch(`${player.url}/v1/models`)).text()).toBe("whole.");
  await player.close();
  const { exchanges } = await readCassette(path);
  expect(exchanges.map(({ exchange }) => String(exchange.response!.body))).toEqual(["whole."]);
});

test("a response that its client does not wait for is not kept", async () => {
  const path = cassettePath();
  const pending: ServerResponse[] = [];
  const record = await serviceOf((res, request) => {
    if (request > 0) return void res.end("whole.");
    res.write("wh");
    pending.push(res);
  });
  const player = await play(path, { record });
  const leaving = new AbortController();
  const response = await fetch(`${player.url}/v1/models`, { signal: leaving.signal });
  await response.body!.getReader().read();
  leaving.abort();
  await new Promise<void>((resolve) => pending[0]!.on("close", resolve));
  expect(await (await fetch(`${player.url}/v1/models`)).text()).toBe("whole.");
  await player.close();
  expect((await readCassette(path)).exchanges.map(({ exchange }) => exchange.aborted)).toEqual([undefined]);
});

test("a broken recording of an older version is asked for again, and is a miss where nothing may be asked", async () => {
  const path = cassettePath();
  const { url: record } = await service();
  await ask(path, ["Hi.", "Bye."], { record });
  const [header, hi, bye] = readFileSync(path, "utf8").split("\n");
  const broken = JSON.stringify({ ...JSON.parse(hi!), aborted: "client" });
  writeFileSync(path, [header, broken, bye, ""].join("\n"));
  expect((await ask(path, ["Hi.", "Bye."], { record, mode: "never" })).statuses).toEqual([404, 200]);
  expect((await ask(path, ["Hi."], { record })).statuses).toEqual([200]);
  expect((await ask(path, ["Hi.", "Bye."], { record, mode: "never" })).statuses).toEqual([200, 200]);
});

test.each(["once", "always"] as const)(
  "two players with the mode %s on one cassette keep all recordings",
  async (mode) => {
    const path = cassettePath();
    const { url: record } = await service();
    const questions = [1, 2, 3, 4, 5];
    const askAll = (name: string) =>
      ask(
        path,
        questions.map((id) => `${name}${id}`),
        { record, mode },
      );
    await Promise.all([askAll("a"), askAll("b")]);
    const expected = ["a", "b"].flatMap((name) => questions.map((id) => `${name}${id}`));
    expect(((await questionsIn(path)) as string[]).sort()).toEqual(expected);
    await Promise.all([askAll("b"), askAll("c")]);
    expect(new Set(await questionsIn(path))).toEqual(new Set([...expected, ...questions.map((id) => `c${id}`)]));
    expect(readdirSync(dirname(path))).toEqual(["chat.jsonl"]);
  },
);

test("large responses are read from the cassette, also by a player that records them", async () => {
  const path = cassettePath();
  const bodies = ["a", "b", "c"].map((letter) => letter.repeat(3_000_000));
  const record = await serviceOf((res, request) => void res.end(bodies[request]));
  const player = await play(path, { record, pace: "instant" });
  for (const _round of [1, 2])
    for (const [i, body] of bodies.entries())
      expect((await (await fetch(`${player.url}/v1/${i}`)).text()) === body).toBe(true);
  await player.close();
});
