/** Has the clients that are installed use a target: what they throw, drop, wait for and ask again. */
import { Agent, EnvHttpProxyAgent, fetch as undiciFetch } from "undici";
import type { ClientTrial } from "../../verdict/run-results.ts";
import { proxyFor } from "../../wire/proxy-environment.ts";
import { tryAiAnthropic, tryAiGoogle, tryAiOpenai, tryAiOpenaiImages } from "./ai.ts";
import { tryAnthropic } from "./anthropic.ts";
import { tryGoogle } from "./google.ts";
import { tryLangchainAnthropic, tryLangchainGoogle, tryLangchainOpenai } from "./langchain.ts";
import { tryOpenai, tryOpenaiImages } from "./openai.ts";
import { loadAll } from "./packages.ts";
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
