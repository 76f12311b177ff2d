/** `touchstone run`: replays the recordings against a target and judges its answers, clause by clause. */
import { join } from "node:path";
import type { Argv, CommandModule } from "yargs";
import type { Level } from "../check/clause.ts";
import { home } from "../home.ts";
import type { JudgingArgs } from "../interfaces/judging.ts";
import { judgingOptions } from "./options.ts";

export interface RunArgs extends JudgingArgs {
  readonly target?: string | undefined;
  readonly interface?: readonly string[] | undefined;
  readonly section?: readonly string[] | undefined;
  readonly clause?: readonly string[] | undefined;
  readonly lacks?: readonly string[] | undefined;
  readonly header?: readonly string[] | undefined;
  readonly model?: readonly string[] | undefined;
  readonly key?: readonly string[] | undefined;
  readonly expectations?: string | undefined;
  readonly updateExpectations: boolean;
  readonly level: Level;
  readonly shard?: string | undefined;
  readonly concurrency: number;
  readonly maxRequests?: number | undefined;
  readonly timeout: number;
  readonly dryRun: boolean;
  readonly out?: string | undefined;
  readonly recordings: string;
  readonly format: "text" | "json";
}

/** Repeatable, one value each time, so that a target may follow it. */
const several = { type: "string", array: true, nargs: 1 } as const;
/** The same, for names that may also stand in one value, with commas between them. */
const names = {
  ...several,
  coerce: (values: readonly string[] | undefined) => values?.flatMap((value) => value.split(",")),
} as const;

export const command: CommandModule<object, RunArgs> = {
  command: "run [target]",
  describe: "Judge an implementation; without one, the embedded reference",
  builder: (yargs) =>
    judgingOptions(yargs)
      .positional("target", { type: "string", describe: "base URL, or a target file (JSON)" })
      .option("interface", { ...names, describe: "only these interfaces" })
      .option("section", { ...names, describe: "only these sections: streaming, or messages/streaming" })
      .option("clause", { ...names, describe: "only recordings that show these clauses, judged by these alone" })
      .option("lacks", {
        ...names,
        describe: "what the target does not offer: a need (tools), an interface, a section",
      })
      .option("header", { ...several, describe: `send this as well: "Name: value"` })
      .option("model", { ...several, describe: "the target's model: ID, or INTERFACE=ID, KIND=ID, RECORDED=ID" })
      .option("key", {
        ...several,
        describe: "credential: '$VARIABLE', or INTERFACE='$VARIABLE'; default $TOUCHSTONE_KEY",
      })
      .option("expectations", { type: "string", requiresArg: true, describe: "file of failures the target admits to" })
      .option("update-expectations", {
        type: "boolean",
        default: false,
        describe: "rewrite that file, keeping reasons",
      })
      .option("level", {
        choices: ["error", "warning", "note"] as const,
        default: "error" as const,
        describe: "the least level that fails a clause",
      })
      .option("shard", { type: "string", requiresArg: true, describe: "the I-th of N parts: I/N" })
      .option("concurrency", { type: "number", default: 4, describe: "recordings asked at a time" })
      .option("max-requests", {
        type: "number",
        requiresArg: true,
        describe: "send no more (besides one probe an interface)",
      })
      .option("timeout", { type: "number", default: 60, describe: "seconds to wait for an answer and each part of it" })
      .option("dry-run", { type: "boolean", default: false, describe: "print the plan and send nothing" })
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: "folder for results.json, junit.xml, report.html, summary.md",
      })
      .option("recordings", {
        type: "string",
        default: join(home, "recordings"),
        defaultDescription: "those that ship with touchstone",
        describe: "folder of cassettes: INTERFACE/SECTION/NAME.json",
      })
      .option("format", {
        choices: ["text", "json"] as const,
        default: "text" as const,
        describe: "of standard output",
      }) as unknown as Argv<RunArgs>,
  async handler(args) {
    await (await import("../run/run.ts")).run(args);
  },
};
