/**
 * `npm run check:clients-matrix [-- NAME ...]`: tries clients of others with all cases of their interfaces, each at exact versions
 * from the registry of npm packages. Every outcome that is amiss has its reason in `outcomes.json`; any other one fails.
 *
 * `--quick` tries the newest of each package alone, as continuous integration does; the whole takes twice that time on two idle
 * cores. `--write` writes the matrix into `docs/clients-matrix.md` and the README; `--case=PATTERN` tries some of the cases; `--out=DIR`
 * keeps what was seen of each client; `--from=DIR` judges what an earlier run kept. `--packages=DIR` keeps the packages.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { home, version } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { type Difference, differences, readKnown, strays } from "./expected.ts";
import { clients, nameOf, quickAmount } from "./list.ts";
import { between, matrixText, tableOf } from "./page.ts";
import { judgedAgain, type TriedClient, tryClient } from "./try-client.ts";

/** Clients at a time, and cases of each: most of a try is waiting for what takes its time. */
const clientsAtATime = 8;
const casesAtATime = 8;

/** Milliseconds a case may take. Endless answers take them all; no other case comes near, unless the machine is very busy. */
const timeout = 30_000;

/** Rows of the matrix that the README shows. */
const rowsInReadme = 10;

const args = process.argv.slice(2);
const valuesOf = (option: string): string[] =>
  args.flatMap((arg) => (arg.startsWith(`--${option}=`) ? [arg.slice(option.length + 3)] : []));
const names = args.filter((arg) => !arg.startsWith("--"));
const cases = valuesOf("case");
const [out] = valuesOf("out");
const [from] = valuesOf("from");
const [kept] = valuesOf("packages");
const atATime = Number(valuesOf("clients-at-a-time")[0] ?? clientsAtATime);

const temporary = kept ?? mkdtempSync(join(tmpdir(), "touchstone-matrix-"));
if (kept === undefined) process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));

const catalogue = await openCatalogue();
const isQuick = args.includes("--quick");
const listed = isQuick ? clients.slice(0, quickAmount) : clients;
const chosen = listed.filter((client) => names.length === 0 || names.some((name) => nameOf(client).startsWith(name)));
const fileOf = (folder: string, name: string): string => join(folder, `${name.replaceAll(" ", "-")}.json`);

async function tryAll(): Promise<TriedClient[]> {
  const tried: TriedClient[] = [];
  const left = chosen.entries();
  const tryNext = async (): Promise<void> => {
    for (const [i, client] of left) {
      tried[i] =
        from === undefined
          ? await tryClient(catalogue, client, { temporary, cases, timeout, concurrency: casesAtATime })
          : judgedAgain(catalogue, JSON.parse(readFileSync(fileOf(from, nameOf(client)), "utf8")));
      if (out !== undefined) writeFileSync(fileOf(out, nameOf(client)), JSON.stringify(tried[i]));
      if (from === undefined) console.log(`${nameOf(client)}: ${tried[i].seconds.toFixed(0)} s`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, tryNext));
  return tried;
}

try {
  if (out !== undefined) mkdirSync(out, { recursive: true });
  const tried = await tryAll();
  const known = readKnown();
  console.log(tableOf(tried));
  const isWhole = names.length === 0 && cases.length === 0 && !isQuick;
  if (args.includes("--write") && isWhole) write(tried);
  for (const { client, case: id, seen, why, expected } of await lasting(differences(known, tried))) {
    console.log(`${client}, ${id}: ${seen}${expected === undefined ? "" : ` in place of ${expected}`}: ${why}`);
    // A case that shows nothing this time, on a busy machine, contradicts nothing.
    if (seen !== "not-shown") process.exitCode = 1;
  }
  for (const stray of isWhole ? strays(known, tried) : []) {
    console.log(`outcomes.json speaks of ${stray}, which is none of the matrix`);
    process.exitCode = 1;
  }
} catch (error) {
  console.log((error as Error).message);
  process.exitCode = 1;
}

/** The differences that come again when their cases are tried alone: a busy machine looks like a broken client. */
async function lasting(found: readonly Difference[]): Promise<readonly Difference[]> {
  if (from !== undefined) return found;
  const again: Difference[] = [];
  for (const client of chosen) {
    const own = found.flatMap((one) => (one.client === nameOf(client) ? [one.case] : []));
    if (own.length === 0) continue;
    console.log(`${nameOf(client)}: ${own.join(", ")} tried again`);
    const options = { temporary, cases: [...new Set(own)], timeout, concurrency: 2 };
    again.push(...differences(readKnown(), [await tryClient(catalogue, client, options)]));
  }
  return again;
}

/** Writes the matrix into the two pages. */
function write(tried: readonly TriedClient[]): void {
  const facts = { day: new Date().toISOString().slice(0, 10), touchstone: version() };
  const put = (page: string, text: string): void => {
    const path = join(home, page);
    writeFileSync(path, between(readFileSync(path, "utf8"), text));
  };
  put("docs/clients-matrix.md", matrixText(tried, readKnown(), facts));
  put("README.md", `\n${tableOf(tried.slice(0, rowsInReadme), "docs/clients-matrix.md")}`);
}
