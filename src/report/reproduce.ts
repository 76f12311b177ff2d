/** The command lines that show a failure again: the request alone, and touchstone with what it asked. */

import type { Recheck, RunResults } from "../verdict/run-results.ts";
import { isCurlRequest, shellOperand, shellOption, shellWord } from "../wire/shell.ts";
import { plural } from "./plural.ts";

/** The place of a finding or an incident. */
interface Place {
  readonly source: string;
  readonly exchange: number;
}

/** A header whose credential stands in a variable, which the shell puts in. */
function headerArgument([name, value]: readonly [string, string]): string {
  const [, lead, variable] = /^(.*)(\$\w+)$/.exec(`${name}: ${value}`) ?? [];
  return variable === undefined ? shellWord(`${name}: ${value}`) : `${shellWord(lead!)}"${variable}"`;
}

/** The options that had a run ask and judge as it did, but for what it selected. A target file holds what was not given beside it. */
function* optionsOf({ options, plan }: RunResults): Generator<string> {
  const { preset, readings, level, enforcement, models, headers, keys, probes, ownRecordings, bindings } = options;
  const { targetFile, beside = [], documents = [], allowCode, recordings, insecure, timeout } = options.started ?? {};
  const isNeeded = (name: string): boolean => targetFile === undefined || beside.includes(name);
  for (const path of documents) yield shellOption("--documents", path);
  if (allowCode) yield "--allow-code";
  if (ownRecordings) yield shellOption("--recordings", recordings ?? "FOLDER");
  if (preset !== null && isNeeded("preset"))
    yield shellOption("--preset", typeof preset === "string" ? preset : "FILE");
  if (isNeeded("bind"))
    for (const { names = {}, models: classes = {} } of bindings) {
      for (const [name, value] of Object.entries(names))
        yield shellOption("--bind", `${name}=${[value].flat().join(",")}`);
      for (const [name, ids] of Object.entries(classes)) yield shellOption("--bind", `models.${name}=${ids.join(",")}`);
    }
  if (isNeeded("model"))
    for (const [name, id] of Object.entries(models)) yield shellOption("--model", name === "*" ? id : `${name}=${id}`);
  if (isNeeded("key"))
    for (const [name, variable] of Object.entries(keys))
      if (name !== "*" || variable !== "$TOUCHSTONE_KEY")
        yield shellOption("--key", name === "*" ? variable : `${name}=${variable}`);
  if (isNeeded("header")) for (const header of headers) yield `--header ${headerArgument(header)}`;
  if (isNeeded("reading")) for (const reading of readings) yield shellOption("--reading", reading);
  if (level !== "error" && isNeeded("level")) yield `--level ${level}`;
  if (enforcement !== undefined && isNeeded("enforcement")) yield `--enforcement ${enforcement}`;
  if (isNeeded("lacks")) for (const lacked of plan.lacks) yield shellOption("--lacks", lacked);
  if (probes === "all") yield "--probes all";
  if (insecure) yield "--insecure";
  if (timeout !== undefined) yield `--timeout ${timeout}`;
}

/** The variables in the commands that hold nothing yet: `set X_PASS to the value of the header X-Pass`; empty where all are set. */
export function toBeSet({ options: { keys, unsetKeys = [], headers } }: RunResults): string {
  const taken = new Set(Object.values(keys));
  const values = unsetKeys.map((variable) => `${variable.slice(1)} to the key`);
  for (const [name, value] of headers) {
    const [, scheme = "", variable] = /^(?:([\w-]+) +)?(\$\w+)$/.exec(value) ?? [];
    if (variable === undefined || taken.has(variable)) continue;
    taken.add(variable);
    values.push(`${variable.slice(1)} to the value of the header ${name}${scheme && ` behind ${scheme}`}`);
  }
  return values.length === 0 ? "" : `set ${values.join(", and ")}`;
}

/** The run that asks just that again. @param at absent: whatever shows the clause */
export function runAgain(results: RunResults, at: Place | undefined, clause?: string): string {
  const target = results.options.started?.targetFile ?? results.target.url;
  const source = at?.source;
  const interfaceOnly = /^smoke-test\/([\w-]+)/.exec(source ?? "")?.[1];
  return [
    "touchstone run",
    ...(target === null ? [] : [shellOperand(target)]),
    ...(clause === undefined ? [] : [shellOption("--clause", clause)]),
    ...(source === undefined
      ? []
      : interfaceOnly === undefined
        ? [shellOption("--scenario", source.replace(/\.jsonl?$/, ""))]
        : [`--interface ${interfaceOnly}`]),
    ...optionsOf(results),
  ].join(" ");
}

/** The result of sending a failure again, if that was done: of a clause, or of an incident at a place. */
const againOf = ({ again = [] }: RunResults, at: Place, clause: string | undefined): Recheck | undefined =>
  again.find((one) =>
    clause === undefined
      ? one.clause === undefined && one.source === at.source && one.exchange === at.exchange
      : one.clause === clause,
  );

/** `passed when asked again (1 of 2)`: for a failure that comes and goes; empty for others. */
export function flakyText(results: RunResults, at: Place, clause?: string): string {
  const { asked, failed } = againOf(results, at, clause) ?? { asked: 0, failed: 0 };
  return failed < asked ? `flaky: passed when asked again (${asked - failed} of ${asked})` : "";
}

/** A command for people, and what it is for. */
export interface Command {
  readonly says: string;
  readonly command: string;
  /** The step to take before, in words. */
  readonly note?: string;
}

/**
 * The commands that show a finding or an incident again.
 * @param maxLength characters of a command that can be read
 * @param clause what failed; undefined for an incident
 */
export function commandsFor(results: RunResults, at: Place, maxLength: number, clause?: string): Command[] {
  const curl = results.reproduce.find(({ source, exchange }) => source === at.source && exchange === at.exchange)?.curl;
  const short = (command: string): string =>
    command.length <= maxLength
      ? command
      : `(${command.length} characters; it stands in results.json of --out DIR, under reproduce)`;
  const smallest = againOf(results, at, clause)?.smallest;
  const note = toBeSet(results);
  return [
    ...(curl === undefined || !isCurlRequest(curl)
      ? []
      : [
          {
            says: `reproduce${/ @body-[0-9a-f]{16}\.\w+$/.test(curl) ? ", in the folder of --out" : ""}`,
            command: short(curl),
          },
        ]),
    ...(smallest === undefined || !isCurlRequest(smallest.curl)
      ? []
      : [
          {
            says: `minimal reproducer (${smallest.bytes} of ${smallest.from} bytes, found with ${plural(smallest.requests, "request")})`,
            command: short(smallest.curl),
          },
        ]),
    { says: "re-run", command: runAgain(results, at, clause), ...(note !== "" && { note }) },
  ];
}
