/** The servers of others that the suite is tried on: the packages to install, how each is started, and what a run has to know of it. */

export interface Server {
  readonly name: string;
  /** Packages with their exact versions; the first is shown in the table. */
  readonly packages: Readonly<Record<string, string>>;
  /** The words of the table behind the packages, if one is tried in several ways. */
  readonly as?: string;
  /** Whether it stands in front of the embedded reference. */
  readonly inFront?: boolean;
  /** The beginning of its paths. */
  readonly base?: string;
  /** Arguments of node, from the folder in which the packages are installed. */
  start(at: { readonly port: number; readonly here: string; readonly upstream: string }): readonly string[];
  /** Arguments of `touchstone run`. */
  run(at: { readonly upstream: string }): readonly string[];
  /** Clauses that it breaks with a warning in some runs and not in others, with the reason: the table counts them as broken in all. */
  readonly byChance?: Readonly<Record<string, string>>;
}

const portkey = (hono: string, name: string): Server => ({
  name,
  packages: { "@portkey-ai/gateway": "1.15.2", "@hono/node-server": hono },
  inFront: true,
  start: ({ port }) => ["node_modules/@portkey-ai/gateway/build/start-server.js", `--port=${port}`, "--headless"],
  run: ({ upstream }) => [
    ...["--header", "x-portkey-provider: openai", "--header", `x-portkey-custom-host: ${upstream}/v1`],
  ],
});

/** A gateway that is started by a script of ours, which is copied beside its packages. */
const gateway = (
  name: string,
  script: string,
  packages: Server["packages"],
  run: Server["run"],
  more: Partial<Server> = {},
): Server => ({
  name,
  packages,
  inFront: true,
  start: ({ port, upstream }) => ["gateways.mjs", script, String(port), upstream],
  run,
  ...more,
});

/** A published version of it asks for an older one of the second package, which is gone. */
const nullplatform = { "@nullplatform/llm-gateway": "2.0.11", "@nullplatform/llm-gateway-sdk": "2.0.2" };

export const servers: readonly Server[] = [
  {
    name: "aimock",
    packages: { "@copilotkit/aimock": "1.43.0" },
    start: ({ port, here }) => [
      "node_modules/@copilotkit/aimock/dist/cli.js",
      ...["--port", String(port), "--fixtures", `${here}/aimock-fixtures.json`, "--log-level", "warn"],
    ],
    // Its variations answer 404, as the vendor's do since it took them away. It wants no key.
    run: () => ["--preset", "vendors", "--lacks", "images/variations,keys"],
  },
  portkey("1.13.8", "portkey"),
  portkey("1.19.19", "portkey-newer-server"),
  {
    name: "mock-llm",
    packages: { "@dwmkerr/mock-llm": "0.1.29" },
    start: () => ["node_modules/@dwmkerr/mock-llm/dist/main.js"],
    run: () => ["--preset", "vendors", "--lacks", "keys"],
    byChance: {
      "chat-completions.response.id-unique": "Its ids are the time in milliseconds, which two replies may share.",
    },
  },
  {
    name: "openai-api-mock",
    packages: { "openai-api-mock": "0.4.0" },
    // It answers inside a process: a small server puts what it says on the wire.
    start: ({ port, here }) => [`${here}/in-process.mjs`, String(port)],
    run: () => ["--preset", "vendors", "--lacks", "images/edits,images/variations,keys"],
  },
  {
    name: "mock-openai-api",
    packages: { "mock-openai-api": "1.0.3" },
    start: ({ port }) => ["node_modules/mock-openai-api/dist/cli.js", "-H", "127.0.0.1", "-p", String(port)],
    run: () => [
      ...["--preset", "vendors", "--lacks", "images/edits,images/variations,keys"],
      ...["--model", "chat-completions=gpt-4-mock", "--model", "images=gpt-4o-image"],
    ],
  },
  {
    name: "openai-mock-api",
    packages: { "openai-mock-api": "0.4.0" },
    start: ({ port, here }) => [
      "node_modules/openai-mock-api/dist/cli.js",
      ...["--port", String(port), "--config", `${here}/openai-mock-api.yaml`],
    ],
    run: () => ["--preset", "vendors"],
  },
  gateway("musistudio-llms", "musistudio-llms", { "@musistudio/llms": "1.0.53" }, () => [
    ...["--model", "touchstone,any", "--lacks", "keys"],
  ]),
  gateway("nullplatform-chat", "nullplatform", nullplatform, () => ["--lacks", "keys"], {
    base: "/openai",
    as: "chat completions",
  }),
  gateway("nullplatform-messages", "nullplatform", nullplatform, () => ["--lacks", "keys"], {
    base: "/anthropic",
    as: "messages",
  }),
  gateway(
    "llmops-google",
    "llmops",
    { "@llmops/gateway": "0.6.10", "@hono/node-server": "1.13.8" },
    ({ upstream }) => [
      ...["--header", "x-llmops-provider: google", "--header", `x-llmops-custom-host: ${upstream}/v1beta`],
    ],
    { as: "in front of generate content" },
  ),
];
