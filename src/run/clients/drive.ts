/** Has the official clients that are installed use a target: what they throw, drop, wait for and ask again. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Agent, fetch as undiciFetch } from "undici";
import type { ClientTrial } from "../../verdict/run-results.ts";
import { tryAnthropic } from "./anthropic.ts";
import { tryGoogle } from "./google.ts";
import { tryOpenai, tryOpenaiImages } from "./openai.ts";
import type { Fetch, Loose, TrialOptions } from "./trial.ts";

export interface Official {
  readonly interface: string;
  readonly client: string;
  readonly package: string;
  readonly use: (sdk: Loose, options: TrialOptions) => Promise<(ClientTrial | undefined)[]>;
}

export const official: readonly Official[] = [
  { interface: "chat-completions", client: "openai", package: "openai", use: tryOpenai },
  { interface: "images", client: "openai-images", package: "openai", use: tryOpenaiImages },
  { interface: "messages", client: "anthropic", package: "@anthropic-ai/sdk", use: tryAnthropic },
  { interface: "generate-content", client: "google-genai", package: "@google/genai", use: tryGoogle },
];

type Loaded = { readonly sdk: Loose; readonly version: string } | { readonly problem: string };

/** Loads a package as a program in `folder` would; why not, where it cannot be. */
async function load(name: string, folder: string): Promise<Loaded> {
  try {
    const path = createRequire(join(folder, "package.json")).resolve(name);
    const module: Loose = await import(pathToFileURL(path).href);
    return { sdk: { ...module.default, ...module }, version: versionOf(name, path) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "MODULE_NOT_FOUND"
      ? { problem: `${name} is not installed: npm install ${name}` }
      : { problem: `${name} cannot be loaded: ${message.split("\n", 1)[0]}` };
  }
}

/** The version of the package that a module belongs to. */
function versionOf(name: string, module: string): string {
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    const told: Loose = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
    if (told.name === name && told.version) return told.version;
  }
  return "unknown";
}

/** How the official clients are to use a target. */
export interface DriveOptions extends Omit<TrialOptions, "fetch"> {
  /** Whether any certificate of the target is accepted. */
  readonly insecure?: boolean | undefined;
}

/**
 * Tries each client in turn.
 * @param interfaces those that are to be used
 * @param folder the project whose packages are used
 */
export async function driveClients(
  interfaces: readonly string[],
  { insecure = false, ...options }: DriveOptions,
  folder: string = process.cwd(),
): Promise<ClientTrial[]> {
  const agent = insecure ? new Agent({ connect: { rejectUnauthorized: false } }) : undefined;
  const trusting = agent && ((input: never, init: object) => undiciFetch(input, { ...init, dispatcher: agent }));
  const given: TrialOptions = { ...options, ...(trusting && { fetch: trusting as unknown as Fetch }) };
  const trials = new Map<string, ClientTrial>();
  const add = (trial: ClientTrial): void => void trials.set(`${trial.client} ${trial.scenario}`, trial);
  try {
    for (const one of official) {
      if (!interfaces.includes(one.interface)) continue;
      const loaded = await load(one.package, folder);
      if ("problem" in loaded)
        add({ client: one.client, scenario: "", outcome: "not installed", detail: loaded.problem });
      else for (const trial of await one.use(loaded.sdk, given)) if (trial) add({ ...trial, version: loaded.version });
    }
  } finally {
    await agent?.destroy();
  }
  return [...trials.values()];
}
