/** Runs `record`: starts the keeper and the proxy, shows what passes, and ends cleanly on a signal. */
import type { LocalReply } from "../capture/answer.ts";
import { type RecordingProxy, startProxy } from "../capture/proxy.ts";
import { judge, routeOf } from "../check/judge.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { interfaces } from "../interfaces/index.ts";
import { refusalOf } from "../interfaces/refusal.ts";
import { differencesOf } from "../verdict/divergence.ts";
import { exitCodeOf } from "../verdict/outcome.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { UserError } from "./failure.ts";
import { isLoopback, type Judging, judgingFrom, parseListen } from "./options.ts";
import type { RecordArgs } from "./record.ts";
import { type Keeper, startKeeper } from "./record-link.ts";
import type { Summary } from "./record-messages.ts";
import { bytesFrom, cassetteName, patternsFrom, upstreamsFrom } from "./record-options.ts";
import { clientHints, createView } from "./record-view.ts";

/** Milliseconds between refreshes of the line that says what is going on. */
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

/** Records until a signal comes. Throws UserError before anything has begun. */
export async function record(args: RecordArgs): Promise<void> {
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

  // Before anybody can know that it listens.
  const asked = signalled();
  process.stdout.write(`listening on ${proxy.url}\n`);
  process.stderr.write(clientHints(proxy.url));
  for (const note of notes) process.stderr.write(`${note}\n`);
  if (!isLoopback(at.host)) process.stderr.write(`Reachable from other machines, since --listen names ${at.host}.\n`);
  if (args.insecure) process.stderr.write("Certificates are not verified, since --insecure says so.\n");
  process.stderr.write(`Recording to ${out}; Ctrl+C ends it.\n`);
  const timer = setInterval(() => view.progress(proxy.inFlight()), refresh);
  await endOf(asked, proxy, keeper, (summary) => {
    clearInterval(timer);
    if (summary) view.summary(summary, out);
    else trouble(`the recording process ended early; ${out} may lack the last exchanges`);
    const failed = troubled || !summary || summary.lost + summary.broken > 0;
    process.exitCode = failed ? 2 : args.gate ? exitCodeOf(summary.judged) : 0;
  });
}

/** Waits until it is asked to, then for everything to be written. */
async function endOf(
  asked: Promise<void>,
  proxy: RecordingProxy,
  keeper: Keeper,
  done: (summary: Summary | undefined) => void,
): Promise<void> {
  await asked;
  await proxy.close();
  done(await keeper.finish());
}

/** Resolves on a signal; a second one ends the process at once. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(2);
      asked = true;
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  });
}
