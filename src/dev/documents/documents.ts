/**
 * `npm run check:documents -- FOLDER [CORPUS]`: tries OpenAPI documents of others. Each has to load at once, to prove its
 * clauses, and to name where it contradicts itself. Traffic of the corpus and of the official SDK is judged by the document
 * that describes it. Whatever `explained.json` gives no reason for fails. What only Prism finds in changed exchanges fails
 * without a reason in `differences.json`. Packs of laws for one of the documents have to be proven whole. Without a registry of npm packages, Prism is left out, except in CI.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalogue } from "../../check/catalogue.ts";
import { openOpenApi, readOpenApi } from "../../documents/read-openapi.ts";
import { home } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { printable } from "../../report/clean.ts";
import { runCommand } from "./commands.ts";
import { compareWithPrism, type Difference, readExplanations, unexplainedDifferences } from "./differential.ts";
import { type Explained, readExplained, unexplained } from "./explained.ts";
import { brokenPlaces, misnamed } from "./named.ts";
import { type Library, loadPrism, openPrism } from "./prism.ts";
import { faultsOf } from "./samples.ts";
import { placesOf } from "./schema-places.ts";
import { trySdk } from "./sdk.ts";
import { compareTraffic } from "./traffic.ts";
import { unionsOf } from "./unions.ts";

/** Processor seconds in which a document is ready to judge by. */
const maxLoadSeconds = 15;
/** Percentage of unions that may be opaque without a reason of their own. */
const maxOpaque = 4.5;
/** The document of the official SDK. */
const ofSdk = "openai.yaml";

const [folder, corpus] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("check:documents needs a folder of OpenAPI documents\nRun npm run check:documents -- FOLDER.\n");
  process.exit(2);
}

const problems: string[] = [];
const say = (text: string): void => void process.stdout.write(`${printable(text)}\n`);

/** Adds what is not explained, and what is explained though it is not there. */
function demand(found: ReadonlyMap<string, string>, reasons: Readonly<Record<string, string>> | undefined): void {
  const { open, stale } = unexplained(found, reasons);
  problems.push(...open, ...stale);
}

const counted = (values: Iterable<string>): string => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => `${count} ${value}`)
    .join(", ");
};

async function load(path: string): Promise<Catalogue> {
  const before = process.cpuUsage();
  const catalogue = await openCatalogue([path]);
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  const clauses = catalogue.clauses.filter((clause) => catalogue.own.has(clause.interface));
  const opaque = clauses.filter((clause) => clause.opaque);
  say(`  ready in ${seconds.toFixed(1)} s of a processor: ${catalogue.own.size} interfaces, ${clauses.length} clauses`);
  say(`  ${opaque.length} opaque: ${counted(opaque.map(({ reason }) => reason ?? "no reason"))}`);
  if (seconds > maxLoadSeconds) problems.push(`${path} takes ${seconds.toFixed(1)} s to load`);
  for (const { id, reason } of opaque) if (!reason) problems.push(`${id} is opaque and does not say why`);
  return catalogue;
}

interface ProofJson {
  readonly clauses: readonly string[];
  readonly proven: readonly string[];
  readonly silent: readonly string[];
  readonly dead: readonly string[];
}

async function proof(path: string, { unproven }: Explained): Promise<void> {
  const { stdout, stderr } = await runCommand(["prove", "--documents", path, "--format", "json"]);
  if (stdout === "") {
    problems.push(`prove --documents ${path}: ${stderr.trim()}`);
    return;
  }
  const { clauses, proven, silent, dead } = JSON.parse(stdout) as ProofJson;
  say(`  ${proven.length} of ${clauses.length} clauses proven, ${silent.length} silent, ${dead.length} dead`);
  if (clauses.length === 0) problems.push(`${path} has no clause to prove`);
  const gaps = [...silent.map((id) => [id, "silent"] as const), ...dead.map((id) => [id, "dead"] as const)];
  demand(new Map(gaps), unproven);
}

async function contradictions(path: string, catalogue: Catalogue, known: Explained): Promise<void> {
  const doc = openOpenApi(await readOpenApi(path), path);
  const places = placesOf(doc);
  const named = Object.values(catalogue.contradictions?.() ?? {}).flat();
  const faults = await faultsOf(doc, places.samples);
  const unlike = misnamed(named, brokenPlaces(doc, places), faults);
  const distinct = new Set(named.map(({ place }) => place));
  say(
    `  ${places.samples.length} examples and defaults: ${faults.size} violate their schema; ${distinct.size} contradictions named`,
  );
  demand(unlike, known.misnamed);
  const unions = unionsOf(doc, places.schemas);
  const opaque = [...unions].filter(([, way]) => way === "opaque").map(([pointer]) => pointer);
  const open = opaque.filter((pointer) => known.opaque?.[pointer] === undefined);
  say(`  ${unions.size} unions: ${counted(unions.values())}`);
  if (open.length > (unions.size * maxOpaque) / 100)
    problems.push(`${path}: ${open.length} of ${unions.size} unions are opaque: ${open.join(", ")}`);
  for (const pointer of Object.keys(known.opaque ?? {}))
    if (!opaque.includes(pointer)) problems.push(`${pointer}: explained as opaque, but it is not`);
}

