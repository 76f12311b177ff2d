/** Runs the suites through vitest's node API: from the package's own folder, untouched by the project it is called from. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { TestCase, TestModule } from "vitest/node";
import { home } from "../home.ts";
import type { Outcome } from "./ask.ts";
import type { RunOrder } from "./suite.ts";

export interface SuiteRun {
  readonly outcomes: readonly Outcome[];
  /** Why the target could not be reached any more, in the middle of the run. */
  readonly gone?: { readonly source: string; readonly problem: string };
}

/** The compiled suite of a section. */
export function suiteFile(interfaceName: string, section: string): string {
  return join("dist", "suites", interfaceName, `${section}.suite.js`);
}

/**
 * Sends every cassette of the order.
 * @param concurrency how many cassettes are asked at a time
 * @param onOutcome called as each cassette ends
 * @throws when a suite is missing or touchstone itself failed
 */
export async function runSuites(
  order: RunOrder,
  concurrency: number,
  onOutcome: (outcome: Outcome) => void = () => {},
): Promise<SuiteRun> {
  const sections = new Set(order.sources.map((source) => source.split("/").slice(0, 2).join("/")));
  const include = [...sections].map((path) => suiteFile(...(path.split("/") as [string, string])));
  for (const file of include) if (!existsSync(join(home, file))) throw new Error(`${file} is missing`);
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  const reporter = {
    onTestCaseResult(test: TestCase): void {
      const outcome = test.meta().touchstone;
      if (outcome) {
        outcomes.push(outcome);
        onOutcome(outcome);
      } else failures.push(...(test.result().errors ?? []).map(({ message }) => `${test.name}: ${message}`));
    },
    onTestModuleEnd(module: TestModule): void {
      failures.push(...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`));
    },
  };
  const { createVitest } = await import("vitest/node");
  const silence = new Writable({ write: (_piece, _encoding, done) => done() });
  // vitest reports by exit code as well; a run's own code is set by whoever reads the verdicts.
  const code = process.exitCode;
  const vitest = await createVitest(
    "test",
    {
      config: false,
      root: home,
      include,
      // The defaults leave out node_modules, where an installed package lies.
      exclude: [],
      watch: false,
      cache: false,
      pool: "threads",
      isolate: false,
      fileParallelism: false,
      maxWorkers: 1,
      maxConcurrency: concurrency,
      testTimeout: 0,
      hookTimeout: 0,
      reporters: [reporter],
      silent: true,
      // The suites are compiled already, and may lie where vite would not transform them.
      experimental: { viteModuleRunner: false },
      provide: { touchstone: order },
    },
    { configFile: false, envFile: false, clearScreen: false, logLevel: "silent" } as never,
    { stdout: silence, stderr: silence },
  );
  try {
    const { unhandledErrors } = await vitest.start();
    failures.push(...unhandledErrors.map((error) => (error instanceof Error ? error.message : String(error))));
  } finally {
    await vitest.close();
    process.exitCode = code;
  }
  const gone = outcomes.find((outcome) => outcome.gone !== undefined);
  if (gone) return { outcomes, gone: { source: gone.source, problem: gone.gone! } };
  if (failures.length > 0) throw new Error(failures[0]);
  const missing = order.sources.filter((source) => !outcomes.some((outcome) => outcome.source === source));
  if (missing.length > 0) throw new Error(`${missing[0]} was not asked, and nobody said why`);
  return { outcomes };
}
