/** `touchstone record`: a proxy between a client and a service that keeps, judges and shows what passes. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Argv, CommandModule } from "yargs";
import type { Interfaces } from "../check/catalogue.ts";
import type { Judging, JudgingArgs } from "../interfaces/judging.ts";
import type { Live } from "../live/server.ts";
import type { Session } from "../record/session.ts";
import type { CheckDocument } from "../verdict/document.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import { openCheckOutput } from "./check-output.ts";
import { type CallerArgs, callerOptions, judgingOptions } from "./options.ts";
import { onSignals } from "./signals.ts";

interface RecordArgs extends JudgingArgs, CallerArgs {
  readonly url?: string | undefined;
  readonly listen: string;
  readonly out?: string | undefined;
  readonly upstream?: readonly string[] | undefined;
  readonly enforce: boolean;
  readonly gate: boolean;
  readonly maxBody: string;
  readonly keepHeader?: readonly string[] | undefined;
  readonly redact?: readonly string[] | undefined;
  readonly insecure: boolean;
  readonly quiet: boolean;
  readonly ui: boolean;
}

const several = { type: "string", array: true, requiresArg: true } as const;

export const command: CommandModule<object, RecordArgs> = {
  command: "record [url]",
  describe: "Record and judge the traffic between a client and a service",
  builder: (yargs) =>
    callerOptions(judgingOptions(yargs))
      .positional("url", { type: "string", describe: "base URL of the service: https://api.example.com" })
      .option("listen", { type: "string", default: "127.0.0.1:0", describe: "HOST:PORT; port 0 takes a free one" })
      .option("out", {
        type: "string",
        requiresArg: true,
        describe:
          "the cassette to write (.jsonl), or an existing folder or NAME/ for one, with results and reports beside it at the end; by default a new one in this folder",
      })
      .option("upstream", { ...several, describe: "a service for one interface: messages=https://api.example.com" })
      .option("enforce", {
        type: "boolean",
        default: false,
        describe: "answer requests that break an error-level clause here, without forwarding them",
      })
      .option("gate", { type: "boolean", default: false, describe: "exit 1 if there were errors" })
      .option("max-body", {
        type: "string",
        default: "64M",
        describe: "bytes of each body that are kept (K, M, G); what exceeds them passes and is marked as cut",
      })
      .option("keep-header", { ...several, describe: "keep this header's value" })
      .option("redact", { ...several, describe: "regular expression of further secrets to take out" })
      .option("insecure", { type: "boolean", default: false, describe: "accept any certificate of the upstream" })
      .option("quiet", {
        type: "boolean",
        default: false,
        describe: "list only exchanges with errors or warnings",
      })
      .option("ui", {
        type: "boolean",
        default: false,
        describe:
          "also show the session on a page of this machine, whose address is printed: exchanges as they happen, sending again, saving",
      }) as unknown as Argv<RecordArgs>,
  handler: recordUntilSignal,
};

/** Milliseconds between refreshes of the lines that say what is going on. */
const refresh = 500;

