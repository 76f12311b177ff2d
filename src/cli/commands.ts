/** The commands by name. Each is read only where it is asked for, since reading them all takes longer than a short command. */
import type { CommandModule } from "yargs";
import { withHelp } from "./help.ts";

export type Command = CommandModule<object, unknown>;

const modules: Readonly<Record<string, () => Promise<{ readonly command: unknown }>>> = {
  run: () => import("./run.ts"),
  record: () => import("./record.ts"),
  client: () => import("./client.ts"),
  check: () => import("./check.ts"),
  play: () => import("./play.ts"),
  report: () => import("./report.ts"),
  diff: () => import("./diff.ts"),
  verify: () => import("./verify.ts"),
  gateway: () => import("./gateway.ts"),
  serve: () => import("./serve.ts"),
  convert: () => import("./convert.ts"),
  clauses: () => import("./clauses.ts"),
  prove: () => import("./prove.ts"),
  init: () => import("./init.ts"),
  new: () => import("./new.ts"),
};

/** In the order in which help lists them. */
export const commandNames: readonly string[] = Object.keys(modules);

/** Reads commands. @param names some of `commandNames` */
export async function loadCommands(names: readonly string[]): Promise<readonly Command[]> {
  const loaded = await Promise.all(names.map((name) => modules[name]!()));
  return loaded.map(({ command }) => withHelp(command as Command));
}
