/** One recording session of the command line: what it writes and shows, and the exit code that it comes to. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Interfaces } from "../check/catalogue.ts";
import type { Judging, JudgingArgs } from "../interfaces/judging.ts";
import type { Live } from "../live/server.ts";
import type { RecordOptions } from "../record/options.ts";
import type { Session } from "../record/session.ts";
import { plural } from "../report/plural.ts";
import { UserError } from "../user-error.ts";
import type { CheckDocument } from "../verdict/document.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import { openCheckOutput } from "./check-output.ts";
import type { CallerArgs } from "./options.ts";

export interface RecordArgs extends JudgingArgs, CallerArgs {
  readonly url?: string | undefined;
  readonly listen: string;
  readonly out?: string | undefined;
  readonly upstream?: readonly string[] | undefined;
  readonly enforce: boolean;
  readonly gate: boolean;
  readonly allowEmpty: boolean;
  readonly maxBody: string;
  readonly keepHeader?: readonly string[] | undefined;
  readonly redact?: readonly string[] | undefined;
  readonly insecure: boolean;
  readonly quiet: boolean;
  readonly ui: boolean;
  readonly open: boolean;
  readonly intercept: boolean;
  readonly interceptHost?: readonly string[] | undefined;
  /** The program to record, and its arguments. */
  readonly "--"?: readonly string[] | undefined;
}

export interface Recording {
  readonly session: Session;
  /** The page on which people watch it. */
  readonly live: Live | undefined;
  /** Shows what goes on until the session is over; only on a terminal. */
  showProgress(): void;
  /**
   * Stores and judges the rest, and shows the summary.
   * @param exitCode that of the program; unless it is 0, the program explains why no response came
   * @returns the exit code that is ours
   * @throws UserError if the gate has judged no response
   */
  close(exitCode?: number): Promise<number>;
}

/** Milliseconds between refreshes of the lines that say what is going on. */
const refresh = 500;

/** @param services says where requests go */
export async function openRecording(
  args: RecordArgs,
  catalogue: Interfaces,
  services: Pick<RecordOptions, "upstream" | "upstreams" | "apart" | "versions" | "intercept">,
): Promise<Recording> {
  const [{ startSession }, { cassetteName }, { collectEarly }, { surviveFaults }] = await Promise.all([
    import("../record/session.ts"),
    import("../record/options.ts"),
    import("../record/tuning.ts"),
    import("../record/faults.ts"),
  ]);
  const [{ judgingFrom }, { differencesOf }, { createView }] = await Promise.all([
    import("../interfaces/judging.ts"),
    import("../verdict/divergence.ts"),
    import("../report/terminal/record-view.ts"),
  ]);
  collectEarly();
  const { keepHeader: keepHeaders = [] } = args;
  const besideProgram = args["--"] !== undefined;
  const judging = judgingFrom(args, catalogue);
  const differences = differencesOf(judging.diverges);
  const view = createView({ quiet: args.quiet || besideProgram, differences, besideProgram });
  const { trouble, notice } = view;
  let phase: "passing" | "catching up" | "over" = "passing";
  const catchingUp = (): void => void (phase = "catching up");
  let live: Live | undefined;
  let hasResponse = false;
  const exchange = (judged: ListedExchange): void => {
    hasResponse ||= judged.known && judged.status !== null;
    view.exchange(judged);
    live?.exchange(judged);
  };
  const folder = isFolder(args.out) ? args.out : undefined;
  const out = folder === undefined ? args.out : join(folder, cassetteName(new Date()));
  const left = { files: out === undefined ? [] : [out], evidence: "all", follow: false, format: "text" } as const;
  const output = folder === undefined ? undefined : await openCheckOutput({ ...args, ...left, out: folder }, judging);
  const options = {
    ...args,
    ...services,
    upstream: services.upstream,
    intercept: services.intercept,
    out,
    keepHeaders,
  };
  const events = { exchange, trouble, notice, catchingUp };
  const session = await startSession(options, events, catalogue, judging, output !== undefined);

  let faults = 0;
  surviveFaults((what) => {
    faults++;
    trouble(what);
  });
  if (args.ui || args.open) live = await openPage(session, catalogue, judging, args, services);

  let timer: NodeJS.Timeout | undefined;
  async function show(): Promise<void> {
    const lag = await session.lag();
    if (phase === "passing") view.progress(session.inFlight(), lag);
    else if (phase === "catching up") view.catchingUp(lag, session.out);
  }
  return {
    session,
    live,
    showProgress() {
      if (process.stderr.isTTY) timer ??= setInterval(() => void show(), refresh);
    },
    async close(exitCode = 0) {
      const [outcome] = await Promise.all([session.close(), live?.close()]);
      clearInterval(timer);
      phase = "over";
      view.summary(outcome, session.out);
      output?.add(outcome.document.findings);
      await output?.close(outcome.document);
      if (outcome.failed || faults > 0) return 2;
      if (!args.gate) return 0;
      const code = await gateOf(outcome.document);
      if (code !== 0 || exitCode !== 0 || hasResponse || args.allowEmpty) return code;
      throw new UserError(
        `--gate: no response was judged, of ${plural(outcome.document.summary.exchanges, "exchange")}`,
        "See that the service responds and that clients send to documented paths, or give --allow-empty.",
      );
    },
  };
}

/** The page of `--ui`; keys for what it sends again come from the environment, as those of a run do. */
async function openPage(
  session: Session,
  { interfaces, clauses }: Interfaces,
  judging: Judging,
  args: RecordArgs,
  { upstream, upstreams = {} }: Pick<RecordOptions, "upstream" | "upstreams">,
): Promise<Live> {
  const [{ openLive }, { keysFrom }] = await Promise.all([
    import("../live/server.ts"),
    import("../run/plan/target-options.ts"),
  ]);
  const { keepHeader: keepHeaders = [], redact = [] } = args;
  const names = interfaces.map(({ name }) => name);
  return openLive(session, judging, {
    interfaces,
    clauses,
    upstreams: [...Object.entries(upstreams), ...(upstream === undefined ? [] : [[null, upstream] as const])],
    keys: keysFrom([], undefined, names, process.env).keys,
    keepHeaders,
    redact,
  });
}

/** Whether `--out` names a folder: one that is there, or one to be made. */
function isFolder(out: string | undefined): out is string {
  return out !== undefined && (out.endsWith("/") || statSync(out, { throwIfNoEntry: false })?.isDirectory() === true);
}

/** Unjudged exchanges may hold errors, but findings stand. */
async function gateOf(document: CheckDocument): Promise<number> {
  const { exitCodeOf } = await import("../verdict/outcome.ts");
  return exitCodeOf({ ...document, complete: true }) || (document.complete ? 0 : 2);
}
