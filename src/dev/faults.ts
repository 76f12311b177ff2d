/** `npm run check:faults [-- WORD]`: `run` must find each fault of a small server by its clause, and nothing in its clean form. */
import { openCatalogue } from "../interfaces/catalogue.ts";
import { conclusionText } from "../report/outline.ts";
import { planRun } from "../run/plan-run.ts";
import { prepareRun, run } from "../run/run.ts";
import { runExitCode } from "../verdict/outcome.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { type Fault, inStream, warning } from "./faulty/fault.ts";
import { faults } from "./faulty/faults.ts";
import { type Legal, legal } from "./faulty/legal.ts";
import { odd } from "./faulty/odd.ts";
import { key, models, serveSmall } from "./faulty/server.ts";

const [word = ""] = process.argv.slice(2);
const catalogue = await openCatalogue();

const interfaceOf = ({ expected }: Fault): string => expected.clause.split(".")[0] ?? "";

/** The results of a run against the small server, all of it or the interface of one fault. */
async function ask(fault?: Fault, interfaces?: readonly string[]): Promise<RunResults> {
  const server = await serveSmall(catalogue, fault);
  try {
    return await run(server.url, {
      ...(fault && { interface: interfaces ?? [interfaceOf(fault)] }),
      key: [key],
      model: models,
      probes: interfaces ? "cheap" : fault ? (fault.probes ?? false) : "all",
    });
  } finally {
    await server.close();
  }
}

/** Clauses that are violated, or whose violation is accepted, each with its verdict and its first finding. */
function accused({ clauses, findings }: RunResults): Map<string, string> {
  const told = new Map<string, string>();
  for (const { id, verdict } of clauses)
    if (["fail", "warning", "unenforced", "broken"].includes(verdict)) {
      const first = findings.find(({ clause, level }) => clause === id && level !== "note");
      told.set(id, `${verdict}: ${first?.source} ${first?.in} ${first?.pointer} ${first?.message}`);
    }
  return told;
}

/** Problems in the results for a fault; empty if there are none. */
async function problemsWith(fault: Fault): Promise<string[]> {
  const { clause, level } = fault.expected;
  const told = accused(await ask(fault));
  const own = told.get(clause);
  const entailed = new Set([clause, ...(fault.alsoBreaks ?? [])]);
  return [
    ...(own === undefined ? [`${clause} went unnoticed`] : []),
    ...(own !== undefined && !own.startsWith(level) ? [`${clause} is no ${level}: ${own}`] : []),
    ...[...told].filter(([id]) => !entailed.has(id)).map(([id, how]) => `also accuses ${id}, ${how}`),
    ...(fault.alsoBreaks ?? []).filter((id) => !told.has(id)).map((id) => `does not break ${id}`),
  ];
}

/** Problems in the results for a server that breaks nothing, though it lacks something or is odd. */
async function problemsOfLegal(server: Legal): Promise<string[]> {
  const results = await ask({ ...server, expected: warning(""), users: "" }, server.interfaces);
  const last = conclusionText(results);
  const wanted =
    server.lacks === undefined ? "conforms as far as tested" : `conforms as far as offered; ${server.lacks}`;
  return [
    ...[...accused(results)].map(([id, how]) => `accuses ${id}, ${how}`),
    ...(runExitCode(results) === 0 ? [] : [`exits ${runExitCode(results)}`]),
    ...(last === wanted ? [] : [`ends with "${last}", not with "${wanted}"`]),
  ];
}

/** Problems in the results for a server that dies in the middle of the run. */
async function problemsOfDying(): Promise<string[]> {
  let left = 60;
  const server = await serveSmall(catalogue, {
    name: "dies",
    users: "",
    expected: warning(""),
    answers: () => void (--left === 0 && server.close()),
  });
  const planned = await planRun(server.url, { interface: ["chat-completions"], key: [key], model: models });
  const { results, error } = await prepareRun(planned).execute();
  const last = conclusionText(results);
  return [
    ...[...accused(results)].map(([id, how]) => `accuses ${id}, ${how}`),
    ...(error && runExitCode(results) === 2 ? [] : ["does not end with 2"]),
    ...(/in flight: \S+ #\d/.test(last) ? [] : [`ends with "${last}", which names nothing in flight`]),
    ...(results.clauses.some(({ verdict }) => verdict === "pass") ? [] : ["tells nothing of what was seen"]),
  ];
}

/** Problems in the results for a server whose streams all end in an error event, though whole replies are fine. */
async function problemsOfBrokenStreams(): Promise<string[]> {
  const error = { error: { message: "The model broke.", type: "server_error", param: null, code: null } };
  const spoils = inStream((events) => [...events.slice(0, 2), { data: error }]);
  const results = await ask({ name: "", users: "", expected: warning("chat-completions."), spoils });
  const last = conclusionText(results);
  return [
    ...[...accused(results)].map(([id, how]) => `accuses ${id}, ${how}`),
    ...(runExitCode(results) === 1 ? [] : [`exits ${runExitCode(results)}`]),
    ...(/^DOES NOT CONFORM: \d+ requests not answered/.test(last) ? [] : [`ends with "${last}"`]),
  ];
}

let failed = 0;
const tell = (name: string, problems: readonly string[]): void => {
  if (problems.length > 0) failed++;
  for (const problem of problems) process.stdout.write(`${name}: ${problem}\n`);
};

if (word === "" || word === "clean") {
  const clean = await ask();
  const { incidents } = clean;
  tell("clean", [
    ...[...accused(clean)].map(([id, how]) => `accuses ${id}, ${how}`),
    ...incidents.map(({ source, problem }) => `${source}: ${problem}`),
  ]);
}
const lacking = [...legal, ...odd].filter(({ name }) => name.includes(word) || word === "legal");
for (const server of lacking) tell(server.name, await problemsOfLegal(server));
if (word === "dies" || word === "legal" || word === "") tell("dies", await problemsOfDying());
if (word === "broken-streams" || word === "legal" || word === "")
  tell("broken-streams", await problemsOfBrokenStreams());
const chosen = faults.filter((fault) => fault.name.includes(word) || interfaceOf(fault) === word);
const queue = chosen.values();
await Promise.all(
  Array.from({ length: 3 }, async () => {
    for (const fault of queue)
      tell(fault.name, await problemsWith(fault).catch((error: Error) => [error.stack ?? error.message]));
  }),
);
process.stdout.write(
  `${chosen.length} faults and ${lacking.length} servers that break nothing; ${failed} of all, or the clean form, not told as they should be\n`,
);
process.exitCode = failed > 0 ? 1 : 0;
