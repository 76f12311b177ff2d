/** The routes through gateways of others whose facts are checked: the packages, how each gateway is started, and what it has to be told. */

export interface GatewayRoute {
  /** Its name in `outcomes.json`. */
  readonly name: string;
  /** Packages with their exact versions; the first is the gateway's. */
  readonly packages: Readonly<Record<string, string>>;
  readonly from: string;
  readonly to: string;
  /** The command that starts it in the folder of its packages; `{upstream}` stands for the address of the upstream. */
  command(port: number): string;
  /** The beginning of its paths. */
  readonly base?: string;
  /** More arguments of `touchstone gateway`. */
  readonly args: readonly string[];
  /** Whether the README has it. */
  readonly isBrief: boolean;
}

/** Words of tables for interfaces. */
export const shortNames: Readonly<Record<string, string>> = {
  "chat-completions": "chat",
  messages: "messages",
  "generate-content": "generate",
  images: "images",
};

const [chat, messages, generate, images] = ["chat-completions", "messages", "generate-content", "images"] as const;

type Of = Omit<GatewayRoute, "name" | "from" | "to" | "args" | "isBrief">;

/** Gateways that translate by the code of another one of the list. */
const forks = new Set(["claude-code-router", "llmops"]);

const route = (gateway: string, of: Of, from: string, to: string, ...args: string[]): GatewayRoute => ({
  ...of,
  name: `${gateway}: ${shortNames[from]} to ${shortNames[to]}`,
  from,
  to,
  args,
  isBrief: from !== to && !forks.has(gateway),
});

const portkey: Of = {
  packages: { "@portkey-ai/gateway": "1.15.2", "@hono/node-server": "1.13.8" },
  command: (port) => `node node_modules/@portkey-ai/gateway/build/start-server.js --port=${port} --headless`,
};
const byHeader = (prefix: string, provider: string, path: string): string[] => [
  ...["--header", `${prefix}-provider: ${provider}`, "--header", `${prefix}-custom-host: {upstream}${path}`],
];

/** A gateway that our script starts, for upstreams of one interface. */
const scripted = (script: string, packages: Of["packages"], to: string = chat): Of => ({
  packages,
  command: (port) => `node gateways.mjs ${script} ${port} {upstream} ${to}`,
});
const llmops = scripted("llmops", { "@llmops/gateway": "0.6.10", "@hono/node-server": "1.13.8" });
const llms = (to: string): Of => scripted("musistudio-llms", { "@musistudio/llms": "1.0.53" }, to);
const router = (to: string): Of => scripted("claude-code-router", { "@musistudio/claude-code-router": "2.0.0" }, to);
/** Its published version asks for an older one of the second package, which is gone. */
const nullplatform = (from: string, to: string): Of => ({
  ...scripted("nullplatform", { "@nullplatform/llm-gateway": "2.0.11", "@nullplatform/llm-gateway-sdk": "2.0.2" }, to),
  base: from === chat ? "/openai" : "/anthropic",
});

const named = ["--model", "touchstone,any"];
const keyless = ["--lacks", "keys"];

export const routes: readonly GatewayRoute[] = [
  route("portkey", portkey, chat, messages, ...byHeader("x-portkey", "anthropic", "/v1")),
  route("portkey", portkey, chat, generate, ...byHeader("x-portkey", "google", "")),
  route("portkey", portkey, chat, chat, ...byHeader("x-portkey", "openai", "/v1")),
  route("portkey", portkey, messages, messages, ...byHeader("x-portkey", "anthropic", "/v1")),
  route("portkey", portkey, images, images, ...byHeader("x-portkey", "openai", "/v1")),
  route("musistudio-llms", llms(chat), messages, chat, ...named, ...keyless),
  route("musistudio-llms", llms(generate), messages, generate, ...named, ...keyless),
  route("claude-code-router", router(chat), messages, chat, ...keyless),
  route("claude-code-router", router(generate), messages, generate, ...keyless),
  route("nullplatform", nullplatform(messages, chat), messages, chat, ...keyless),
  route("nullplatform", nullplatform(chat, messages), chat, messages, ...keyless),
  route("nullplatform", nullplatform(chat, chat), chat, chat, ...keyless),
  route("nullplatform", nullplatform(messages, messages), messages, messages, ...keyless),
  route("llmops", llmops, chat, messages, ...byHeader("x-llmops", "anthropic", "/v1")),
  route("llmops", llmops, chat, generate, ...byHeader("x-llmops", "google", "/v1beta")),
];
