/** A program as a client under test: it is started for every question, and says what it made of the answer by what it prints. */
import { readFileSync } from "node:fs";
import type { Interface } from "../../check/interface.ts";
import { clientEnvironment, fillPlaceholders } from "../../program/client-environment.ts";
import { type Program, type ProgramOptions, startProgram } from "../../program/program.ts";
import { shellWord } from "../../wire/shell.ts";
import type { Assignment, ClientUnderTest } from "../client-under-test.ts";
import type { Handed } from "../observation.ts";

/** Bytes of each output that are read. */
export const maxOutput = 4 << 20;

/** Milliseconds between two looks at the memory of a program. */
const samplingPause = 250;

/** Milliseconds in which a program that is asked to end may do so by itself. */
export const graceToEnd = 500;

export interface ProgramClientOptions {
  /** Milliseconds after which the program gives up by itself, where its user says so. */
  readonly limit?: number | undefined;
}

/** The most memory that a process has held so far, in bytes; undefined where the system does not tell. */
function peakMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Variables that have programs print UTF-8, and no colours. */
const plainOutput = { NO_COLOR: "1", PYTHONIOENCODING: "utf-8" };

/** Variables of proxies: what stands between a program and this machine would answer in its own way. */
const withoutProxies = Object.fromEntries(
  ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].map((name) => [name, undefined]),
);

/** Starts a program before a server. @param values of the placeholders in its arguments, `base_url` and `key` among them */
export function startClient(
  command: readonly string[],
  interfaces: readonly Interface[],
  values: Readonly<Record<string, string>> & { readonly base_url: string; readonly key: string },
  told?: ProgramOptions["told"],
): Promise<Program> {
  return startProgram(fillPlaceholders(command, values), {
    stdio: "capture",
    maxOutput,
    env: [withoutProxies, plainOutput, clientEnvironment(interfaces, { baseUrls: values.base_url, key: values.key })],
    ...(told && { told }),
  });
}

/** @param command the program and its arguments; `{base_url}`, `{prompt}`, `{key}`, `{model}` and `{case}` are filled in */
export function programClient(
  command: readonly string[],
  interfaces: readonly Interface[],
  { limit }: ProgramClientOptions = {},
): ClientUnderTest {
  return {
    name: command.map(shellWord).join(" "),
    versions: {},
    interfaces: [],
    ...(limit !== undefined && { limit }),
    async ask(assignment): Promise<Omit<Handed, "after">> {
      const { signal } = assignment;
      const program = await startClient(command, interfaces, valuesOf(assignment));
      const stop = (): void => void program.end(graceToEnd);
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop);
      let memory: number | undefined;
      const sampling = setInterval(() => {
        memory = peakMemory(program.pid) ?? memory;
      }, samplingPause);
      try {
        const { exitCode, signal: by, stdout, stderr } = await program.ended;
        return {
          output: stdout.bytes.toString("utf8"),
          errors: stderr.bytes.toString("utf8"),
          ...(stdout.cut > 0 && { isCut: true as const }),
          end: "exited",
          exitCode,
          ...(by && { signal: by }),
          ...(memory !== undefined && { memory }),
        };
      } finally {
        clearInterval(sampling);
        signal.removeEventListener("abort", stop);
      }
    },
  };
}

const valuesOf = ({ baseUrl, prompt, key, model, case: id }: Assignment) => ({
  base_url: baseUrl,
  prompt,
  key,
  model,
  case: id,
});
