/** What the Anthropic package makes of a target: whole, streamed, with tools, and refused. */
import type { ClientTrial } from "../../verdict/run-results.ts";
import { anywhere, compared, type Fetch, type Loose, type TrialOptions, tryOut } from "./trial.ts";

const messages = [{ role: "user", content: "What is the weather in Paris?" }];
const asked = { model: "messages-model", max_tokens: 256, messages };
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = {
  tools: [{ name: "get_weather", description: "Weather of a city", input_schema: schema }],
  tool_choice: { type: "any" },
};

/** @param sdk the package's module */
export async function tryAnthropic(sdk: Loose, options: TrialOptions): Promise<(ClientTrial | undefined)[]> {
  const client = (fetch: Fetch): Loose =>
    new sdk.Anthropic({ baseURL: anywhere, apiKey: "key", logLevel: "off", fetch }).messages;
  const attempt = (name: string, scenario: string, act: Parameters<typeof tryOut>[4], requests = 1) =>
    tryOut(name, scenario, "messages", options, act, { requests });
  const deltas = (events: readonly Loose[], member: string): string =>
    events.map(({ delta }) => delta?.[member] ?? "").join("");
  const calls = (given: Loose): Loose[] => given.content.filter(({ type }: Loose) => type === "tool_use");
  return [
    await attempt("anthropic", "text", async (fetch) => {
      const given = await client(fetch).create(asked);
      return Array.isArray(given.content) ? undefined : { drops: `no content, and no error: ${JSON.stringify(given)}` };
    }),
    await attempt("anthropic", "events", async (fetch, wire) => {
      const given: Loose[] = [];
      for await (const event of await client(fetch).create({ ...asked, stream: true })) given.push(event);
      const held = wire.events().filter(({ type }) => type !== "ping");
      return compared("events", given.length, held.length);
    }),
    await attempt("anthropic-stream", "text, streamed", async (fetch, wire) => {
      const given = await client(fetch).stream(asked).finalMessage();
      const text = given.content.map((block: Loose) => block.text ?? "").join("");
      return compared("text", text, deltas(wire.events(), "text"));
    }),
    await attempt("anthropic-stream", "tools, streamed", async (fetch, wire) => {
      const given = await client(fetch)
        .stream({ ...asked, ...tools })
        .finalMessage();
      const held = deltas(wire.events(), "partial_json");
      if (held === "") return { unshown: "the model called no tool" };
      const inputs = calls(given).map(({ input }) => JSON.stringify(input));
      return compared(
        "input",
        inputs.join(""),
        held.replace(/}\s*{/g, "}{").replace(/^{.*}$/s, (one) => minified(one)),
      );
    }),
    await attempt(
      "anthropic-agent-loop",
      "tools, round trip",
      async (fetch, wire) => {
        let ran = 0;
        const run = (): string => `${++ran} degrees`;
        const beta: Loose = new sdk.Anthropic({ baseURL: anywhere, apiKey: "key", logLevel: "off", fetch }).beta
          .messages;
        const tool = { ...tools.tools[0], type: "custom", run, parse: (input: unknown) => input };
        await beta.toolRunner({ ...asked, tools: [tool], tool_choice: { type: "any" }, max_iterations: 2 });
        const held = JSON.parse(wire.bodies[0] ?? "{}").content?.filter(({ type }: Loose) => type === "tool_use") ?? [];
        if (held.length === 0) return { unshown: "the model called no tool" };
        return ran >= held.length ? undefined : compared("calls that were run", ran, held.length);
      },
      2,
    ),
    await attempt("anthropic", "error", async (fetch) => {
      try {
        await client(fetch).create({ ...asked, temperature: 3 });
      } catch (error) {
        if ((error as Loose).status >= 400) return undefined;
        throw error;
      }
      return { drops: "no error came of temperature 3" };
    }),
  ];
}

/** One JSON text without spaces; as it is where it is none. */
function minified(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
