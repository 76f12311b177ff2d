/** Has the official clients that are installed use a target: what they throw, drop, wait for and ask again. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ClientTrial } from "../../verdict/document.ts";
import { tryAnthropic } from "./anthropic.ts";
import { tryGoogle } from "./google.ts";
import { tryOpenai } from "./openai.ts";
import type { Loose, TrialOptions } from "./trial.ts";

interface Official {
  readonly interface: string;
  readonly client: string;
  readonly package: string;
  readonly use: (sdk: Loose, options: TrialOptions) => Promise<(ClientTrial | undefined)[]>;
}

const official: readonly Official[] = [
  { interface: "chat-completions", client: "openai", package: "openai", use: tryOpenai },
  { interface: "messages", client: "anthropic", package: "@anthropic-ai/sdk", use: tryAnthropic },
  { interface: "generate-content", client: "google-genai", package: "@google/genai", use: tryGoogle },
];

/** Loads a package as a program in `folder` would; why not, where it cannot be. */
async function load(name: string, folder: string): Promise<{ readonly sdk: Loose } | { readonly problem: string }> {
  try {
    const path = createRequire(join(folder, "package.json")).resolve(name);
    const module: Loose = await import(pathToFileURL(path).href);
    return { sdk: { ...module.default, ...module } };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "MODULE_NOT_FOUND"
      ? { problem: `${name} is not installed: npm install ${name}` }
      : { problem: `${name} cannot be loaded: ${message.split("\n", 1)[0]}` };
  }
}

/**
 * Tries each client in turn.
 * @param interfaces those that are to be used
 * @param folder the project whose packages are used
 */
export async function driveClients(
  interfaces: readonly string[],
  options: TrialOptions,
  folder: string = process.cwd(),
): Promise<ClientTrial[]> {
  const trials: ClientTrial[] = [];
  for (const one of official) {
    if (!interfaces.includes(one.interface)) continue;
    const loaded = await load(one.package, folder);
    if ("problem" in loaded)
      trials.push({ client: one.client, scenario: "", outcome: "not installed", detail: loaded.problem });
    else trials.push(...(await one.use(loaded.sdk, options)).filter((trial) => trial !== undefined));
  }
  return trials;
}
