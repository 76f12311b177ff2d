/** Runs `record`: starts the keeper and the proxy, shows what passes, and ends cleanly on a signal. */
import { setFlagsFromString } from "node:v8";
import { routeOf } from "../check/route.ts";
import type { RecordArgs } from "../cli/record.ts";
import { onSignals } from "../cli/signals.ts";
import { interfaces } from "../interfaces/index.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import type { LocalReply } from "../proxy/answer.ts";
import { startProxy } from "../proxy/proxy.ts";
import { clientHints, createView } from "../report/terminal/record-view.ts";
import { elsewhere } from "../report/terminal/status.ts";
import { UserError } from "../user-error.ts";
import { differencesOf } from "../verdict/divergence.ts";
import { exitCodeOf } from "../verdict/outcome.ts";
import { isLoopback } from "../wire/callers.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { parseListen } from "../wire/listen-address.ts";
import { type EnforcerSettings, startEnforcer } from "./enforcer.ts";
import { surviveFaults } from "./faults.ts";
import { startKeeper } from "./keeper-client.ts";
import { bytesFrom, cassetteName, patternsFrom, upstreamsFrom } from "./options.ts";
import { type Followed, followCassette } from "./session-follower.ts";

/** Milliseconds between refreshes of the lines that say what is going on. */
const refresh = 500;

/** A longer target is shown as one that no operation owns: what is shown is asked for twice a second. */
const longestTarget = 2_048;

/** Answers requests that break an error-level clause. */
async function enforcing(settings: EnforcerSettings, onSkip: (why: string) => void) {
  const { mostBytes, refusal, close } = await startEnforcer(settings, onSkip);
  const judge = async (request: WireRequest): Promise<LocalReply | undefined> => {
    const refused = await refusal(request);
    return refused && { ...refused, type: "application/json" };
  };
  return { screen: { mostBytes, judge, onSkip }, close };
}

/**
 * Has V8 look after young objects early and often. What they hold are buffers that were passed on; where many lie, V8 goes through all memory
 * instead of the young part, and that takes more time than passing a reply on. Up to version 12 the young part must not grow; later ones
 * count the buffers, and let 64 MiB lie unless told.
 */
function collectEarly(): void {
  const recent = Number.parseInt(process.versions.v8, 10) > 12;
  setFlagsFromString(recent ? "--scavenger-max-new-space-capacity-mb=8" : "--semi-space-growth-factor=1");
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
  const out = args.out ?? cassetteName(new Date());
  const view = createView(args.quiet, differencesOf(judging.diverges));
  const { preset, bind, reading } = args;
  let troubled = false;
  const trouble = (what: string): void => {
    troubled = true;
    view.trouble(what);
  };

  const keepHeaders = args.keepHeader ?? [];
  let unenforced = 0;
  const enforcer = args.enforce
    ? await enforcing({ bindings: judging.bindings, policy: judging.policy, keepHeaders, redact }, (why) => {
        unenforced++;
        view.trouble(`a request passed --enforce without being judged: ${why}`);
      })
    : undefined;
  const keeper = await startKeeper({ out, judging: { preset, bind, reading }, keepHeaders, redact }, trouble);
  const following = followCassette(out, judging, { shown: view.shown, trouble });
  const proxy = await startProxy({
    listen: at,
    upstreams,
    route: (method, target) => routeOf(interfaces, method, target)?.interface.name,
    insecure: args.insecure,
    maxBody,
    ...(enforcer && { screen: enforcer.screen }),
    admit: keeper.admit,
    tape: keeper.tape,
    onProblem: view.trouble,
  }).catch(async (error: NodeJS.ErrnoException) => {
    following.abandon();
    await keeper.finish();
    throw new UserError(`cannot listen on ${args.listen}: ${error.message}`, "Choose another --listen HOST:PORT.");
  });

  surviveFaults(trouble);
  // Heard from here on: whoever reads where it listens may end it at once.
  const asked = new Promise<void>((resolve) => void onSignals(resolve, following.abandon));
  process.stdout.write(`listening on ${proxy.url}\n`);
  process.stderr.write(clientHints(proxy.url));
  for (const note of notes) process.stderr.write(`${note}\n`);
  if (!isLoopback(at.host)) process.stderr.write(`Reachable from other machines, since --listen names ${at.host}.\n`);
  if (args.insecure) process.stderr.write("Certificates are not verified, since --insecure says so.\n");
  process.stderr.write(`Recording to ${out}; Ctrl+C ends it.\n`);
  let phase: "passing" | "catching up" | "over" = "passing";
  const progress = async (): Promise<void> => {
    if (!process.stderr.isTTY) return;
    const lag = await following.lag();
    if (phase === "over") return;
    if (phase === "catching up") return view.catchingUp(lag, out);
    const { count, longest } = proxy.inFlight();
    // By the name of their operation: a path may hold a secret, and nobody has looked through it yet.
    const operationOf = ({ method, target }: (typeof longest)[number]): string =>
      (target.length <= longestTarget && routeOf(interfaces, method, target)?.operation.name) || elsewhere;
    view.progress({ count, longest: longest.map((one) => ({ operation: operationOf(one), time: one.time })) }, lag);
  };
  const timer = setInterval(() => void progress(), refresh);
  await asked;
  await proxy.close();
  await enforcer?.close();
  const kept = await keeper.finish();
  phase = "catching up";
  following.finish();
  const followed = await following.ended;
  clearInterval(timer);
  phase = "over";
  if (!kept) trouble(`the recording process ended early; ${out} may lack the last exchanges`);
  view.summary(kept ?? { kept: followed.judged.summary.exchanges, lost: 0, broken: 0 }, followed, out, unenforced);
  const failed = troubled || !kept || kept.lost + kept.broken + followed.broken > 0;
  process.exitCode = failed ? 2 : args.gate ? gateOf(followed) : 0;
}

/** What is not judged may hold errors; what was found is found. */
const gateOf = ({ judged }: Followed): 0 | 1 | 2 =>
  exitCodeOf({ ...judged, complete: true }) || (judged.complete ? 0 : 2);
