/** `npm run check:adversary`: the reference violates one clause at a time, and `touchstone run` must go red with exactly that clause. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Clause, levelOf } from "../check/clause.ts";
import { namesFrom } from "../check/names.ts";
import { home } from "../home.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { createBreaker } from "../prove/break.ts";
import { createReference, sdkHeaders } from "../reference/reference.ts";
import type { RunResults } from "../verdict/document.ts";
import { listen } from "../wire/listen.ts";

/** How many clauses are tried unless the command line says otherwise; `all` tries every one. */
const usual = 60;

const catalogue = await loadCatalogue();
const names = namesFrom(sdkHeaders);
const rules = catalogue.interfaces.flatMap((one) => one.rules);
const [amount = String(usual)] = process.argv.slice(2);

async function runAgainst(
  target: string | undefined,
  ...options: string[]
): Promise<{ code: number; results: RunResults }> {
  const cli = join(home, "dist", "src", "cli.js");
  // Of rules on requests it shows that they are kept; whether answers keep theirs is the recordings' matter.
  const args = [cli, "run", ...(target ? [target] : []), ...options, "--no-probes", "--format", "json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let trouble = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (trouble += text));
  const [code] = await once(child, "close");
  try {
    return { code, results: JSON.parse(out) };
  } catch {
    throw new Error(`touchstone run ended with ${code}: ${trouble}`);
  }
}

/** Clauses with findings of any level; a run names each failed clause there. */
const found = ({ findings }: RunResults): Set<string> => new Set(findings.map(({ clause }) => clause));

/** What went wrong with one clause, or undefined. */
async function problemWith(clause: Clause, before: ReadonlySet<string>): Promise<string | undefined> {
  const level = levelOf(clause);
  let base = "";
  const strict = new Set<string>();
  let broke = false;
  const reference = createReference(catalogue, () => base, names);
  const breaker = createBreaker(catalogue, [clause.id], names, (breach) => {
    for (const reading of breach.strict) strict.add(reading);
  });
  const server = await listen((request) => {
    const good = reference(request);
    const reply = breaker(request, good);
    broke ||= reply !== good;
    return reply;
  });
  base = server.url;
  try {
    const { code, results } = await runAgainst(server.url, "--interface", clause.interface, "--level", level);
    if (!broke) return undefined;
    const ofRule = rules.find((rule) => rule.clause === clause.id)?.alsoBreaks ?? [];
    const allowed = new Set([clause.id, ...before, ...ofRule, ...(clause.alsoBreaks ?? [])]);
    const unrelated = results.findings.filter((finding) => finding.level !== "note" && !allowed.has(finding.clause));
    const own = results.findings.filter((finding) => finding.clause === clause.id);
    if (own.length === 0 && strict.size > 0) {
      // Only a strict reading sees this breach: then it has to.
      const readings = [...strict].flatMap((id) => ["--reading", `strict:${id}`]);
      const again = await runAgainst(server.url, "--interface", clause.interface, ...readings);
      return found(again.results).has(clause.id) ? undefined : "went unnoticed under its strict reading";
    }
    if (own.length === 0) return "went unnoticed";
    if (unrelated.length > 0)
      return `also accuses ${[...new Set(unrelated.map((finding) => finding.clause))].join(", ")}`;
    // A reading may grade a violation below its clause's own level, which then is no red.
    return code === 1 || own.every(({ reading }) => reading !== undefined) ? undefined : `ended with exit code ${code}`;
  } finally {
    await server.close();
  }
}

const { results: good } = await runAgainst(undefined);
const before = found(good);
const passing = new Set(good.clauses.filter(({ verdict }) => verdict === "pass").map(({ id }) => id));
const candidates = catalogue.clauses.filter(({ id }) => passing.has(id));
const step = amount === "all" ? 1 : Math.max(1, candidates.length / Number(amount));
const chosen = candidates.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
let failed = 0;
const queue = [...chosen];
await Promise.all(
  [1, 2].map(async () => {
    for (let clause = queue.shift(); clause; clause = queue.shift()) {
      const problem = await problemWith(clause, before).catch((error: Error) => error.message);
      if (problem) process.stdout.write(`${clause.id}: ${problem}\n`);
      if (problem) failed++;
    }
  }),
);
process.stdout.write(`${chosen.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
