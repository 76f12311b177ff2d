/** How `--help` is laid out: groups of options, short forms, and examples of each command. */
import type { Argv, CommandBuilder, CommandModule } from "yargs";
import { addOptions } from "./command-line.ts";

/** Options under the heading they stand under in every command that has them. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  "Target:": [
    "against",
    "name",
    "model",
    "key",
    "header",
    "lacks",
    "client",
    "from",
    "to",
    "upstream",
    "wait",
    "start",
    "timeout",
    "limit",
    "retries",
    "rate",
    "insecure",
  ],
  "Selection:":
    `openapi operations pack interface section clause facts case cases list scenario kind untested readings side recordings probes shard max-requests max-time max-tokens max-cost price shrink concurrency dry-run follow jobs as chance`.split(
      " ",
    ),
  "Judging:": [
    "documents",
    "allow-code",
    "preset",
    "bind",
    "reading",
    "level",
    "enforcement",
    "expectations",
    "update-expectations",
    "baseline",
    "allow-empty",
    "enforce",
    "gate",
    "keep",
    "for",
    "clients",
    "any-version",
  ],
  "Serving:": [
    "listen",
    "gateway",
    "break-fact",
    "intercept",
    "intercept-host",
    "allow-host",
    "allow-origin",
    "break",
    "pace",
    "once",
    "every",
    "match-header",
    "record",
    "mode",
    "on-miss",
    "strict",
  ],
  "What is kept:": ["max-body", "max-evidence", "keep-header", "redact", "sync", "prune"],
  "Output:": [
    "write",
    "out",
    "resume",
    "force",
    "evidence",
    "format",
    "badge",
    "quiet",
    "verbose",
    "ui",
    "open",
    "color",
  ],
  "Help:": ["help", "version"],
};

/** Options that mean something else in one command, and stand there under another heading: command to option to heading. */
const headingsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  convert: { to: "Output:" },
  gateway: { strict: "Judging:" },
};

/** The options of a command under a heading, of those that it has. */
function groupOf(command: string, heading: string, known: Readonly<Record<string, unknown>>): string[] {
  const own = headingsOf[command] ?? {};
  const moved = Object.keys(own).filter((name) => own[name] === heading);
  const names = groups[heading]!.filter((name) => own[name] === undefined);
  return [...new Set([...names, ...moved])].filter((name) => name in known);
}

/** One letter to the option it stands for, in every command that has that option. */
const shortForms: Readonly<Record<string, string>> = { o: "out", H: "header", q: "quiet" };

/** Command lines that work when pasted, in this order, each with what it does; by the command's name. */
export const examples: Readonly<Record<string, readonly (readonly [line: string, does: string])[]>> = {
  serve: [
    ["touchstone serve --listen 127.0.0.1:4400", "start a server to try the other commands on"],
    ["touchstone serve --break messages.streaming.message-stop-last", "see what your client does with a broken stream"],
    [
      "touchstone serve --gateway messages=chat-completions --upstream http://127.0.0.1:4400",
      "translate between two interfaces",
    ],
    ["touchstone serve --case stream/crlf", "answer every request in one unusual way"],
  ],
  run: [
    ["touchstone run", "test the embedded reference"],
    ["touchstone run http://127.0.0.1:4400 -o results", "test a server, and write reports"],
    [
      "touchstone run http://127.0.0.1:4400 --baseline http://127.0.0.1:4500",
      "test a gateway, and leave out what also fails upstream",
    ],
  ],
  record: [
    ["touchstone record https://api.example.com -o session.jsonl", "record; then point your client at it"],
    ["touchstone record https://api.example.com --ui", "watch the session on a page"],
    ["touchstone record -- node agent.mjs", "record a program whose SDKs are pointed at the recorder"],
    ["touchstone record --intercept -- node agent.mjs", "record a program whose address cannot be set"],
  ],
  client: [
    ["touchstone client -- node my-client.mjs {prompt}", "test a program that asks a model"],
    ["touchstone client --case stream/* -- python client.py", "try some of the cases"],
    ["touchstone client --once -- node test-loop.mjs", "start a program once, for all cases"],
    ["touchstone client openai@latest", "test the newest release of a client library"],
    ["touchstone client --list", "list the cases"],
  ],
  check: [["touchstone check session.jsonl --quiet", "list only exchanges with errors or warnings"]],
  play: [["touchstone play session.jsonl --pace instant", "replay without the recorded pauses"]],
  report: [
    ["touchstone report results/results.json --format markdown", "print the summary of a run"],
    ["touchstone report old=results-1 new=results-2", "compare two targets, or two runs of one"],
    ["touchstone report results --badge conformance.svg", "write a badge for a README"],
  ],
  diff: [
    ["touchstone diff monday.jsonl today.jsonl", "compare the structure of two sessions"],
    ["touchstone diff session.jsonl --against http://127.0.0.1:4400", "send the same requests again, and compare"],
    ["touchstone diff results-of-may results-of-june", "list verdicts that changed"],
  ],
  verify: [["touchstone verify results", "check results that someone sent you"]],
  convert: [
    ["touchstone convert session.jsonl --to har -o session.har", "convert for the developer tools of a browser"],
  ],
  gateway: [
    [
      "touchstone gateway http://127.0.0.1:4400 --from messages --to messages --upstream 127.0.0.1:4500",
      "measure a gateway that calls 127.0.0.1:4500",
    ],
    [
      "touchstone gateway http://127.0.0.1:4400 --from messages --to chat-completions --start 'my-gateway --upstream {upstream}/v1'",
      "start a gateway, and measure it",
    ],
    ["touchstone gateway --client ai --to messages", "measure what the Vercel AI SDK makes of your requests"],
  ],
  clauses: [
    ["touchstone clauses temperature range", "search for clauses"],
    ["touchstone clauses messages.request.temperature-range", "explain a clause, with a good and a bad example"],
    ["touchstone clauses --readings", "list what the documents leave open"],
    ["touchstone clauses --untested results/results.json", "list what a run did not show, and why"],
  ],
  init: [["touchstone init http://127.0.0.1:4400 --out ci", "write what a CI gate needs"]],
  new: [
    ["touchstone new my-api --openapi openapi.yaml --operations createEmbedding", "start a folder for --documents"],
    [
      "touchstone new my-api --openapi openresponses.json --pack open-responses",
      "start one with laws that ship with touchstone",
    ],
  ],
  prove: [
    ["touchstone prove --interface images", "prove the checks of one interface"],
    ["touchstone prove --facts", "prove that each fact a gateway breaks is told, alone"],
  ],
};

