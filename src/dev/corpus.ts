/** `npm run check:corpus -- FOLDER`: judges a folder of real traffic, and fails when an error fires that the preset does not explain. */
import { basename } from "node:path";
import { openSource } from "../cassette/read.ts";
import { listSources } from "../cassette/sources.ts";
import { judge } from "../check/judge.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import { printable } from "../report/clean.ts";
import { UserError } from "../user-error.ts";

type Party = "official" | "compatible" | "clients";

/** Exchanges in which one clause found an error, by whose doing it is. */
type Counts = Record<Party, Set<string>>;

const parties: readonly Party[] = ["official", "compatible", "clients"];

/** Files are called `<what>.official.har.gz` or `<what>.compatible.har.gz`; others count as compatible. */
const partyOf = (file: string): Party => (/\.official\./.test(basename(file)) ? "official" : "compatible");

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("check:corpus needs a folder of recordings\nRun npm run check:corpus -- FOLDER.\n");
  process.exit(2);
}

async function filesIn(path: string): Promise<readonly string[]> {
  try {
    return await listSources([path]);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\n${error.remedy}\n`);
    process.exit(2);
  }
}

const catalogue = await openCatalogue();
const { names, policy, diverges } = judgingFrom({ preset: "vendors" }, catalogue);
const errors = new Map<string, Counts>();
const problems: string[] = [];
let exchanges = 0;

for (const file of await filesIn(folder))
  try {
    for await (const { exchange, index } of await openSource(file)) {
      exchanges++;
      const place = `${basename(file)}, exchange ${index}`;
      const { operation, findings } = judge(exchange, { source: file, exchange: index }, catalogue, { names, policy });
      if (operation === null)
        problems.push(`${place}: ${exchange.request.method} ${exchange.request.target} is no operation`);
      const refused = (exchange.response?.status ?? 0) >= 400;
      for (const { level, clause, side } of findings) {
        if (level !== "error") continue;
        let counts = errors.get(clause);
        if (!counts) errors.set(clause, (counts = { official: new Set(), compatible: new Set(), clients: new Set() }));
        // A refusal by a service is the fault of whoever sent the request, and no difference of the service.
        counts[side === "request" && refused ? "clients" : partyOf(file)].add(place);
      }
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    problems.push(`${basename(file)} cannot be read: ${error.message}`);
  }

const known = new Map(diverges.map((entry) => [entry.clause, entry]));
const cells = (counts: readonly (string | number)[]): string =>
  counts.map((count) => String(count).padStart(11)).join("");
process.stdout.write(`${cells(["exchanges", ...parties])}  clause\n`);
for (const [clause, counts] of [...errors].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const entry = known.get(clause);
  const all = new Set(parties.flatMap((party) => [...counts[party]]));
  const rest = entry?.count === undefined || entry.count === all.size ? "" : ` (${entry.count} when it was looked at)`;
  process.stdout.write(`${cells([all.size, ...parties.map((party) => counts[party].size)])}  ${clause}\n`);
  process.stdout.write(`${" ".repeat(46)}${entry ? `${entry.reason}${rest}` : "NOT EXPLAINED"}\n`);
  for (const party of parties) {
    const [first] = counts[party];
    // An entry about services covers what clients do wrong in the same place.
    const theirs = entry?.by.some((one) => one === party || one === "gateways" || one === "libraries");
    const explained = entry && (party === "clients" || theirs);
    if (first !== undefined && !explained)
      problems.push(`${clause} fires on ${party} traffic, and the preset does not say why: ${first}`);
  }
}
for (const { clause } of diverges) if (!errors.has(clause)) process.stdout.write(`${cells([0, 0, 0, 0])}  ${clause}\n`);
for (const problem of problems) process.stderr.write(`${printable(problem)}\n`);
process.stdout.write(`${exchanges} exchanges, ${errors.size} clauses with errors, ${problems.length} unexplained\n`);
process.exitCode = problems.length > 0 || exchanges === 0 ? 1 : 0;