async function recordUntilSignal(args: RecordArgs): Promise<void> {
  const [{ startSession }, { cassetteName, upstreamsByInterface }, { collectEarly }, { surviveFaults }] =
    await Promise.all([
      import("../record/session.ts"),
      import("../record/options.ts"),
      import("../record/tuning.ts"),
      import("../record/faults.ts"),
    ]);
  const [{ openInterfaces }, { judgingFrom }, { differencesOf }, { createView }] = await Promise.all([
    import("../interfaces/open-interfaces.ts"),
    import("../interfaces/judging.ts"),
    import("../verdict/divergence.ts"),
    import("../report/terminal/record-view.ts"),
  ]);
  collectEarly();
  const { url: upstream, keepHeader: keepHeaders = [] } = args;
  const catalogue = await openInterfaces(args.documents);
  const names = catalogue.interfaces.map(({ name }) => name);
  const upstreams = upstreamsByInterface(args.upstream ?? [], names);
  const judging = judgingFrom(args, catalogue);
  const view = createView(args.quiet, differencesOf(judging.diverges));
  const { trouble } = view;
  let phase: "passing" | "catching up" | "over" = "passing";
  const catchingUp = (): void => void (phase = "catching up");
  let live: Live | undefined;
  const exchange = (judged: ListedExchange): void => {
    view.exchange(judged);
    live?.exchange(judged);
  };
  const events = { exchange, trouble, notice: trouble, catchingUp };
  const folder = isFolder(args.out) ? args.out : undefined;
  const out = folder === undefined ? args.out : join(folder, cassetteName(new Date()));
  const left = { files: out === undefined ? [] : [out], evidence: "all", follow: false, format: "text" } as const;
  const output = folder === undefined ? undefined : await openCheckOutput({ ...args, ...left, out: folder }, judging);
  const options = { ...args, out, upstream, upstreams, keepHeaders };
  const session = await startSession(options, events, catalogue, judging, output !== undefined);

  let faults = 0;
  surviveFaults((what) => {
    faults++;
    trouble(what);
  });
  // Heard from here on: whoever reads where it listens may end it at once.
  const asked = new Promise<void>((resolve) => void onSignals(resolve, session.abandon));
  if (args.ui) live = await openPage(session, catalogue, judging, args);
  process.stdout.write(`listening on ${session.url}\n`);
  if (live) process.stdout.write(`ui ${live.url}\n`);
  process.stderr.write(await introduction(session, args));

  async function show(): Promise<void> {
    const lag = await session.lag();
    if (phase === "passing") view.progress(session.inFlight(), lag);
    else if (phase === "catching up") view.catchingUp(lag, session.out);
  }
  const timer = process.stderr.isTTY ? setInterval(() => void show(), refresh) : undefined;
  await Promise.race([asked, session.over]);
  const [outcome] = await Promise.all([session.close(), live?.close()]);
  clearInterval(timer);
  phase = "over";
  view.summary(outcome, session.out);
  output?.add(outcome.document.findings);
  await output?.close(outcome.document);
  process.exitCode = outcome.failed || faults > 0 ? 2 : args.gate ? await gateOf(outcome.document) : 0;
}

/** The page of `--ui`; keys for what it sends again come from the environment, as those of a run do. */
async function openPage(
  session: Session,
  { interfaces }: Interfaces,
  judging: Judging,
  args: RecordArgs,
): Promise<Live> {
  const [{ openLive }, { keysFrom }, { upstreamsByInterface }] = await Promise.all([
    import("../live/server.ts"),
    import("../run/plan/target-options.ts"),
    import("../record/options.ts"),
  ]);
  const names = interfaces.map(({ name }) => name);
  const byInterface = Object.entries(upstreamsByInterface(args.upstream ?? [], names));
  const { url, keepHeader: keepHeaders = [], redact = [] } = args;
  return openLive(session, judging, {
    interfaces,
    upstreams: [...byInterface, ...(url === undefined ? [] : [[null, url] as const])],
    keys: keysFrom([], undefined, names, process.env).keys,
    keepHeaders,
    redact,
  });
}

/** Whether `--out` names a folder: one that is there, or one to be made. */
function isFolder(out: string | undefined): out is string {
  return out !== undefined && (out.endsWith("/") || statSync(out, { throwIfNoEntry: false })?.isDirectory() === true);
}

/** Where clients are to be sent, and what is worth knowing before. */
async function introduction({ url, notes, out }: Session, { listen, insecure }: RecordArgs): Promise<string> {
  const { isLoopback } = await import("../wire/callers.ts");
  const { parseListen } = await import("../wire/listen-address.ts");
  const { host } = parseListen(listen);
  return [
    "Send your clients here:",
    `  OPENAI_BASE_URL=${url}/v1`,
    `  ANTHROPIC_BASE_URL=${url}`,
    `  Google SDK: new GoogleGenAI({ httpOptions: { baseUrl: "${url}" } })`,
    ...notes,
    ...(isLoopback(host) ? [] : [`Reachable from other machines, since --listen names ${host}.`]),
    ...(insecure ? ["Certificates are not verified, since --insecure says so."] : []),
    `Recording to ${out}; Ctrl+C ends it.`,
    "",
  ].join("\n");
}

/** What is not judged may hold errors; what was found is found. */
async function gateOf(document: CheckDocument): Promise<number> {
  const { exitCodeOf } = await import("../verdict/outcome.ts");
  return exitCodeOf({ ...document, complete: true }) || (document.complete ? 0 : 2);
}
