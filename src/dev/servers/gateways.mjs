/**
 * Starts a gateway that has to be configured, in front of an upstream: `gateways.mjs NAME PORT UPSTREAM [INTERFACE]`. It runs as a copy in the
 * folder in which the gateway is installed, whose packages it imports.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [name, port, upstream, to = "chat-completions"] = process.argv.slice(2);

/** A provider of musistudio's, by the interface that it speaks. */
const provider = {
  "chat-completions": { api_base_url: `${upstream}/v1/chat/completions` },
  "generate-content": { api_base_url: `${upstream}/v1beta/models/`, transformer: { use: ["gemini"] } },
};

const starts = {
  async "musistudio-llms"() {
    // Its module for imports asks for what only required ones have.
    const { default: Server } = createRequire(import.meta.url)("@musistudio/llms");
    // A request names it in front of its model and a comma.
    const named = { name: "touchstone", api_key: "any-key", models: [], ...provider[to] };
    await new Server({ initialConfig: { PORT: port, HOST: "127.0.0.1", providers: [named] }, logger: false }).start();
  },
  async "claude-code-router"() {
    // It reads its configuration below the home of the user, and listens as soon as it is imported.
    const home = `${process.cwd()}/home-${port}`;
    mkdirSync(`${home}/.claude-code-router`, { recursive: true });
    const config = {
      ...{ HOST: "127.0.0.1", PORT: Number(port), LOG: false, NON_INTERACTIVE_MODE: true },
      Providers: [{ name: "touchstone", api_key: "any-key", models: ["any"], ...provider[to] }],
      Router: { default: "touchstone,any" },
    };
    writeFileSync(`${home}/.claude-code-router/config.json`, JSON.stringify(config));
    process.env.HOME = home;
    process.argv.splice(2, process.argv.length, "start");
    createRequire(import.meta.url)("@musistudio/claude-code-router/dist/cli.js");
  },
  async llmops() {
    const [{ default: app }, { serve }] = [await import("@llmops/gateway"), await import("@hono/node-server")];
    serve({ fetch: app.fetch, port: Number(port), hostname: "127.0.0.1" });
  },
  async nullplatform() {
    const { GatewayServer } = await import("@nullplatform/llm-gateway");
    // It asks again, a second later, also what was refused as wrong.
    const patience = { retryAttempts: 1, retryDelay: 1 };
    const [type, baseUrl] = to === "messages" ? ["anthropic", upstream] : ["openai", `${upstream}/v1`];
    const own = { baseUrl, apiKey: "any-key", bypassModel: true, ...patience };
    const config = {
      server: { port: Number(port), host: "127.0.0.1" },
      models: [{ name: "any", isDefault: true, provider: { type, config: own } }],
      plugins: [{ name: "route", type: "model-router", config: { model: "any" } }],
      logging: { level: "error" },
    };
    const file = `gateway-${port}.json`;
    writeFileSync(file, JSON.stringify(config));
    await new GatewayServer(file).start();
  },
};

await starts[name]();
