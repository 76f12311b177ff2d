/** The servers of others that the suite is tried on: what to install, how each is started, and what a run has to know of it. */

export interface Server {
  readonly name: string;
  /** Packages with their exact versions; the first is shown in the table. */
  readonly packages: Readonly<Record<string, string>>;
  /** Whether it stands in front of the embedded reference. */
  readonly inFront?: boolean;
  /** Arguments of node, from the folder in which the packages are installed. */
  start(at: { readonly port: number; readonly here: string }): readonly string[];
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
    // It answers messages for a provider of that interface alone, and knows no path of generate content.
    ...["--lacks", "messages,generate-content"],
  ],
});

export const servers: readonly Server[] = [
  {
    name: "aimock",
    packages: { "@copilotkit/aimock": "1.43.0" },
    start: ({ port, here }) => [
      "node_modules/@copilotkit/aimock/dist/cli.js",
      ...["--port", String(port), "--fixtures", `${here}/aimock-fixtures.json`, "--log-level", "warn"],
    ],
    // Its variations answer 404, as the vendor's do since it took them away.
    run: () => ["--preset", "vendors", "--lacks", "images/variations"],
  },
  portkey("1.13.8", "portkey"),
  portkey("1.19.19", "portkey-newer-server"),
  {
    name: "mock-llm",
    packages: { "@dwmkerr/mock-llm": "0.1.29" },
    start: () => ["node_modules/@dwmkerr/mock-llm/dist/main.js"],
    run: () => ["--preset", "vendors", "--lacks", "images,messages,generate-content"],
    byChance: {
      "chat-completions.response.id-unique": "Its ids are the time in milliseconds, which two replies may share.",
    },
  },
  {
    name: "openai-api-mock",
    packages: { "openai-api-mock": "0.4.0" },
    // It answers inside a process: a small server puts what it says on the wire.
    start: ({ port, here }) => [`${here}/in-process.mjs`, String(port)],
    run: () => ["--preset", "vendors", "--lacks", "messages,generate-content,images/edits,images/variations"],
  },
];