export const nameOf = ({ command }: Pick<CommandModule, "command">): string => String(command).split(" ")[0]!;

/** The variable that stands for an option. */
const variableOf = (option: string): string => `TOUCHSTONE_${option.toUpperCase().replaceAll("-", "_")}`;

/** What the parser knows about the options of a command. Not in its types, but public: its completion scripts use it. */
export interface ParserOptions {
  readonly key: Readonly<Record<string, unknown>>;
  readonly array: readonly string[];
  readonly boolean: readonly string[];
}

/** Returns what a parser knows about the options added to it so far. */
export const optionsOf = (parser: Argv): ParserOptions =>
  (parser as unknown as { getOptions(): ParserOptions }).getOptions();

/** Options that take a value or none. */
const valueOptional = ["badge", "help", "version", "probes"];

/** Options of which a variable would be mistaken: that of `key` holds the credential itself. */
const withoutVariable = ["key", "help", "version"];

/** Values that variables give to options; the lines of one are the values of an option that may be repeated. */
export function fromEnvironment(
  options: readonly string[],
  environment: NodeJS.ProcessEnv,
  repeatable: ReadonlySet<string>,
): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const option of options) {
    const value = environment[variableOf(option)];
    if (value === undefined || value === "" || withoutVariable.includes(option)) continue;
    values[option] = repeatable.has(option) ? value.split("\n").filter((line) => line !== "") : value;
  }
  return values;
}

/** The command with its options in groups, their short forms, and its examples. */
export function withHelp<U>(command: CommandModule<object, U>): CommandModule<object, U> {
  const builder = command.builder as (yargs: Argv) => Argv;
  const laidOut = (yargs: Argv): Argv => {
    const built = builder(yargs);
    const { key: known, array, boolean } = optionsOf(built);
    const positionals: readonly string[] = String(command.command).match(/[\w-]+(?=(?:\.\.)?[>\]])/g) ?? [];
    const isBare = (name: string): boolean =>
      boolean.includes(name) || positionals.includes(name) || valueOptional.includes(name);
    built.requiresArg(Object.keys(known).filter((name) => !isBare(name)));
    for (const heading of Object.keys(groups)) {
      const own = groupOf(nameOf(command), heading, known);
      if (own.length > 0) built.group(own, heading);
    }
    for (const [letter, name] of Object.entries(shortForms)) if (name in known) built.alias(letter, name);
    const values = fromEnvironment(Object.keys(known), process.env, new Set(array));
    addOptions(values, shortForms);
    built.config(values);
    for (const [line, does] of examples[nameOf(command)] ?? []) built.example(line, does);
    return built;
  };
  return { ...command, builder: laidOut as CommandBuilder<object, U> };
}
