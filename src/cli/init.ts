/** `touchstone init`: looks at a target and writes the files that make it a gate in CI. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { CommandModule } from "yargs";
import { reasonOf, UserError } from "../user-error.ts";
import { shellOperand } from "../wire/shell.ts";
import { type DocumentsArgs, documentsOption } from "./options.ts";

interface InitArgs extends DocumentsArgs {
  readonly url?: string | undefined;
  readonly out: string;
  readonly start?: string | undefined;
  readonly force: boolean;
  readonly model?: readonly string[] | undefined;
  readonly key?: readonly string[] | undefined;
  readonly header?: readonly string[] | undefined;
  readonly preset?: string | undefined;
  readonly insecure: boolean;
  readonly timeout?: number;
}

const several = { type: "string", array: true, nargs: 1 } as const;
const workflow = join(".github", "workflows", "conformance.yml");

export const command: CommandModule<object, InitArgs> = {
  command: "init [url]",
  describe: "Inspect a target; write a target file, its known failures and a CI workflow",
  builder: (yargs) =>
    documentsOption(yargs)
      .positional("url", { type: "string", describe: "base URL; the files name http://127.0.0.1:8080 without one" })
      .option("out", { type: "string", requiresArg: true, default: ".", describe: "folder for the files" })
      .option("start", {
        type: "string",
        requiresArg: true,
        describe: "command that starts the server in CI; default: the command of the running server, or npm start",
      })
      .option("force", { type: "boolean", default: false, describe: "overwrite existing files" })
      .option("model", { ...several, describe: "model of the target: ID, INTERFACE=ID, KIND=ID or RECORDED=ID" })
      .option("key", {
        ...several,
        describe: "environment variable with the key: '$VARIABLE' or INTERFACE='$VARIABLE'",
      })
      .option("header", { ...several, describe: `header to add to each request: "Name: value"` })
      .option("preset", {
        type: "string",
        describe: "names that well-known vendors use (vendors), or a JSON file of names",
      })
      .option("insecure", {
        type: "boolean",
        default: false,
        describe: "accept any TLS certificate of the target",
      })
      .option("timeout", {
        type: "number",
        requiresArg: true,
        defaultDescription: "5 for the first response, then 60",
        describe: "seconds to wait for a response, and for each part of it",
      }) as never,
  async handler({ url, out, start, force, ...options }) {
    const folder = resolve(out);
    const root = repositoryOf(folder);
    const files = [join(out, "touchstone.json"), join(out, "expectations.json"), join(relative(".", root), workflow)];
    const taken = files.find((file) => existsSync(file));
    if (taken !== undefined && !force)
      throw new UserError(`${taken} is there already`, "Name another folder with --out DIR, or give --force.");
    const [{ lookAt }, { workflowFor }, { printable }, { isShippedPreset }] = await Promise.all([
      import("../run/init.ts"),
      import("../ci/workflow.ts"),
      import("../report/clean.ts"),
      import("../interfaces/judging.ts"),
    ]);
    const nothing = {
      target: { url: "http://127.0.0.1:8080", expectations: "expectations.json", out: "touchstone-results" },
      expectations: [],
      notes: [],
    };
    (await import("./credentials.ts")).warnOfLiteralKeys(options.key);
    const { target, expectations, notes } = url === undefined ? nothing : await lookAt(url, options);
    const schemas = "./node_modules/touchstone/schemas/formats";
    const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
    const { preset: name } = options;
    const preset = name === undefined ? {} : { preset: isShippedPreset(name) ? name : relative(out, name) };
    const documents = options.documents?.map((path) => portable(relative(out, path)));
    const starting = await startOf(target.url, start, root, folder);
    const more = [
      ...((await hasCode(options.documents)) ? ["--allow-code"] : []),
      ...(options.insecure ? ["--insecure"] : []),
    ];
    const variables = Object.values(("keys" in target && target.keys) || {}).map((value) => value.slice(1));
    const isKeyless = "lacks" in target && target.lacks?.includes("keys") === true;
    const local = localPackage(folder, root);
    const texts = [
      json({ $schema: `${schemas}/target.schema.json`, ...target, ...preset, ...(documents && { documents }) }),
      json({ $schema: `${schemas}/expectations.schema.json`, expectations }),
      workflowFor({
        target: "touchstone.json",
        folder: portable(relative(root, folder)),
        start: starting === "unknown" ? { command: unknownStart, folder: "" } : starting,
        arguments: more,
        secrets: variables.length > 0 || isKeyless ? [...new Set(variables)] : ["TOUCHSTONE_KEY"],
      }),
    ];
    for (const [i, path] of files.entries()) {
      try {
        mkdirSync(dirname(path) || ".", { recursive: true });
        writeFileSync(path, texts[i]!);
      } catch (error) {
        throw new UserError(`${path} cannot be written: ${reasonOf(error)}`, "Name another folder with --out DIR.");
      }
    }
    const lines = [
      ...notes.map((note) => printable(note)),
      `wrote ${files.join(", ")}`,
      ...(expectations.length > 0
        ? [
            `${expectations.length} known failure${expectations.length === 1 ? "" : "s"} of today in ${files[1]}: CI accepts everything that fails now until ${expectations[0]!.expires}, and nobody has looked into it; mend each, or write why it stays`,
          ]
        : []),
      ...(local === undefined
        ? []
        : [
            printable(
              `${local.file} installs touchstone from ${local.from}, which CI may not have: commit that file, or install a touchstone that CI has`,
            ),
          ]),
      ...(starting === "unknown"
        ? [
            `${files[2]} does not know how the server is started: write that into it, or give --start COMMAND and --force`,
          ]
        : starting
          ? [printable(`in CI the server is started with: ${starting.command}`)]
          : []),
      `next: npx --no-install touchstone run ${[shellOperand(files[0]!), ...more].join(" ")}`,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  },
};

/** Whether folders of documents have code, which runs with the target file if the command says so. */
async function hasCode(documents: DocumentsArgs["documents"]): Promise<boolean> {
  if (!documents) return false;
  const { openClauses } = await import("../interfaces/open-clauses.ts");
  const { codeIn } = await import("../evidence/claims.ts");
  return Object.keys(codeIn((await openClauses(documents)).digests())).length > 0;
}

