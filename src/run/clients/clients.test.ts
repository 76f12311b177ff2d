/** What the clients of `schemas/clients.json` are said not to do without is so: the installed ones meet the reference broken in it. */
import { mkdtempSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { namesFrom } from "../../check/names.ts";
import { home } from "../../home.ts";
import { loadCatalogue } from "../../interfaces/catalogue.ts";
import { createBreaker } from "../../prove/break.ts";
import { createReference, sdkHeaders } from "../../reference/reference.ts";
import type { ClientTrial } from "../../verdict/run-results.ts";
import { cert, key } from "../../wire/certificate.test-kit.ts";
import { type Handler, type Listening, listen } from "../../wire/listen.ts";
import { loadFitness } from "../fitness-data.ts";
import { type DriveOptions, driveClients } from "./drive.ts";

const catalogue = await loadCatalogue();
const names = namesFrom(sdkHeaders);
const servers: Listening[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** The reference, its answers changed. */
async function serve(change: (good: Handler) => Handler): Promise<string> {
  let base = "";
  const reference = createReference(catalogue, () => base, names);
  const server = await listen(change((request) => reference(request)));
  servers.push(server);
  base = server.url;
  return base;
}

const broken = (clause: string): Promise<string> => {
  const breaker = createBreaker(catalogue, [clause], names);
  return serve((good) => async (request) => breaker(request, await good(request)));
};

/** Bodies that nobody ends once they are sent. */
const endless = (): Promise<string> =>
  serve((good) => async (request) => {
    const reply = await good(request);
    const never = async function* () {
      await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
    };
    return reply.headers.some(([, value]) => value === "text/event-stream") ? { ...reply, more: never() } : reply;
  });

function drive(
  url: string,
  of: string,
  more: Partial<Omit<DriveOptions, "target"> & Pick<DriveOptions["target"], "keys" | "headers">> = {},
) {
  const { keys = {}, headers = [], ...options } = more;
  const target = { url, keys, bindings: [], models: {}, headers, lacks: [] };
  const knownModels = new Set(["chat-model", "messages-model", "generate-model"]);
  return driveClients([of], { target, knownModels, patience: 20_000, ...options }, home);
}
const outcomes = (trials: readonly ClientTrial[]): string[] => [...new Set(trials.map(({ outcome }) => outcome))];

const { clients } = loadFitness();
const cases = clients.flatMap(({ name, needs }) => needs.map(({ clause, effect }) => [name, clause, effect] as const));

test("official clients find nothing amiss in the reference", async () => {
  const url = await serve((good) => good);
  for (const of of ["chat-completions", "images", "messages", "generate-content"]) {
    const trials = await drive(url, of);
    expect(trials.filter(({ outcome }) => outcome !== "fine")).toEqual([]);
    expect(trials.length).toBeGreaterThan(of === "images" ? 0 : 4);
  }
});

test.each(cases.filter(([, clause, effect]) => effect !== "waits" && !clause.endsWith("bad-request-status")))(
  "%s, %s: %s",
  async (name, clause, effect) => {
    const trials = await drive(await broken(clause), clause.split(".")[0]!, { only: name });
    expect(outcomes(trials)).toContain(effect);
  },
);

test.each(cases.filter(([, , effect]) => effect === "waits"))("%s, %s: %s", async (name, clause, effect) => {
  const trials = await drive(await endless(), clause.split(".")[0]!, { only: name, patience: 80 });
  expect(outcomes(trials)).toContain(effect);
});

test("a bad request that is answered 500 is asked again", async () => {
  let asked = 0;
  const url = await serve((good) => (request) => {
    if (!Buffer.from(request.body).includes('"temperature":3')) return good(request);
    asked++;
    return {
      status: 500,
      headers: [["retry-after-ms", "1"]],
      pieces: [{ bytes: Buffer.from('{"error":{"message":"no"}}') }],
    };
  });
  const trials = await drive(url, "chat-completions", { only: "openai" });
  expect(trials.find(({ scenario }) => scenario === "error")).toMatchObject({
    outcome: "asks again",
    detail: "3 requests where 1 would do",
  });
  expect(asked).toBe(3);
});

test("an error that repeats the key is told without it, and a client that is not installed in one line", async () => {
  const url = await serve(() => ({ headers }) => ({
    status: 404,
    headers: [["content-type", "application/json"]],
    pieces: [{ bytes: Buffer.from(JSON.stringify({ error: { message: `no ${JSON.stringify(headers)}` } })) }],
  }));
  const trials = await drive(url, "messages", { keys: { "*": "key-never-shown" } });
  expect(outcomes(trials)).toContain("throws");
  expect(JSON.stringify(trials)).not.toContain("never-shown");
  const target = { url, keys: {}, bindings: [], models: {}, headers: [], lacks: [] };
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  expect(await driveClients(["messages"], { target, knownModels: new Set(), patience: 1 }, folder)).toEqual([
    {
      client: "anthropic",
      scenario: "",
      outcome: "not installed",
      detail: "@anthropic-ai/sdk is not installed: npm install @anthropic-ai/sdk",
    },
  ]);
});

test("clients send what the run is told to send, wait for their turn, and count the wait for no silence of the target", async () => {
  const told: (string | undefined)[] = [];
  const url = await serve((good) => (request) => {
    told.push(request.headers.find(([name]) => name.toLowerCase() === "x-team")?.[1]);
    return good(request);
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const turn = async (): Promise<void> => void vi.advanceTimersByTime(60_000);
  const trials = await drive(url, "images", { headers: [["X-Team", "blue"]], turn, patience: 20_000 });
  expect(trials).toEqual([{ client: "openai", scenario: "image", outcome: "fine", detail: "" }]);
  expect(told).toEqual(["blue"]);
});

test("clients take a certificate that nobody trusts where the run does", async () => {
  const body = { data: [{ b64_json: "AAAA" }] };
  const server = https.createServer({ key, cert }, (_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(outcomes(await drive(url, "images", { insecure: true }))).toEqual(["fine"]);
});
