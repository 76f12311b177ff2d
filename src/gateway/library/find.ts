/** Finds the packages of a client library, and starts the process that serves it as a gateway. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { didYouMean } from "../../check/suggest.ts";
import { home } from "../../home.ts";
import { clientEnvironment } from "../../run/clients/environment.ts";
import { installPackages } from "../../run/clients/install.ts";
import { UserError } from "../../user-error.ts";
import { hear } from "../../worker.ts";
import { deferred } from "../deferred.ts";
import type { Started } from "../start.ts";
import type { Route } from "../trip.ts";
import { libraries } from "./libraries.ts";
import type { Library } from "./library.ts";

/** The settings of `program.ts`. */
export interface LibrarySettings {
  readonly name: string;
  /** The folder whose packages are used. */
  readonly folder: string;
  readonly route: Route;
  /** The base URL of the upstream. */
  readonly upstream: string;
  /** `HOST:PORT` to listen on. */
  readonly listen: string;
}

/** Its answer. */
export type FromLibrary =
  | { readonly url: string; readonly version: string }
  /** Why the packages cannot be loaded. */
  | { readonly problem: string };

/** A library that serves as a gateway. */
export interface StartedLibrary extends Started {
  readonly url: string;
  /** Its packages with their versions. */
  readonly version: string;
}

/** @param named `NAME` or `NAME@VERSION`; UserError for a name that nobody knows */
export function libraryNamed(named: string): { readonly library: Library; readonly version: string | undefined } {
  const [, name = named, version] = /^(@?[^@]+)@(.+)$/.exec(named) ?? [];
  const library = libraries.find((one) => one.name === name);
  if (library) return { library, version };
  const names = libraries.map((one) => one.name);
  throw new UserError(
    `--client ${name}: there is no such library`,
    `${didYouMean(name, names)}There are: ${names.join(", ")}.`,
  );
}

const program = join(home, "dist", "src", "gateway", "library", "program.js");

/** Milliseconds that a process gets to load the packages. */
const maxLoading = 60_000;

async function startProcess(settings: LibrarySettings): Promise<StartedLibrary> {
  const child = fork(program, [JSON.stringify(settings)], {
    cwd: settings.folder,
    env: clientEnvironment(),
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const first = deferred<FromLibrary>();
  const over = deferred<void>();
  let how: string | undefined;
  hear(child, {
    onMessage: (message: FromLibrary) => first.resolve(message),
    onEnd({ code, signal }) {
      how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
      first.resolve({ problem: `its process ${how}` });
      over.resolve();
    },
  });
  const end = (): Promise<void> => {
    child.kill("SIGKILL");
    return over.promise;
  };
  const late = setTimeout(() => first.resolve({ problem: "its packages do not load" }), maxLoading);
  const said = await first.promise;
  clearTimeout(late);
  if ("url" in said) return { ...said, ended: () => how, over: over.promise, end };
  await end();
  throw new UserError(
    `${settings.name} cannot be used: ${said.problem}`,
    `Or name a version, which is fetched for this run: --client ${settings.name}@VERSION.`,
  );
}

/** A library whose packages are there. */
export interface FoundLibrary {
  /** Starts it, or starts it again where it listened before. */
  start(upstream: string, listen?: string): Promise<StartedLibrary>;
  remove(): void;
}

/**
 * @param named `NAME`, from the packages of this folder, or `NAME@VERSION`
 * @throws UserError for a name that nobody knows, and where it cannot be installed
 */
export async function findLibrary(named: string, route: Route, here = process.cwd()): Promise<FoundLibrary> {
  const { library, version } = libraryNamed(named);
  const [main, ...others] = library.packages[route.to]!;
  const range = version === undefined ? undefined : library.beside?.(version);
  const inRange = (name: string): string => (range === undefined ? name : `${name}@${range}`);
  const { folder, remove } =
    version === undefined
      ? { folder: here, remove: () => undefined }
      : await installPackages(`${main}@${version}`, others.map(inRange));
  return {
    start: (upstream, listen = "127.0.0.1:0") => startProcess({ name: library.name, folder, route, upstream, listen }),
    remove,
  };
}
