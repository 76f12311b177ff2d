/** A process that asks questions with the package of a client, one at a time, and says what came of each. */
import { setTimeout as sleep } from "node:timers/promises";
import { loadAll } from "../../run/clients/packages.ts";
import { quietly } from "../../run/clients/quietly.ts";
import type { Handed } from "../observation.ts";
import type { Driver, Loose, Question } from "./driver.ts";
import { drivers } from "./list.ts";
import type { DriverSettings, FromDriver, ToDriver } from "./messages.ts";

/** Milliseconds after an answer in which an error that nobody catches still belongs to it. */
const graceForUnhandled = 20;

const { driver: name, folder } = JSON.parse(process.argv[2]!) as DriverSettings;
const driver = drivers.find((one) => one.name === name)!;
let abort = new AbortController();

const tell = (message: FromDriver): void => void process.send!(message);

/** An error as judges read it. */
function errorOf(thrown: Loose): NonNullable<Handed["error"]> {
  const status = [thrown?.status, thrown?.statusCode, thrown?.code].find((one) => Number.isInteger(one) && one >= 100);
  return {
    name: String(thrown?.name ?? typeof thrown).slice(0, 200),
    message: String(thrown?.message ?? thrown).slice(0, 2_000),
    ...(status !== undefined && { status }),
  };
}

const memoryNow = (): number => process.memoryUsage.rss();

async function answer(sdk: Loose, one: Driver, asked: Omit<Question, "deadline">): Promise<Omit<Handed, "after">> {
  const { signal, limit } = asked;
  const deadline = new AbortController();
  const late = (): void => deadline.abort(new DOMException(`no answer within ${limit} ms`, "TimeoutError"));
  const timer = limit === undefined ? undefined : setTimeout(late, limit);
  signal.addEventListener("abort", () => deadline.abort(signal.reason), { once: true });
  const question: Question = { ...asked, deadline: deadline.signal };
  let memory = memoryNow();
  const sampling = setInterval(() => (memory = Math.max(memory, memoryNow())), 100);
  try {
    const { text, calls, finish } = await one.ask(sdk, question);
    return { end: "returned", error: null, text, calls, ...(finish != null && { finish: String(finish) }), memory };
  } catch (thrown) {
    return { end: "threw", error: errorOf(thrown), memory };
  } finally {
    clearTimeout(timer);
    clearInterval(sampling);
  }
}

// An error that nobody can catch ends a program that uses the package.
const unhandled = (thrown: unknown): void => {
  process.send!({ handed: { end: "unhandled", error: errorOf(thrown) } } satisfies FromDriver, () => process.exit(1));
};
process.on("uncaughtException", unhandled);
process.on("unhandledRejection", unhandled);
process.on("disconnect", () => process.exit(0));

const loaded = await loadAll(driver.packages, folder);
if ("problem" in loaded) tell({ problem: loaded.problem });
else {
  process.on("message", (message: ToDriver) => {
    if (message === "abort") return abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    void quietly(() => answer(loaded.sdk, driver, { ...message.ask, signal })).then(async (handed) => {
      await sleep(graceForUnhandled);
      tell({ handed });
    });
  });
  tell({ ready: { version: loaded.version } });
}