async function traffic(catalogue: Catalogue, { onlyDocument, onlyTouchstone }: Explained): Promise<void> {
  if (corpus === undefined) return;
  const found = await compareTraffic(corpus, catalogue);
  say(`  ${found.exchanges} recorded exchanges: both object ${found.agreed} times at the same place`);
  say(
    `  differences: ${found.onlyDocument.size} clauses of the document alone, ${found.onlyTouchstone.size} of touchstone alone`,
  );
  say(`  ${found.ofRules} exchanges violate rules as well, which no schema can express`);
  if (found.exchanges === 0) problems.push(`${corpus} has no recordings of chat`);
  demand(found.onlyDocument, onlyDocument);
  demand(found.onlyTouchstone, onlyTouchstone);
}

const scratch = mkdtempSync(join(tmpdir(), "touchstone-documents-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** Names of packs by the document that they are for. */
const packs = new Map(
  readdirSync(join(home, "schemas", "packs")).map((pack) => {
    const description = readFileSync(join(home, "schemas", "packs", pack, "interface.json"), "utf8");
    return [(JSON.parse(description) as { readonly openapi: string }).openapi, pack];
  }),
);

async function proofOfPack(path: string, pack: string): Promise<void> {
  const own = join(scratch, pack);
  const { stderr } = await runCommand(["new", own, "--openapi", path, "--pack", pack]);
  const { stdout } = await runCommand(["prove", "--documents", own, "--format", "json"]);
  if (stdout === "") {
    problems.push(`new --pack ${pack}: ${stderr.trim()}`);
    return;
  }
  const { clauses, proven } = JSON.parse(stdout) as ProofJson;
  say(`  with the pack ${pack}: ${proven.length} of ${clauses.length} clauses proven`);
  const open = clauses.filter((id) => !proven.includes(id));
  if (open.length > 0 || clauses.length === 0)
    problems.push(`the pack ${pack} is not proven whole: ${open.join(", ")}`);
}

/** Loads Prism; undefined where it cannot be installed. */
async function prismFrom(folder: string): Promise<Library | undefined> {
  try {
    return await loadPrism(folder);
  } catch (error) {
    const { message } = error as Error;
    if (process.env["CI"]) problems.push(message);
    say(`not compared with Prism: ${message}`);
    return undefined;
  }
}

const differences: Difference[] = [];

async function compare(path: string, name: string, catalogue: Catalogue, library: Library): Promise<void> {
  const before = process.cpuUsage();
  const found = await compareWithPrism(name, catalogue, await openPrism(library, path));
  const { user, system } = process.cpuUsage(before);
  say(
    `  changed exchanges: ${found.both} found by both, ${found.onlyPrism} by Prism alone, ${found.onlyTouchstone} by touchstone alone, ${found.neither} by neither`,
  );
  say(
    `  ${found.refused} examples that Prism refuses; compared in ${((user + system) / 1e6).toFixed(0)} s of a processor`,
  );
  differences.push(...found.differences);
}

const library = await prismFrom(join(scratch, "prism"));
const explained = readExplained();
const files = readdirSync(folder).filter((name) => /\.(?:ya?ml|json)$/.test(name));
for (const name of files) {
  const path = join(folder, name);
  const known = explained[name] ?? {};
  say(name);
  // The proof takes longest, in a process of its own.
  const proving = proof(path, known);
  const catalogue = await load(path);
  await contradictions(path, catalogue, known);
  if (name === ofSdk) {
    await traffic(catalogue, known);
    const { made, problems: found } = await trySdk(path);
    say(`  ${made} calls of the official SDK recorded, ${found.length} problems`);
    problems.push(...found);
  }
  if (library) await compare(path, name, catalogue, library);
  await proving;
  const pack = packs.get(name);
  if (pack !== undefined) await proofOfPack(path, pack);
}
if (library) problems.push(...unexplainedDifferences(differences, readExplanations()));
for (const problem of problems) process.stderr.write(`${printable(problem)}\n`);
say(`${files.length} documents, ${problems.length} problems`);
process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0;
