/** Wherever a secret passes `touchstone record`, nothing that is written or shown afterwards has it, however it is read. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { home } from "../home.ts";
import { type Place, secretOf } from "./canary.test-kit.ts";
import { hunt } from "./canary-hunt.test-kit.ts";
import { places } from "./canary-places.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-canary-"));
const ending: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterAll(() => {
  for (const end of ending.reverse()) end();
});

const read = async (message: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  // Bytes that came before it broke off count, too.
  for await (const piece of message.on("error", () => {})) pieces.push(piece);
  return Buffer.concat(pieces);
};
const transcriptOf = (...parts: unknown[]): string =>
  parts
    .map((part) =>
      Buffer.isBuffer(part) ? `${part.toString("latin1")} ${part.toString("base64")}` : JSON.stringify(part),
    )
    .join("\n");

/** The bytes that passed for each place, as the upstream saw and sent them. */
const passed = new Map<string, string>();

async function upstream(): Promise<string> {
  const server = http.createServer(async (req, res) => {
    const place = [...places, killed].find(({ name }) => req.headers["x-request-id"] === encodeURIComponent(name));
    const body = await read(req);
    const sent: Buffer[] = [];
    const heads: unknown[] = [];
    const { writeHead, write, end, addTrailers } = res;
    // The transcript is taken here, since a client does not see all of what broke off.
    const note = <A extends unknown[]>(list: unknown[], args: A): never => {
      list.push(...args);
      return args as never;
    };
    const bytes = (args: unknown[]): never => {
      if (args[0]) sent.push(Buffer.from(args[0] as string));
      return args as never;
    };
    res.writeHead = (...args: unknown[]) => writeHead.apply(res, note(heads, args));
    res.addTrailers = (...args: unknown[]) => addTrailers.apply(res, note(heads, args));
    res.write = (...args: unknown[]) => write.apply(res, bytes(args));
    res.end = (...args: unknown[]) => end.apply(res, bytes(args));
    if (place?.reply) await place.reply(res, secretOf(place));
    else res.writeHead(200, ["Content-Type", "application/json"]).end("{}");
    if (place)
      passed.set(place.name, transcriptOf(req.url, req.rawHeaders, req.rawTrailers, body, heads, Buffer.concat(sent)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ending.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends what a place says; resolves when the answer has ended, however it did. */
async function ask(base: string, place: Place, aside: Partial<Place> = {}): Promise<void> {
  const {
    name,
    method = "POST",
    target = () => "/v1/chat/completions",
    headers,
    body = () => "{}",
    trailers,
    leaves,
  } = { ...place, ...aside };
  const secret = secretOf(place);
  const bytes = method === "GET" ? Buffer.alloc(0) : Buffer.from(body(secret) as string);
  const fields = ["Host", "h", "X-Request-Id", encodeURIComponent(name), ...(headers?.(secret) ?? [])];
  if (!fields.some((field) => /^content-type$/i.test(field))) fields.push("Content-Type", "application/json");
  if (trailers) fields.push("Transfer-Encoding", "chunked");
  else fields.push("Content-Length", String(bytes.length));
  const request = http.request(base + target(secret), { method, headers: fields as never });
  request.on("error", () => {});
  const answered = Promise.race([once(request, "response"), once(request, "close").then(() => [])]);
  request.write(bytes);
  if (trailers) request.addTrailers([trailers(secret)] as never);
  request.end();
  const [reply] = (await answered) as [IncomingMessage?];
  if (leaves && reply) {
    await once(reply, "data");
    leaves();
    reply.destroy();
  } else if (reply) await read(reply).catch(() => {});
}

/** A process of the command line; `said` is all that it printed. */
function touchstone(...args: string[]) {
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
  });
  ending.push(() => child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
  const ended = once(child, "close").then(() => said);
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const url = /listening on (http:\S+)\n/.exec(said)?.[1];
      if (url) resolve(url);
    });
    void ended.then(() => reject(new Error(said)));
  });
  listening.catch(() => {});
  return { child, ended, listening, said: () => said };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Listens as a page does, watches what is in flight, and in the end asks for each exchange. */
async function openPage(said: () => string) {
  await until(() => /\nlive page: http:\S+\n/.test(said()));
  const address = new URL(/\nlive page: (\S+)\n/.exec(said())![1]!);
  const at = (path: string): string => address.origin + path + address.search;
  const left = new AbortController();
  let told = "";
  const watched = new Set<string>();
  const watching: Promise<void>[] = [];
  async function listen(path: string): Promise<void> {
    const { body } = await fetch(at(path), { signal: left.signal });
    for await (const bytes of body!) {
      told += Buffer.from(bytes).toString("utf8");
      for (const [, id] of told.slice(-20_000).matchAll(/\{"id":(\d+),/g)) {
        if (watched.has(id!)) continue;
        watched.add(id!);
        watching.push(listen(`/flight/${id}`).catch(() => {}));
      }
    }
  }
  watching.push(listen("/events").catch(() => {}));
  return {
    async all(exchanges: number): Promise<string> {
      await until(() => told.split("event: row\n").length - 1 === exchanges);
      for (let i = 0; i < exchanges; i++) told += await fetch(at(`/exchange/${i}`)).then((one) => one.text());
      left.abort();
      await Promise.all(watching);
      return told;
    },
  };
}

const unreachable: Place = {
  name: "an upstream that cannot be reached",
  target: (s) => `/v1/images/generations?key=${s}`,
  headers: (s) => ["x-api-key", s],
  body: (s) => JSON.stringify({ user: s }),
};
/** Shown by the proxy itself, before anything is known of the request. */
const unclaimed: Place = { name: "a path nobody claims", target: (s) => `/bot${s}/x`, headers: (s) => ["api-key", s] };
const killed: Place = {
  name: "what a killed recorder leaves",
  target: (s) => `/v1/chat/completions?key=${s}`,
  headers: (s) => ["Authorization", `Bearer ${s}`, "Cookie", `a=${s}`],
  body: (s) => JSON.stringify({ user: s, stream: true }),
  reply(res, s) {
    res.writeHead(200, ["Content-Type", "text/event-stream", "X-Echo", s]);
    res.write(`data: {"choices":[{"delta":{"content":"${s}"}}]}\n\n`);
  },
};
const missed: Place = {
  name: "a request that no recording answers",
  target: (s) => `/v1/chat/completions?key=${s}`,
  headers: (s) => ["Authorization", `Bearer ${s}`],
  body: (s) => JSON.stringify({ user: `not recorded ${s}`, shape: "Bearer sk-0123456789abcdefghij" }),
};
const all = [...places, unreachable, unclaimed, killed, missed];
const secrets = all.map(secretOf);

/** All that is left of the sessions, by file or by who said it. */
const left = new Map<string, string>();

beforeAll(async () => {
  const base = await upstream();
  const first = touchstone("record", base, "--upstream", "images=http://127.0.0.1:9", "--out", "session.jsonl", "--ui");
  const second = touchstone("record", "--upstream", `chat-completions=${base}`, "--out", "killed.jsonl");
  const [url, doomed] = await Promise.all([first.listening, second.listening]);
  const page = await openPage(first.said);
  for (const place of places) await ask(url, place);
  await ask(url, unreachable);
  left.set("the page", await page.all(places.length + 1));
  first.child.kill("SIGINT");
  await ask(doomed, unclaimed);
  await ask(doomed, killed, { leaves: () => second.child.kill("SIGKILL") });
  left.set("record", await first.ended);
  left.set("record, killed", await second.ended);
  await until(() => readFileSync(join(folder, "killed.jsonl"), "utf8").includes('"aborted"'));
  const play = touchstone("play", "session.jsonl");
  const told = Promise.all(
    [
      ["check", "session.jsonl"],
      ["check", "session.jsonl", "--format", "json"],
      ["check", "session.jsonl", "--format", "ndjson"],
      ["convert", "session.jsonl", "--to", "har", "--out", "session.har"],
    ].map(async (args) => left.set(args.join(" "), await touchstone(...args).ended)),
  );
  const player = await play.listening;
  const reply = await fetch(`${player}${missed.target!(secretOf(missed))}`, {
    method: "POST",
    headers: { authorization: `Bearer ${secretOf(missed)}`, "content-type": "application/json" },
    body: missed.body!(secretOf(missed)) as string,
  });
  left.set("what play answered", await reply.text());
  play.child.kill("SIGINT");
  left.set("play", await play.ended);
  await told;
  for (const file of readdirSync(folder)) left.set(file, readFileSync(join(folder, file), "utf8"));
});

test("each of the secrets did pass", () => {
  expect(new Set(secrets).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(40);
  const unseen = [...places, killed].filter((place) => !hunt(passed.get(place.name) ?? "", [secretOf(place)]).length);
  expect(unseen.map(({ name }) => name)).toEqual([]);
});

test("every exchange is kept, and shown", () => {
  expect(left.get("session.jsonl")!.trimEnd().split("\n")).toHaveLength(1 + places.length + 1);
  expect(left.get("record")).toContain(`${places.length + 1} exchanges are kept`);
  expect(left.get("what play answered")).toContain("no_recording");
  expect([...left.keys()].sort()).toContain("session.har");
});

test("the page is told of each of them", () => {
  const told = left.get("the page")!;
  expect(told.split('{"exchange":{"source":"session.jsonl"').length - 1).toBe(places.length + 1);
});

test("no file, no output and no page has any of them", () => {
  const leaks = [...left].flatMap(([where, text]) =>
    hunt(text, secrets).map((secret) => `${where}: ${all[secrets.indexOf(secret)]!.name}`),
  );
  expect(leaks).toEqual([]);
});
