/** `touchstone new DIR`: starts a folder for `--documents` from an OpenAPI document, and says what it comes to. */
import type { CommandModule } from "yargs";
import { shellOption } from "../wire/shell.ts";

interface NewArgs {
  readonly folder: string;
  readonly openapi: string;
  readonly operations?: readonly string[] | undefined;
  readonly pack?: string | undefined;
}

export const command: CommandModule<object, NewArgs> = {
  command: "new <folder>",
  describe: "Start a folder that describes an interface of your own",
  builder: (yargs) =>
    yargs
      .positional("folder", { type: "string", demandOption: true, describe: "folder to start" })
      .option("openapi", {
        type: "string",
        requiresArg: true,
        demandOption: true,
        describe: "OpenAPI document of the interface, JSON or YAML",
      })
      .option("operations", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "operations to include, by operationId or by method and path; default: all",
      })
      .option("pack", {
        type: "string",
        requiresArg: true,
        conflicts: "operations",
        describe: "clauses that ship with touchstone for a well-known document: open-responses",
      }) as never,
  async handler({ folder, openapi, operations = [], pack }) {
    const { startFolder, startFromPack } = await import("../documents/write.ts");
    const { openClauses } = await import("../interfaces/open-clauses.ts");
    const { printable } = await import("../report/clean.ts");
    const started =
      pack === undefined ? await startFolder(folder, openapi, operations) : await startFromPack(folder, openapi, pack);
    const { clauses, contradictions } = await openClauses([folder]);
    const found = contradictions?.();
    const lines = [...started].flatMap(([name, of]) => {
      const own = clauses.filter((clause) => clause.interface === name);
      const opaque = own.filter((clause) => clause.opaque);
      return [
        `${of}: ${name}, ${own.length} clauses, ${opaque.length} of them opaque`,
        ...opaque.map(({ id, reason }) => `opaque  ${id}: ${reason}`),
        ...(found?.[name] ?? []).map(({ place, says }) => `contradiction  ${place}: ${says}`),
      ];
    });
    lines.push(`next: touchstone prove ${shellOption("--documents", folder)}`);
    process.stdout.write(lines.map((line) => `${printable(line)}\n`).join(""));
  },
};
