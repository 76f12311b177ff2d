/** What `touchstone run` does, in order: read, plan, probe, ask, judge, report. */
import type { Catalogue } from "../check/catalogue.ts";
import { judge } from "../check/judge.ts";
import type { RunArgs } from "../cli/run.ts";
import { version } from "../home.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import { serveReference } from "../reference/serve.ts";
import { gathered, jsonPieces } from "../report/json.ts";
import { createPrinter } from "../report/terminal/printer.ts";
import { formatText } from "../report/text.ts";
import { UserError } from "../user-error.ts";
import type { Plan, RunResults } from "../verdict/document.ts";
import { evidenceOf } from "../verdict/evidence.ts";
import { updateExpectations } from "../verdict/expectations.ts";
import { runExitCode } from "../verdict/outcome.ts";
import { createSender, defaultLimits } from "../wire/send.ts";
import type { Outcome } from "./ask.ts";
import { choose } from "./choice.ts";
import { closeOutput, documentHashes, loadExpectations, openOutput, saveExpectations } from "./files.ts";
import { type KeyInHeader, preflight } from "./preflight.ts";
import { answeredModels } from "./recorded.ts";
import { type RunFacts, resultsOf } from "./results.ts";
import type { RunOrder } from "./suite.ts";
import { type Target, targetNames } from "./target.ts";
import { headersFrom, keysFrom, modelsFrom, readTarget } from "./target-options.ts";
import { runSuites } from "./vitest.ts";

/** Runs, prints, and sets the exit code. */
export async function run(args: RunArgs): Promise<void> {
  for (const [option, least] of [
    ["concurrency", 1],
    ["maxRequests", 1],
    ["timeout", 0.001],
  ] as const)
    if (args[option] !== undefined && !(args[option] >= least))
      throw new UserError(
        `--${option === "maxRequests" ? "max-requests" : option} must be a number of at least ${least}`,
        "touchstone run --help shows it.",
      );
  const file = args.target === undefined ? undefined : readTarget(args.target);
  const judging = judgingFrom(args, ...(file?.bindings ? [file.bindings] : []));
  const catalogue = await loadCatalogue();
  const choice = await choose(args, file?.lacks ?? [], catalogue);
  const { plan, recordings } = choice;
  if (args.dryRun)
    return void process.stdout.write(args.format === "json" ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan));

  const expectationsFile = args.expectations ?? file?.expectations;
  if (args.updateExpectations && expectationsFile === undefined)
    throw new UserError("--update-expectations needs a file to update", "Name it with --expectations FILE.");
  const names = new Set([...catalogue.clauses.map(({ id }) => id), ...recordings.map(({ source }) => source)]);
  let expectations =
    expectationsFile === undefined
      ? undefined
      : loadExpectations(expectationsFile, (name) => names.has(name), args.updateExpectations);
  const interfaces = catalogue.interfaces.map(({ name }) => name);
  const told = {
    keys: keysFrom(args.key ?? [], file?.keys, interfaces, process.env),
    bindings: judging.bindings,
    models: modelsFrom(args.model ?? [], file?.models),
    headers: headersFrom(args.header ?? [], file?.headers),
    lacks: plan.lacks,
  };
  const facts: RunFacts = {
    target: {
      kind: file ? "url" : "reference",
      url: file?.url ?? null,
      bindings: Object.assign({}, ...judging.bindings.map((layer) => layer.names ?? {})),
    },
    plan,
    shard: choice.shard,
    versions: { touchstone: version(), node: process.versions.node },
    documents: documentHashes(catalogue.interfaces),
  };
  const today = new Date().toISOString().slice(0, 10);
  const resultsNow = (outcomes: readonly Outcome[], complete: boolean): RunResults =>
    resultsOf(
      facts,
      outcomes,
      recordings,
      catalogue,
      { expectations, failsAt: args.level, diverges: judging.diverges, today },
      complete,
    );
  if (args.out !== undefined) openOutput(args.out, resultsNow([], false));

  const { color, progress, write } = createPrinter();
  const reference = file
    ? undefined
    : await serveReference(catalogue, { names: judging.names, allowHost: ["*"], allowOrigin: ["*"] });
  const outcomes: Outcome[] = [];
  try {
    const target: Target = {
      ...told,
      url: file?.url ?? reference!.url,
      ...(reference && { keys: {}, shownAs: servedAt }),
    };
    const sources = plan.cassettes.filter(({ skipped }) => skipped === undefined).map(({ source }) => source);
    const order: RunOrder = {
      target,
      policy: judging.policy,
      knownModels: answeredModels(recordings),
      recordings: choice.folder,
      sources,
      limits: { ...defaultLimits, patience: Math.round(args.timeout * 1000) },
      expected: (expectations ?? []).map((entry) => entry.clause ?? entry.cassette),
    };
    const chosen = recordings.filter(({ source }) => sources.includes(source));
    const keys = reference ? [] : await probe(chosen, order);
    const inHeaders = keys.map((one) => one.interface);
    outcomes.push(...keys.map((one) => keyOutcome(one, catalogue, order)));
    const asked: RunOrder = keys.length > 0 ? { ...order, target: { ...target, keysInHeaders: inHeaders } } : order;
    let done = 0;
    const { gone } = await runSuites(asked, args.concurrency, (outcome) => {
      outcomes.push(outcome);
      progress(`${++done} of ${sources.length} recordings`);
    });
    progress("");
    if (gone) {
      if (args.out !== undefined) openOutput(args.out, resultsNow(outcomes, false));
      throw new UserError(
        `${target.url} cannot be reached any more (recording ${gone.source}): ${gone.problem}`,
        "Look why the target ended, and run again; what was judged so far does not count.",
      );
    }
  } finally {
    await reference?.close();
  }

  let results = resultsNow(outcomes, true);
  if (args.updateExpectations && expectationsFile !== undefined && results.expectations) {
    expectations = updateExpectations(results.expectations, results);
    saveExpectations(expectationsFile, expectations);
    results = resultsNow(outcomes, true);
  }
  if (args.out !== undefined) closeOutput(args.out, results, catalogue.clauses);
  if (args.format === "json") for (const piece of gathered(jsonPieces(results))) await write(piece);
  else await write(formatText(results, { clauses: catalogue.clauses, color }));
  process.exitCode = runExitCode(results);
}

