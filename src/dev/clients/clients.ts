/**
 * `npm run check:clients [-- CLIENT...] [-- --write]`: breaks each clause of the answers that the clients get from the
 * reference, and compares what they do with `schemas/clients.json`. `--write` writes it there.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { driveClients, drivers } from "../../run/clients/drive.ts";
import { bareTarget } from "../../run/plan/target.test-kit.ts";
import type { Client } from "../../verdict/client.ts";
import type { ClientTrial } from "../../verdict/run-results.ts";
import { type Breakage, createBreakageFinder, type Passed } from "./breakage.ts";
import { type Happened, needsOf } from "./needs.ts";
import { type Change, serveTrials } from "./server.ts";

/** Trials at a time: clients wait for timers and sockets most of the time. */
const atATime = 24;

/** Milliseconds: long where a wait would be news, short where it is what is looked for. */
const maxIdleMs = 30_000;
const shortPatience = 3_000;

const path = join(home, "schemas", "clients.json");
/** Those that are named; all where none is. */
const only = new Set(process.argv.slice(2).filter((one) => !one.startsWith("-")));
const isTried = (name: string): boolean => only.size === 0 || only.has(name);
const write = process.argv.includes("--write");
const listed: readonly Client[] = JSON.parse(readFileSync(path, "utf8"));

const catalogue = await openCatalogue();
const server = await serveTrials(catalogue);
const find = createBreakageFinder(catalogue, server.answer);

function drive(
  of: string,
  change: Change,
  client?: string,
  scenario?: string,
  wait = maxIdleMs,
): Promise<ClientTrial[]> {
  return server.with(change, (url) => {
    const target = bareTarget(url);
    const one = { ...(client !== undefined && { only: client }), ...(scenario !== undefined && { scenario }) };
    return driveClients([of], { target, knownModels: new Set(), maxIdleMs: wait, ...one }, home);
  });
}

/** Everything that one scenario is broken with. */
async function breakagesOf(of: string, client: string, scenario: string): Promise<Breakage[]> {
  const passed: Passed[] = [];
  const pass: Change = (request, reply) => {
    passed.push({ request, reply });
    return reply;
  };
  await drive(of, pass, client, scenario);
  return find(passed);
}

const problems: string[] = [];
const happened = new Map<string, Happened[]>();
const versions = new Map<string, string>();
const queue: (() => Promise<void>)[] = [];
const last: typeof queue = [];
for (const of of new Set(drivers.map((one) => one.interface)))
  for (const { client, scenario, outcome, detail, version } of await drive(of, (_request, good) => good)) {
    if (!isTried(client)) continue;
    if (outcome !== "fine") {
      problems.push(`${client}, ${scenario}: ${outcome}: ${detail}`);
      continue;
    }
    versions.set(client, version!);
    const own: Happened[] = [];
    happened.set(`${client} ${scenario}`, own);
    for (const [i, { change, endless, ...broken }] of (await breakagesOf(of, client, scenario)).entries())
      (endless ? last : queue).push(async () => {
        const [trial] = await drive(of, change, client, scenario, endless ? shortPatience : maxIdleMs);
        own[i] = { ...broken, trial: trial! };
      });
  }
for (const part of [queue, last]) {
  const all = part.values();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const one of all) await one();
    }),
  );
}
await server.close();

const found = listed.map((client): Client => {
  if (!isTried(client.name)) return client;
  const version = versions.get(client.name);
  if (version === undefined) problems.push(`${client.name}: no trial uses it`);
  const needs = Object.keys(client.scenarios).flatMap((scenario) => {
    const own = happened.get(`${client.name} ${scenario}`);
    if (!own) problems.push(`${client.name}, ${scenario}: there is no such scenario`);
    return needsOf(scenario, own ?? []);
  });
  return { ...client, version: version ?? client.version, needs };
});
for (const key of happened.keys())
  if (!listed.some((client) => Object.keys(client.scenarios).some((scenario) => `${client.name} ${scenario}` === key)))
    problems.push(`${key}: schemas/clients.json does not list it`);

if (write) writeFileSync(path, `${JSON.stringify(found, null, 2)}\n`);
else
  for (const [i, { name, needs }] of found.entries()) {
    const text = (all: Client["needs"]) => new Set(all.map((need) => JSON.stringify(need)));
    const [now, before] = [text(needs), text(listed[i]!.needs)];
    for (const need of now) if (!before.has(need)) problems.push(`${name}: not listed: ${need}`);
    for (const need of before) if (!now.has(need)) problems.push(`${name}: listed, and not so: ${need}`);
  }
for (const problem of problems) process.stdout.write(`${problem}\n`);
const count = found.reduce((sum, { needs }) => sum + needs.length, 0);
process.stdout.write(
  `${count} needs of ${found.length} clients, ${problems.length === 0 ? "as listed" : `${problems.length} problems`}; npm run check:clients -- --write writes them\n`,
);
process.exit(problems.length > 0 ? 1 : 0);
