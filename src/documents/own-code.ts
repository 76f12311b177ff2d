/** Runs code of a user's own: for a bounded time, without ending the process, and with what it prints on standard error. */
import { Script } from "node:vm";
import { isTooMuch } from "../check/budget.ts";
import type { OwnCode } from "../check/interface.ts";
import { UserError } from "../user-error.ts";

/** Milliseconds that code of one exchange may take. What takes longer never ends: rules take microseconds. */
const maxMilliseconds = 10_000;

/** What stands for the work in the script that bounds it. */
const slot = Symbol.for("touchstone.work");
const script = new Script(`globalThis[Symbol.for("touchstone.work")]()`);

let depth = 0;

/**
 * Has a process neither end nor print to standard output, which belongs to whoever reads what a command prints.
 * @returns puts things back
 */
export function holdProcess(): () => void {
  if (depth++ > 0) return () => void depth--;
  const { exit } = process;
  const { write } = process.stdout;
  process.exit = (): never => {
    throw new Error("it calls process.exit()");
  };
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof write;
  return () => {
    depth--;
    process.exit = exit;
    process.stdout.write = write;
  };
}

/** Whether code was stopped since it took too long. */
const isTimeout = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/** What was thrown, in one line of bounded length. */
export function thrownText(error: unknown): string {
  if (isTimeout(error)) return `it does not end within ${maxMilliseconds / 1000} seconds`;
  let text: string;
  try {
    text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    text = "something that has no text";
  }
  const [line = ""] = text.split("\n");
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/** Whether code is running within a bound: what it calls needs none of its own. */
let isBounded = false;
/** Whether work has taken too long as a whole: each call has its own bound from then on. */
let isSlow = false;

function runBounded<T>(work: () => T): T {
  if (isBounded) return work();
  const release = holdProcess();
  let result: T;
  isBounded = true;
  (globalThis as Record<symbol, unknown>)[slot] = (): void => {
    result = work();
  };
  try {
    script.runInThisContext({ timeout: maxMilliseconds, displayErrors: false });
    return result!;
  } finally {
    isBounded = false;
    delete (globalThis as Record<symbol, unknown>)[slot];
    release();
  }
}

/** How the code of a file is run, and how its failures are told. */
export const codeOf = (file: string): OwnCode => ({
  run: runBounded,
  runWhole(work) {
    if (isSlow) return undefined;
    try {
      return { value: runBounded(work) };
    } catch (error) {
      if (isBounded || !isTimeout(error)) throw error;
      isSlow = true;
      return undefined;
    }
  },
  failure: (what, error) => `the code of ${file} failed at ${what}: ${thrownText(error)}`,
});

/**
 * A function of a file, or an object of such functions at any depth, whose failures say where they come from. Classes, regular
 * expressions and data stay as they are.
 * @param what how the file calls it
 */
export function named<T>(value: T, what: string, code: OwnCode, depth = 0): T {
  if (typeof value === "function") {
    const call = value as unknown as (...args: unknown[]) => unknown;
    return ((...args: unknown[]): unknown => {
      try {
        return code.run(() => call(...args));
      } catch (error) {
        if (isTooMuch(error)) throw error;
        const place = code.failure(`${what}()`, isTimeout(error) ? error : "it throws");
        throw new UserError(code.failure(`${what}()`, error), "Mend the function, or take it out.", place);
      }
    }) as unknown as T;
  }
  const isPlain = Array.isArray(value) || (value !== null && typeof value === "object" && isRecord(value));
  if (!isPlain || depth > 6) return value;
  if (Array.isArray(value)) return value.map((one, i) => named(one, `${what}[${i}]`, code, depth + 1)) as T;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [name, named(one, `${what}.${name}`, code, depth + 1)]),
  ) as T;
}

const isRecord = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
};
