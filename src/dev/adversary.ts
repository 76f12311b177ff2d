/**
 * `npm run check:adversary [-- AMOUNT|I/N|all]`: the reference violates one clause at a time, and a run must go red with
 * exactly that clause. AMOUNT clauses spread over all, the I-th of N parts, or each; 60 unless told.
 */
import { type Clause, levelOf } from "../check/clause.ts";
import { namesFrom } from "../check/names.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { createBreaker } from "../prove/break.ts";
import { createReference, sdkHeaders } from "../reference/reference.ts";
import { serveReference } from "../reference/serve.ts";
import type { RunOptions } from "../run/options.ts";
import { planRun } from "../run/plan-run.ts";
import { prepareRun } from "../run/run.ts";
import { runExitCode } from "../verdict/outcome.ts";
import { onAnswers } from "../verdict/results.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { listen } from "../wire/listen.ts";

const usual = 60;

/** Sources of each kind, recordings and groups of probes, that are asked of a target that breaks one clause. */
const maxSources = 4;

/** Clauses asked at a time. */
const atATime = 2;

const catalogue = await openCatalogue();
const names = namesFrom(sdkHeaders);
const rules = catalogue.interfaces.flatMap((one) => one.rules);
const ofLaws = new Set(catalogue.interfaces.flatMap(({ laws = [] }) => laws.map(({ clause }) => clause)));

/** The fault of a clause: undefined if all is well. */
type Problem = { readonly failed: string } | { readonly unseen: string } | undefined;

/** A run as the command makes it, of some sources only. */
async function runAgainst(url: string, sources: ReadonlySet<string> | undefined, options: RunOptions) {
  const planned = await planRun(url, { concurrency: 8, probes: "all", ...options });
  const cassettes = planned.plan.cassettes.filter(({ source }) => !sources || sources.has(source));
  const probes = planned.probes.filter(({ source }) => !sources || sources.has(source));
  const exchanges = cassettes.reduce((sum, cassette) => sum + cassette.exchanges, 0);
  return prepareRun({ ...planned, plan: { ...planned.plan, cassettes, exchanges }, probes }).execute();
}

/** Clauses with findings of any level; a run names each failed clause there. */
const found = ({ findings }: RunResults): Set<string> => new Set(findings.map(({ clause }) => clause));

/** The reference, with one clause broken in every reply where that is possible. */
async function breaking(clause: Clause) {
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
  return { url: base, strict, broke: () => broke, close: () => server.close() };
}

async function problemWith(clause: Clause, shownBy: readonly string[], before: ReadonlySet<string>): Promise<Problem> {
  const level = levelOf(clause);
  const server = await breaking(clause);
  try {
    const isProbe = (source: string): boolean => source.startsWith("probes/");
    const few = [
      ...shownBy.filter((source) => !isProbe(source)).slice(0, maxSources),
      ...shownBy.filter(isProbe).slice(0, maxSources),
    ];
    let asked = new Set(few);
    let { results } = await runAgainst(server.url, asked, { level });
    if (!server.broke() && few.length < shownBy.length) {
      asked = new Set(shownBy);
      results = (await runAgainst(server.url, asked, { level })).results;
    }
    if (!server.broke()) return { unseen: "no reply can be made to break it alone" };
    const ofRule = rules.find((rule) => rule.clause === clause.id)?.alsoBreaks ?? [];
    const allowed = new Set([clause.id, ...before, ...ofRule, ...(clause.alsoBreaks ?? [])]);
    const own = results.findings.filter((finding) => finding.clause === clause.id);
    // If refusals are broken, the rules on requests seem not to be enforced.
    const isOfRefusals = ["auth", "errors"].includes(clause.section) || clause.readings.includes("X-ENFORCE");
    const unrelated = results.findings.filter(
      (finding) =>
        finding.level !== "note" &&
        !allowed.has(finding.clause) &&
        !(isOfRefusals && finding.reading === "X-ENFORCE") &&
        // An exchange that breaks a clause no longer agrees with others.
        !ofLaws.has(finding.clause),
    );
    if (own.length === 0 && server.strict.size > 0) {
      // Only a strict reading sees this breach: then it has to.
      const again = await runAgainst(server.url, asked, { reading: [...server.strict].map((id) => `strict:${id}`) });
      return found(again.results).has(clause.id) ? undefined : { failed: "went unnoticed under its strict reading" };
    }
    if (own.length === 0) return { failed: "went unnoticed" };
    if (unrelated.length > 0)
      return { failed: `also accuses ${[...new Set(unrelated.map((finding) => finding.clause))].join(", ")}` };
    // A reading may grade a violation below its clause's own level, which then is no red.
    const code = runExitCode(results);
    if (code === 1 || own.every(({ reading }) => reading !== undefined)) return undefined;
    return { failed: `ended with exit code ${code}` };
  } finally {
    await server.close();
  }
}

/** The sources whose answers exercise each clause, in a whole run against the reference. */
async function whatIsShown() {
  const server = await serveReference(catalogue, {});
  try {
    const { results, outcomes } = await runAgainst(server.url, undefined, {});
    const sources = new Map<string, string[]>();
    for (const { source, evidence } of [...outcomes].sort((a, b) => (a.source < b.source ? -1 : 1)))
      for (const id of new Set(evidence.flatMap(({ exercised }) => exercised)))
        sources.set(id, [...(sources.get(id) ?? []), source]);
    return { sources, before: found(results) };
  } finally {
    await server.close();
  }
}

/** The clauses of all that the command line asks for. */
function chosenOf<T>(all: readonly T[], [amount = String(usual)]: readonly string[]): readonly T[] {
  const [, part, parts] = (/^(\d+)\/(\d+)$/.exec(amount) ?? []).map(Number);
  if (part && parts) return all.filter((_, i) => i % parts === part - 1);
  const step = amount === "all" ? 1 : Math.max(1, all.length / Number(amount));
  return all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

const { sources, before } = await whatIsShown();
const decidable = onAnswers(catalogue);
const onReplies = catalogue.clauses.filter(({ id }) => decidable.has(id));
const unseen: string[] = onReplies.filter(({ id }) => !sources.has(id)).map(({ id }) => `${id}: no answer shows it`);
const chosen = chosenOf(
  onReplies.filter(({ id }) => sources.has(id)),
  process.argv.slice(2),
);
const failed: string[] = [];
const queue = chosen.values();
await Promise.all(
  Array.from({ length: atATime }, async () => {
    for (const clause of queue) {
      const problem = await problemWith(clause, sources.get(clause.id) ?? [], before).catch(
        (error: Error): Problem => ({ failed: error.message }),
      );
      if (!problem) continue;
      const line = `${clause.id}: ${"failed" in problem ? problem.failed : problem.unseen}`;
      if ("failed" in problem) process.stdout.write(`${line}\n`);
      ("failed" in problem ? failed : unseen).push(line);
    }
  }),
);
const shown = unseen.filter((line) => chosen.length > usual || chosen.some(({ id }) => line.startsWith(`${id}:`)));
for (const line of shown.sort()) process.stdout.write(`not seen: ${line}\n`);
process.stdout.write(
  `${chosen.length - failed.length} of ${chosen.length} clauses as they should be, ${failed.length} failed\n`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
