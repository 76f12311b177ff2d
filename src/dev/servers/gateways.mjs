/**
 * Starts a gateway that comes without a command of its own, in front of an upstream: `gateways.mjs NAME PORT UPSTREAM`. It runs as a copy in the
 * folder in which the gateway is installed, whose packages it imports.
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [name, port, upstream] = process.argv.slice(2);

const starts = {
  async "musistudio-llms"() {
    // Its module for imports asks for what only required ones have.
    const { default: Server } = createRequire(import.meta.url)("@musistudio/llms");
    // A request names it in front of its model and a comma.
    const provider = {
      name: "touchstone",
      api_base_url: `${upstream}/v1/chat/completions`,
      api_key: "any-key",
      models: [],
    };
    await new Server({
      initialConfig: { PORT: port, HOST: "127.0.0.1", providers: [provider] },
      logger: false,
    }).start();
  },
  async llmops() {
    const [{ default: app }, { serve }] = [await import("@llmops/gateway"), await import("@hono/node-server")];
    serve({ fetch: app.fetch, port: Number(port), hostname: "127.0.0.1" });
  },
  async nullplatform() {
    const { GatewayServer } = await import("@nullplatform/llm-gateway");
    // It asks again, a second later, also what was refused as wrong.
    const patience = { retryAttempts: 1, retryDelay: 1 };
    const own = { baseUrl: `${upstream}/v1`, apiKey: "any-key", bypassModel: true, ...patience };
    const provider = { type: "openai", config: own };
    const config = {
      server: { port: Number(port), host: "127.0.0.1" },
      models: [{ name: "any", isDefault: true, provider }],
      plugins: [{ name: "route", type: "model-router", config: { model: "any" } }],
      logging: { level: "error" },
    };
    writeFileSync("gateway.json", JSON.stringify(config));
    await new GatewayServer("gateway.json").start();
  },
};

await starts[name]();
