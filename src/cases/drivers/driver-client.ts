/** A client library as a client under test: a few processes, each of which asks one question at a time. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { home } from "../../home.ts";
import { clientEnvironment } from "../../run/clients/environment.ts";
import { UserError } from "../../user-error.ts";
import { hear } from "../../worker.ts";
import type { Ask, Assignment, ClientUnderTest } from "../client-under-test.ts";
import type { Handed } from "../observation.ts";
import type { Driver } from "./driver.ts";
import type { DriverSettings, FromDriver } from "./messages.ts";

interface DriverProcess {
  readonly version: string;
  ask(assignment: Assignment): Promise<Omit<Handed, "after">>;
  isOver(): boolean;
  end(): void;
}

const program = join(home, "dist", "src", "cases", "drivers", "driver-process.js");

/** Starts a process; UserError where its packages cannot be loaded. */
async function start(settings: DriverSettings): Promise<DriverProcess> {
  const child: ChildProcess = fork(program, [JSON.stringify(settings)], {
    cwd: settings.folder,
    env: clientEnvironment(),
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let heard: (message: FromDriver) => void = () => undefined;
  let isOver = false;
  const next = (): Promise<FromDriver> => new Promise((resolve) => (heard = resolve));
  hear(child, {
    onMessage: (message: FromDriver) => heard(message),
    onEnd({ code, signal }) {
      isOver = true;
      heard({ handed: { end: "unhandled", ...(signal ? { signal } : code !== null && { exitCode: code }) } });
    },
  });
  const first = await next();
  if (!("ready" in first)) {
    child.kill("SIGKILL");
    const problem = "problem" in first ? first.problem : "its process ended";
    throw new UserError(`${settings.driver} cannot be used: ${problem}`, "Name a version, such as openai@latest.");
  }
  return {
    version: first.ready.version,
    isOver: () => isOver,
    end: () => void child.kill("SIGKILL"),
    async ask({ signal, ...ask }) {
      const abort = (): void => void (child.connected && child.send("abort"));
      signal.addEventListener("abort", abort);
      const reply = next();
      child.send({ ask });
      const answered = await reply;
      signal.removeEventListener("abort", abort);
      // Work that a killed question still does would count for the next one.
      // A process that broke may take a moment to end.
      const handed = "handed" in answered ? answered.handed : { end: "unhandled" as const };
      if (signal.aborted || handed.end === "unhandled") {
        isOver = true;
        child.kill("SIGKILL");
      }
      return handed;
    },
  };
}

/** Milliseconds that a package is told to wait at most, in cases of silence. */
const usualLimit = 5_000;

export interface DrivenClient extends ClientUnderTest {
  close(): void;
}

/** @param folder the folder whose packages are used @param limit milliseconds that it is told to wait at most, where nothing comes */
export async function driverClient(driver: Driver, folder: string, limit = usualLimit): Promise<DrivenClient> {
  const settings: DriverSettings = { driver: driver.name, folder };
  const first = await start(settings);
  const processes = new Set([first]);
  const free = [first];

  /** Takes a process for one question. */
  async function prepare(): Promise<Ask> {
    let own = free.pop();
    while (own?.isOver()) own = free.pop();
    own ??= await start(settings);
    processes.add(own);
    return async (assignment) => {
      const handed = await own.ask(assignment);
      if (own.isOver()) processes.delete(own);
      else free.push(own);
      return handed;
    };
  }

  const [main = "node", ...others] = driver.packages;
  const name =
    driver.packages.length === 0
      ? `${driver.name} of Node ${process.versions.node}`
      : `${driver.name} ${first.version}`;
  return {
    name,
    versions: { [main]: first.version, ...(others.length > 0 && { with: others.join(", ") }) },
    interfaces: [driver.interface],
    limit,
    ...(driver.form && { form: driver.form }),
    ask: async (assignment) => (await prepare())(assignment),
    prepare,
    close() {
      for (const one of processes) one.end();
    },
  };
}
