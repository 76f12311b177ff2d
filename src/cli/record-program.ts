/** `touchstone record -- COMMAND`: a program with a recorder before every service that it uses. */
import { rmSync } from "node:fs";
import type { Interfaces } from "../check/catalogue.ts";
import { clientEnvironment, fillPlaceholders } from "../program/client-environment.ts";
import { type Program, startProgram } from "../program/program.ts";
import { servicesOf } from "../program/services.ts";
import { hasTerminal, supervise } from "../program/supervise.ts";
import { openBrowser } from "./browser.ts";
import { hostsToOpen } from "./interception.ts";
import { openRecording, type RecordArgs } from "./recording.ts";
import { onSignals } from "./signals.ts";

/**
 * Records a program until it has ended.
 * @param upstreams services of single interfaces
 * @returns its exit code, or ours where recording failed, or `--gate` fails
 */
export async function recordProgram(
  command: readonly string[],
  args: RecordArgs,
  catalogue: Interfaces,
  upstreams: Readonly<Record<string, string>>,
): Promise<number> {
  const { interfaces } = catalogue;
  const named = { all: args.url, byInterface: upstreams };
  const { paths, ...services } = servicesOf(interfaces, process.env, named);
  const intercept = args.intercept ? hostsToOpen(interfaces, args.interceptHost ?? []) : undefined;
  const forwarding = intercept ? { intercept } : { ...services, apart: true };
  const recording = await openRecording(args, catalogue, { ...forwarding, upstream: args.url });
  const { session, live } = recording;
  const { url, addresses, notes, out } = session;
  const variables = session.variables ?? clientEnvironment(interfaces, { baseUrls: addresses, paths });
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  for (const note of notes) say(note);
  say(`Recording to ${out}.`);
  if (live) say(`live page: ${live.url}`);
  const sharesGroup = hasTerminal();
  async function start(): Promise<Program> {
    let program: Program;
    try {
      program = await startProgram(fillPlaceholders(command, { base_url: url }), {
        stdio: "inherit",
        sharesGroup,
        env: [variables],
      });
    } catch (error) {
      const { kept } = await session.close();
      await live?.close();
      if (kept === 0) rmSync(out, { force: true });
      throw error;
    }
    if (args.open && live) await openBrowser(live.url);
    // Without a recorder it reaches no service any more.
    void session.over.then(() => program.end());
    return program;
  }
  const { exitCode } = await supervise(start, sharesGroup);
  onSignals(session.abandon, () => process.exit(2));
  recording.showProgress();
  return (await recording.close(exitCode)) || exitCode;
}
