/** Has the clients that are installed use a target: what they throw, drop, wait for and ask again. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Agent, EnvHttpProxyAgent, fetch as undiciFetch } from "undici";
import { home } from "../../home.ts";
import type { ClientTrial } from "../../verdict/run-results.ts";
import { proxyFor } from "../../wire/proxy-environment.ts";
import { tryAiAnthropic, tryAiGoogle, tryAiOpenai, tryAiOpenaiImages } from "./ai.ts";
import { tryAnthropic } from "./anthropic.ts";
import { tryGoogle } from "./google.ts";
import { tryLangchainAnthropic, tryLangchainGoogle, tryLangchainOpenai } from "./langchain.ts";
import { tryOpenai, tryOpenaiImages } from "./openai.ts";
import { quietly } from "./quietly.ts";
import type { Fetch, Loose, TrialOptions } from "./trial.ts";

/** Clients that are loaded and used together. */
interface Driver {
  readonly interface: string;
  readonly clients: readonly string[];
  /** The packages that they are made of, the one that names their version first. */
  readonly packages: readonly string[];
  /** @param sdk what the modules of the packages export */
  readonly use: (sdk: Loose, options: TrialOptions) => Promise<(ClientTrial | undefined)[]>;
}

const withTools = (name: string): readonly string[] => [name, `${name}-tools`];
const withAll = (name: string): readonly string[] => [...withTools(name), `${name}-parse`];

export const drivers: readonly Driver[] = [
  {
    interface: "chat-completions",
    clients: ["openai", "openai-stream", "openai-parse", "openai-agent-loop"],
    packages: ["openai"],
    use: tryOpenai,
  },
  {
    interface: "chat-completions",
    clients: withAll("ai-openai"),
    packages: ["@ai-sdk/openai", "ai"],
    use: tryAiOpenai,
  },
  {
    interface: "chat-completions",
    clients: withAll("langchain-openai"),
    packages: ["@langchain/openai"],
    use: tryLangchainOpenai,
  },
  { interface: "images", clients: ["openai-images"], packages: ["openai"], use: tryOpenaiImages },
  { interface: "images", clients: ["ai-openai-images"], packages: ["@ai-sdk/openai", "ai"], use: tryAiOpenaiImages },
  {
    interface: "messages",
    clients: ["anthropic", "anthropic-stream", "anthropic-agent-loop"],
    packages: ["@anthropic-ai/sdk"],
    use: tryAnthropic,
  },
  {
    interface: "messages",
    clients: withTools("ai-anthropic"),
    packages: ["@ai-sdk/anthropic", "ai"],
    use: tryAiAnthropic,
  },
  {
    interface: "messages",
    clients: withTools("langchain-anthropic"),
    packages: ["@langchain/anthropic"],
    use: tryLangchainAnthropic,
  },
  {
    interface: "generate-content",
    clients: ["google-genai", "google-genai-chat"],
    packages: ["@google/genai"],
    use: tryGoogle,
  },
  {
    interface: "generate-content",
    clients: withAll("ai-google"),
    packages: ["@ai-sdk/google", "ai"],
    use: tryAiGoogle,
  },
  {
    interface: "generate-content",
    clients: withAll("langchain-google"),
    packages: ["@langchain/google"],
    use: tryLangchainGoogle,
  },
];

interface Loaded {
  readonly exports: Loose;
  readonly version: string;
}

/** Loads a package as a program in `folder` would; undefined where it is not installed. */
async function load(name: string, folder: string): Promise<Loaded | undefined> {
  try {
    const path = createRequire(join(folder, "package.json")).resolve(name);
    const module: Loose = await import(pathToFileURL(path).href);
    return { exports: { ...module.default, ...module }, version: versionOf(name, path) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "MODULE_NOT_FOUND") return undefined;
    throw new Error(`${name} cannot be loaded: ${message.split("\n", 1)[0]}`);
  }
}

/** Loads all that clients are made of, or says why that cannot be. */
async function loadAll(
  packages: readonly string[],
  folder: string,
): Promise<{ readonly sdk: Loose; readonly version: string } | { readonly problem: string }> {
  try {
    const all = await Promise.all(packages.map((name) => load(name, folder)));
    const missing = packages.filter((_, i) => all[i] === undefined);
    if (missing.length > 0) return { problem: `npm install ${missing.join(" ")}` };
    const old = packages.find((name, i) => isTooOld(name, all[i]!.version));
    if (old !== undefined) return { problem: `${old} is older than what is tried here: npm install ${old}` };
    const [version, ...others] = all.map((one) => one!.version);
    const beside = others.map((one, i) => ` with ${packages[i + 1]} ${one}`).join("");
    return { sdk: Object.assign({}, ...all.map((one) => one!.exports)), version: `${version}${beside}` };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

const { peerDependencies }: Loose = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));

/** Whether a package is older than `>=1.2`, which our own package asks for. */
function isTooOld(name: string, version: string): boolean {
  const numbers = (text: string): number[] => text.split(".").map((part) => Number.parseInt(part, 10));
  const oldest = numbers(/^>=(.*)$/.exec(peerDependencies[name] ?? "")?.[1] ?? "0");
  const own = numbers(version);
  const at = oldest.findIndex((number, i) => number !== (own[i] ?? 0));
  return at >= 0 && (own[at] ?? 0) < oldest[at]!;
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

/** How the clients are to use a target. */
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
  const accepting = insecure ? { rejectUnauthorized: false } : {};
  const agent = proxyFor(new URL(options.target.url))
    ? new EnvHttpProxyAgent({ requestTls: accepting })
    : insecure
      ? new Agent({ connect: accepting })
      : undefined;
  const trusting = agent && ((input: never, init: object) => undiciFetch(input, { ...init, dispatcher: agent }));
  const given: TrialOptions = { ...options, ...(trusting && { fetch: trusting as unknown as Fetch }) };
  const trials = new Map<string, ClientTrial>();
  const add = (trial: ClientTrial): void => void trials.set(`${trial.client} ${trial.scenario}`, trial);
  try {
    const { only } = options;
    for (const one of drivers) {
      if (!interfaces.includes(one.interface) || (only !== undefined && !one.clients.includes(only))) continue;
      const loaded = await loadAll(one.packages, folder);
      if ("problem" in loaded)
        add({ client: one.clients[0]!, scenario: "", outcome: "not installed", detail: loaded.problem });
      else
        for (const trial of await quietly(() => one.use(loaded.sdk, given)))
          if (trial) add({ ...trial, version: loaded.version });
    }
  } finally {
    await agent?.destroy();
  }
  return [...trials.values()];
}
