/** `touchstone record URL`: a recorder before services, until it is told to stop. */
import type { Interfaces } from "../check/catalogue.ts";
import type { Session } from "../record/session.ts";
import { isLoopback } from "../wire/callers.ts";
import { parseListen } from "../wire/listen-address.ts";
import { openBrowser } from "./browser.ts";
import { exportLines, hostsToOpen } from "./interception.ts";
import { openRecording, type RecordArgs } from "./recording.ts";
import { onSignals } from "./signals.ts";

/**
 * Records until a signal, or until the session ends by itself.
 * @param upstreams services of single interfaces
 * @returns the exit code
 */
export async function recordUntilSignal(
  args: RecordArgs,
  catalogue: Interfaces,
  upstreams: Readonly<Record<string, string>>,
): Promise<number> {
  const hosts = args.intercept ? hostsToOpen(catalogue.interfaces, args.interceptHost ?? []) : undefined;
  const recording = await openRecording(args, catalogue, { upstream: args.url, upstreams, intercept: hosts });
  const { session, live } = recording;
  // Heard from here on: whoever reads where it listens may end it at once.
  const asked = new Promise<void>((resolve) => void onSignals(resolve, session.abandon));
  process.stdout.write(`listening on ${session.url}\n`);
  if (live) process.stdout.write(`live page: ${live.url}\n`);
  process.stderr.write(introduction(session, args));
  if (args.open && live) await openBrowser(live.url);
  recording.showProgress();
  await Promise.race([asked, session.over]);
  return await recording.close();
}

/** The address that clients are to use, and what is worth knowing before. */
function introduction({ url, notes, out, authority, variables }: Session, { listen, insecure }: RecordArgs): string {
  const { host } = parseListen(listen);
  const lines = variables
    ? [
        "Set these for the programs to record, in their shell:",
        ...exportLines(variables),
        `Nothing else trusts the authority ${authority!.path}. It ends with this session, or on ${authority!.end.toUTCString()}.`,
      ]
    : [
        "Send your clients here:",
        `  OPENAI_BASE_URL=${url}/v1`,
        `  ANTHROPIC_BASE_URL=${url}`,
        `  GOOGLE_GEMINI_BASE_URL=${url}`,
      ];
  return [
    ...lines,
    ...notes,
    ...(isLoopback(host) ? [] : [`Reachable from other machines, since --listen names ${host}.`]),
    ...(insecure ? ["Certificates are not verified, since --insecure says so."] : []),
    `Recording to ${out}; Ctrl+C ends it.`,
    "",
  ].join("\n");
}
