/** `touchstone record`: a proxy between a client and a service that keeps, judges and shows what passes. */
import type { Argv, CommandModule } from "yargs";
import type { JudgingArgs } from "../interfaces/judging.ts";
import { judgingOptions } from "./options.ts";

export interface RecordArgs extends JudgingArgs {
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
}

const several = { type: "string", array: true, requiresArg: true } as const;

export const command: CommandModule<object, RecordArgs> = {
  command: "record [url]",
  describe: "Record and judge the traffic between a client and a service",
  builder: (yargs) =>
    judgingOptions(yargs)
      .positional("url", { type: "string", describe: "base URL of the service: https://api.example.com" })
      .option("listen", { type: "string", default: "127.0.0.1:0", describe: "HOST:PORT; port 0 takes a free one" })
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: "the cassette to write (.jsonl); by default a new one in this folder",
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
      .option("insecure", { type: "boolean", default: false, describe: "accept any certificate of a service" })
      .option("quiet", {
        type: "boolean",
        default: false,
        describe: "list only exchanges with errors or warnings",
      }) as unknown as Argv<RecordArgs>,
  async handler(args) {
    await (await import("../record/session.ts")).record(args);
  },
};