const portable = (path: string): string => path.split(sep).join("/");

/** The root of the repository that a folder is in, where workflows are looked for; the folder itself where it is in none. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return folder;
  }
}

const unknownStart = "echo 'write here the line that starts the server' >&2; exit 1";

interface Start {
  readonly command: string;
  /** From the root of the repository. */
  readonly folder: string;
}

/** How CI starts a server of this machine; undefined for one that runs elsewhere. */
async function startOf(
  url: string,
  given: string | undefined,
  root: string,
  folder: string,
): Promise<Start | "unknown" | undefined> {
  const { isLoopback } = await import("../wire/callers.ts");
  const at = portable(relative(root, folder));
  if (given !== undefined) return { command: given, folder: at };
  const { hostname, port, protocol } = new URL(url);
  if (!isLoopback(hostname.replace(/^\[|\]$/g, ""))) return undefined;
  const { listeningProcess } = await import("../run/reach/listening-process.ts");
  const { quoted } = await import("../ci/templates.ts");
  const { withoutCredentials } = await import("./credentials.ts");
  const found = listeningProcess(Number(port) || (protocol === "https:" ? 443 : 80), root);
  if (found) {
    const command = [...(found.port ? [`PORT=${found.port}`] : []), ...found.command.map(quoted)].join(" ");
    const isOpen =
      !/key|token|secret|passw|auth/i.test(command) && withoutCredentials(command, found.command) === command;
    if (isOpen) return { command, folder: portable(found.at) };
  }
  for (let here = folder; ; here = dirname(here)) {
    if (hasStart(join(here, "package.json"))) return { command: "npm start", folder: portable(relative(root, here)) };
    if (here === root) return "unknown";
  }
}

/** The file of this machine that the nearest package.json installs touchstone from; undefined where it names none. */
function localPackage(folder: string, root: string): { readonly file: string; readonly from: string } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, "package.json");
    if (existsSync(file)) {
      const content = parsedPackage(file);
      const from = content?.devDependencies?.["touchstone"] ?? content?.dependencies?.["touchstone"];
      return typeof from === "string" && /^(?:file:|link:|[./~])/.test(from)
        ? { file: relative(".", file), from: from.replace(/^(?:file|link):/, "") }
        : undefined;
    }
    if (at === root || at === dirname(at)) return undefined;
  }
}

interface PackageFile {
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
}

function parsedPackage(file: string): PackageFile | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as PackageFile;
  } catch {
    return undefined;
  }
}

function hasStart(path: string): boolean {
  try {
    return typeof JSON.parse(readFileSync(path, "utf8")).scripts.start === "string";
  } catch {
    return false;
  }
}
