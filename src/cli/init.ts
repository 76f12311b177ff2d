/** `touchstone init`: looks at a target and writes the files that make it a gate in CI. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { CommandModule } from "yargs";
import { reasonOf, UserError } from "../user-error.ts";

interface InitArgs {
  readonly url?: string | undefined;
  readonly out: string;
  readonly force: boolean;
  readonly model?: readonly string[] | undefined;
  readonly key?: readonly string[] | undefined;
  readonly header?: readonly string[] | undefined;
  readonly preset?: string | undefined;
  readonly insecure: boolean;
}

const several = { type: "string", array: true, nargs: 1 } as const;
const workflow = join(".github", "workflows", "conformance.yml");

export const command: CommandModule<object, InitArgs> = {
  command: "init [url]",
  describe: "Look at a target and write its target file, expectations and a CI workflow",
  builder: (yargs) =>
    yargs
      .positional("url", { type: "string", describe: "base URL; without one, the files name http://127.0.0.1:8080" })
      .option("out", { type: "string", requiresArg: true, default: ".", describe: "folder to write them into" })
      .option("force", { type: "boolean", default: false, describe: "overwrite what is there" })
      .option("model", { ...several, describe: "the target's model: ID, or INTERFACE=ID, KIND=ID, RECORDED=ID" })
      .option("key", { ...several, describe: "credential: '$VARIABLE', or INTERFACE='$VARIABLE'" })
      .option("header", { ...several, describe: `send this as well: "Name: value"` })
      .option("preset", { type: "string", describe: "bindings of well-known vendors (vendors), or a JSON file" })
      .option("insecure", {
        type: "boolean",
        default: false,
        describe: "accept any certificate of the target",
      }) as never,
  async handler({ url, out, force, ...options }) {
    const files = ["touchstone.json", "expectations.json", workflow];
    const taken = files.find((file) => existsSync(join(out, file)));
    if (taken !== undefined && !force)
      throw new UserError(
        `${join(out, taken)} is there already`,
        "Name another folder with --out DIR, or give --force.",
      );
    const [{ lookAt }, { fillTemplate }, { printable }, { isShippedPreset }] = await Promise.all([
      import("../run/init.ts"),
      import("../ci/templates.ts"),
      import("../report/clean.ts"),
      import("../interfaces/judging.ts"),
    ]);
    const nothing = {
      target: { url: "http://127.0.0.1:8080", expectations: "expectations.json", out: "touchstone-results" },
      expectations: [],
      notes: [],
    };
    const { target, expectations, notes } = url === undefined ? nothing : await lookAt(url, options);
    const schemas = "./node_modules/touchstone/schemas/formats";
    const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
    const { preset: name } = options;
    const preset = name === undefined ? {} : { preset: isShippedPreset(name) ? name : relative(out, name) };
    const texts = [
      json({ $schema: `${schemas}/target.schema.json`, ...target, ...preset }),
      json({ $schema: `${schemas}/expectations.schema.json`, expectations }),
      fillTemplate("github", { target: "touchstone.json", shards: 2 }),
    ];
    for (const [i, file] of files.entries()) {
      const path = join(out, file);
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, texts[i]!);
      } catch (error) {
        throw new UserError(`${path} cannot be written: ${reasonOf(error)}`, "Name another folder with --out DIR.");
      }
    }
    const left = expectations.length === 1 ? "1 failure is" : `${expectations.length} failures are`;
    const lines = [
      ...notes.map((note) => printable(note)),
      `wrote ${files.map((file) => join(out, file)).join(", ")}`,
      ...(expectations.length > 0
        ? [
            `${left} listed in ${join(out, files[1]!)}: mend them, or write the reason of each, which excuses nothing before`,
          ]
        : []),
      `next: npx touchstone run ${join(out, files[0]!)}`,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  },
};
