/** Tries the Anthropic package with a target: whole, streamed, with tools, and refused. */
import type { ClientTrial } from "../../verdict/run-results.ts";
import { heldByMessages, messageCalls, messageText } from "./held.ts";
import {
  anywhere,
  compared,
  comparedEach,
  comparedText,
  type Fetch,
  forcedOnce,
  type Loose,
  objectsIn,
  parsed,
  type TrialOptions,
  tryOut,
  withoutError,
  wrongText,
} from "./trial.ts";

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
  const endIn = (events: readonly Loose[]): unknown =>
    events.findLast((event) => event?.delta?.stop_reason)?.delta.stop_reason;
  const calls = (given: Loose): Loose[] => given.content.filter(({ type }: Loose) => type === "tool_use");
  return [
    await attempt("anthropic", "text", async (fetch, wire) => {
      const given = await client(fetch).create(asked);
      if (/"content"\s*:\s*\[\s*\]/.test(wire.bodies[0] ?? "")) return { unshown: "the model said nothing" };
      // A caller usually writes this next.
      const { type, text } = given.content[0];
      return type === undefined || type === "text" ? wrongText("content[0].text", text) : undefined;
    }),
    await attempt("anthropic", "events", async (fetch, wire) => {
      const given: Loose[] = [];
      let text = "";
      for await (const event of await client(fetch).create({ ...asked, stream: true })) {
        // A caller usually writes this next.
        if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
        given.push(event);
      }
      const held = wire.events();
      return comparedText(text, messageText(held)) ?? compared("end", endIn(given), endIn(held));
    }),
    await attempt("anthropic-stream", "text, streamed", async (fetch, wire) => {
      const given = await client(fetch).stream(asked).finalMessage();
      const text = given.content.map((block: Loose) => block.text ?? "").join("");
      return comparedText(text, messageText(wire.events()));
    }),
    await attempt("anthropic-stream", "tools, streamed", async (fetch, wire) => {
      const given = await client(fetch)
        .stream({ ...asked, ...tools })
        .finalMessage();
      const held = messageCalls(wire.events());
      if (held.length === 0) return { unshown: "the model called no tool" };
      const inputs = calls(given).map(({ input }) => JSON.stringify(input));
      return comparedEach(
        "inputs",
        inputs,
        held.map(({ input }) => input),
      );
    }),
    await attempt(
      "anthropic-agent-loop",
      "tools, round trip",
      async (fetch, wire) => {
        let ran = 0;
        const run = (): string => `${++ran} degrees`;
        const once = forcedOnce(fetch, tools.tool_choice);
        const options = { baseURL: anywhere, apiKey: "key", logLevel: "off", fetch: once };
        const beta: Loose = new sdk.Anthropic(options).beta.messages;
        const tool = { ...tools.tools[0], type: "custom", run, parse: (input: unknown) => input };
        await beta.toolRunner({ ...asked, ...tools, tools: [tool], max_iterations: 2 });
        const first = parsed(wire.bodies[0]);
        const held = objectsIn(first?.content).filter(({ type }) => type === "tool_use");
        if (held.length === 0) return { unshown: "the model called no tool" };
        if (first.stop_reason === "max_tokens") return { unshown: "the answer was cut at its bound" };
        if (ran < held.length) return compared("calls that were run", ran, held.length);
        const second = parsed(wire.bodies[1]);
        if (second?.stop_reason === "tool_use") return { unshown: "the model called again behind the result" };
        return heldByMessages.text(second) === "" ? { unshown: "the model said nothing behind the result" } : undefined;
      },
      2,
    ),
    await attempt("anthropic", "error", async (fetch, wire) => {
      try {
        await client(fetch).create({ ...asked, temperature: 3 });
      } catch (error) {
        if ((error as Loose).status >= 400) return undefined;
        throw error;
      }
      return withoutError("temperature 3", wire);
    }),
  ];
}
