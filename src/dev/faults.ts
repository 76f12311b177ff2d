/** `npm run check:faults [-- WORD]`: `run` must find each fault of a small server by its clause, and nothing in its clean form. */
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { run } from "../run/run.ts";
import type { RunResults } from "../verdict/run-results.ts";
import type { Fault } from "./faulty/fault.ts";
import { faults } from "./faulty/faults.ts";
import { key, models, serveSmall } from "./faulty/server.ts";

const [word = ""] = process.argv.slice(2);
const catalogue = await loadCatalogue();

const interfaceOf = ({ expected }: Fault): string => expected.clause.split(".")[0] ?? "";

/** What a run says of the small server, all of it or the interface of one fault. */
async function ask(fault?: Fault): Promise<RunResults> {
  const server = await serveSmall(catalogue, fault);
  try {
    return await run(server.url, {
      ...(fault && { interface: [interfaceOf(fault)] }),
      key: [key],
      model: models,
      probes: fault ? (fault.probes ?? false) : "all",
    });
  } finally {
    await server.close();
  }
}

/** Clauses that are violated at error or warning level, each with its verdict and its first finding. */
function accused({ clauses, findings }: RunResults): Map<string, string> {
  const told = new Map<string, string>();
  for (const { id, verdict } of clauses)
    if (verdict === "fail" || verdict === "warning" || verdict === "broken") {
      const first = findings.find(({ clause, level }) => clause === id && level !== "note");
      told.set(id, `${verdict}: ${first?.source} ${first?.in} ${first?.pointer} ${first?.message}`);
    }
  return told;
}

/** What is wrong with what a run says of a fault; empty where nothing is. */
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
const chosen = faults.filter((fault) => fault.name.includes(word) || interfaceOf(fault) === word);
const queue = chosen.values();
await Promise.all(
  Array.from({ length: 3 }, async () => {
    for (const fault of queue)
      tell(fault.name, await problemsWith(fault).catch((error: Error) => [error.stack ?? error.message]));
  }),
);
process.stdout.write(`${chosen.length} faults, ${failed} of them, or the clean form, not told as they should be\n`);
process.exitCode = failed > 0 ? 1 : 0;
