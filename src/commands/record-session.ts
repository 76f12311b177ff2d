/** Runs `record`: starts the keeper and the proxy, shows what passes, and ends cleanly on a signal. */
import { setFlagsFromString } from "node:v8";
import type { LocalReply } from "../capture/answer.ts";
import { startProxy } from "../capture/proxy.ts";
import { judge, routeOf } from "../check/judge.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { interfaces } from "../interfaces/index.ts";
import { refusalOf } from "../interfaces/refusal.ts";
import { surviveFaults } from "../record/faults.ts";
import { differencesOf } from "../verdict/divergence.ts";
import { exitCodeOf } from "../verdict/outcome.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { UserError } from "./failure.ts";
import { isLoopback, type Judging, judgingFrom, parseListen } from "./options.ts";
import type { RecordArgs } from "./record.ts";
import { startKeeper } from "./record-link.ts";
import { bytesFrom, cassetteName, patternsFrom, upstreamsFrom } from "./record-options.ts";
import { elsewhere } from "./record-status.ts";
import { clientHints, createView } from "./record-view.ts";

/** Milliseconds between refreshes of the lines that say what is going on. */
const refresh = 500;

/** Answers what breaks an error-level clause. */
async function enforcing({ names, policy }: Judging): Promise<(request: WireRequest) => LocalReply | undefined> {
  const catalogue = await loadCatalogue();
  return (request) => {
    const exchange = { request, response: null };
    const at = { source: "", exchange: 0 };
    const refusal = refusalOf(judge(exchange, at, catalogue, { names, policy, side: "request" }).findings);
    return refusal && { ...refusal, type: "application/json" };
  };
}

/**
 * Has V8 look after young buffers when 32 MiB of them were passed on, as it does by itself up to version 12. Newer ones let 64 lie,
 * and then go through all memory rather than through the young part.
 */
function collectEarly(): void {
  if (Number.parseInt(process.versions.v8, 10) > 12) setFlagsFromString("--scavenger-max-new-space-capacity-mb=8");
}

/** Records until a signal comes. Throws UserError before anything has begun. */
export async function record(args: RecordArgs): Promise<void> {
  collectEarly();
  const at = parseListen(args.listen);
  const notes: string[] = [];
  const upstreams = upstreamsFrom(
    args,
    interfaces.map(({ name }) => name),
    notes,
  );
  const maxBody = bytesFrom(args.maxBody);
  const redact = patternsFrom(args.redact ?? []);
  const judging = judgingFrom(args);
  const screen = args.enforce ? await enforcing(judging) : undefined;
  const out = args.out ?? cassetteName(new Date());
  const view = createView(args.quiet, differencesOf(judging.diverges));
  const { preset, bind, reading } = args;
  let troubled = false;
  const trouble = (what: string): void => {
    troubled = true;
    view.trouble(what);
  };

  const keeper = await startKeeper(
    { out, judging: { preset, bind, reading }, keepHeaders: args.keepHeader ?? [], redact },
    { shown: view.shown, trouble },
  );
  const proxy = await startProxy({
    listen: at,
    upstreams,
    route: (method, target) => routeOf(interfaces, method, target)?.interface.name,
    insecure: args.insecure,
    maxBody,
    ...(screen && { screen }),
    admit: keeper.admit,
    tape: keeper.tape,
    onProblem: view.trouble,
  }).catch(async (error: NodeJS.ErrnoException) => {
    await keeper.finish();
    throw new UserError(`cannot listen on ${args.listen}: ${error.message}`, "Choose another --listen HOST:PORT.");
  });

  surviveFaults(trouble);
  // Heard from here on: whoever reads where it listens may end it at once.
  const asked = signalled();
  process.stdout.write(`listening on ${proxy.url}\n`);
  process.stderr.write(clientHints(proxy.url));
  for (const note of notes) process.stderr.write(`${note}\n`);
  if (!isLoopback(at.host)) process.stderr.write(`Reachable from other machines, since --listen names ${at.host}.\n`);
  if (args.insecure) process.stderr.write("Certificates are not verified, since --insecure says so.\n");
  process.stderr.write(`Recording to ${out}; Ctrl+C ends it.\n`);
  const progress = (): void => {
    const { count, longest } = proxy.inFlight();
    view.progress({
      count,
      // By the name of their operation: a path may hold a secret, and nobody has looked through it yet.
      longest: longest.map(({ method, target, time }) => ({
        operation: routeOf(interfaces, method, target)?.operation.name ?? elsewhere,
        time,
      })),
    });
  };
  const timer = setInterval(progress, refresh);
  await asked;
  await proxy.close();
  const summary = await keeper.finish();
  clearInterval(timer);
  if (summary) view.summary(summary, out);
  else trouble(`the recording process ended early; ${out} may lack the last exchanges`);
  const failed = troubled || !summary || summary.lost + summary.broken > 0;
  process.exitCode = failed ? 2 : args.gate ? exitCodeOf(summary.judged) : 0;
}

/** Resolves at the first signal to end; a second one ends the process at once. */
function signalled(): Promise<void> {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  return new Promise((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(2);
      asked = true;
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