/** Where `touchstone serve --listen 127.0.0.1:8080` listens: the port of a run is gone with it. */
const servedAt = "http://127.0.0.1:8080";

async function probe(recordings: Parameters<typeof preflight>[0], order: RunOrder): Promise<readonly KeyInHeader[]> {
  const sender = createSender(order.limits);
  try {
    const { obstacle, keysInHeaders } = await preflight(recordings, order, sender);
    if (obstacle) throw new UserError(obstacle.problem, obstacle.remedy);
    return keysInHeaders;
  } finally {
    await sender.close();
  }
}

/** What it comes to that a target takes its key elsewhere than the document says: the rule on the key is not kept. */
function keyOutcome({ source, exchange }: KeyInHeader, catalogue: Catalogue, { target, policy }: RunOrder): Outcome {
  const at = { source, exchange: 0 };
  const options = { names: targetNames(target), policy, side: "request" as const };
  const judged = evidenceOf(judge(exchange, at, catalogue, options), at, catalogue);
  const ofKey = ({ clause }: { readonly clause: string }): boolean => clause === "generate-content.auth.key";
  const findings = judged.findings.filter(ofKey);
  return {
    source,
    evidence: [
      {
        judged: false,
        findings,
        groups: judged.groups.filter(ofKey),
        exercised: findings.map(({ clause }) => clause),
        undecided: [],
        missed: [],
      },
    ],
    incidents: [],
    reproduce: [],
  };
}

function planText({ cassettes, exchanges }: Plan): string {
  const lines = cassettes.map(
    ({ source, exchanges: own, skipped }) =>
      `${source}  ${skipped === undefined ? `${own} request${own === 1 ? "" : "s"}` : `skipped: the target lacks ${skipped}`}`,
  );
  const sent = cassettes.filter(({ skipped }) => skipped === undefined).length;
  return `${[...lines, `${exchanges} request${exchanges === 1 ? "" : "s"} of ${sent} recording${sent === 1 ? "" : "s"}; nothing was sent`].join("\n")}\n`;
}
