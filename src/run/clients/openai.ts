/** What the openai package makes of a target: whole, streamed, with tools, parsed, and refused. */
import type { ClientTrial } from "../../verdict/run-results.ts";
import { anywhere, compared, type Fetch, type Loose, type TrialOptions, tryOut } from "./trial.ts";

const model = "chat-model";
const messages = [{ role: "user", content: "What is the weather in Paris?" }];
const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const weather = { name: "get_weather", description: "Weather of a city", parameters };
const tools = { tools: [{ type: "function", function: weather }], tool_choice: "required" };
const format = { type: "json_schema", json_schema: { name: "answer", strict: true, schema: parameters } };

const clientOf = (sdk: Loose, fetch: Fetch): Loose =>
  new sdk.OpenAI({ baseURL: `${anywhere}/v1`, apiKey: "key", logLevel: "off", fetch });

/** @param sdk the package's module */
export async function tryOpenai(sdk: Loose, options: TrialOptions): Promise<(ClientTrial | undefined)[]> {
  const chat = (fetch: Fetch): Loose => clientOf(sdk, fetch).chat.completions;
  const attempt = (client: string, scenario: string, act: Parameters<typeof tryOut>[4], requests = 1) =>
    tryOut(client, scenario, "chat-completions", options, act, { requests });
  const deltas = (events: readonly Loose[]): Loose[] =>
    events.flatMap(({ choices }) => (Array.isArray(choices) ? choices : [])).map(({ delta }) => delta ?? {});
  return [
    await attempt("openai", "text", async (fetch) => {
      const given = await chat(fetch).create({ model, messages });
      return given.choices?.[0]?.message ? undefined : { drops: `no choice, and no error: ${JSON.stringify(given)}` };
    }),
    await attempt("openai", "chunks", async (fetch, wire) => {
      const given: Loose[] = [];
      for await (const chunk of await chat(fetch).create({ model, messages, stream: true })) given.push(chunk);
      return compared("chunks", given.length, wire.events().length);
    }),
    await attempt("openai-stream", "text, streamed", async (fetch, wire) => {
      const given = await chat(fetch).stream({ model, messages }).finalChatCompletion();
      const held = deltas(wire.events()).map(({ content }) => content ?? "");
      return compared("text", given.choices[0].message.content ?? "", held.join(""));
    }),
    await attempt("openai-stream", "tools, streamed", async (fetch, wire) => {
      const given = await chat(fetch)
        .stream({ model, messages, ...tools })
        .finalChatCompletion();
      const pieces = deltas(wire.events()).flatMap(({ tool_calls: calls }) => (Array.isArray(calls) ? calls : []));
      const begun = new Set(pieces.filter((one) => one.function?.name).map(({ id, index }) => id ?? index));
      if (pieces.length === 0) return { unshown: "the model called no tool" };
      const calls: Loose[] = given.choices[0].message.tool_calls ?? [];
      return (
        compared("calls", calls.length, begun.size) ??
        compared(
          "arguments",
          calls.map((one) => one.function.arguments).join(""),
          pieces.map((one) => one.function?.arguments ?? "").join(""),
        )
      );
    }),
    await attempt("openai-parse", "structured output", async (fetch) => {
      const given = await chat(fetch).parse({ model, messages, response_format: format });
      return given.choices[0].message.parsed ? undefined : { drops: "nothing was parsed" };
    }),
    await attempt(
      "openai-agent-loop",
      "tools, round trip",
      async (fetch, wire) => {
        const asked: unknown[] = [];
        const run = (given: unknown): string => String(asked.push(given));
        const tool = { ...weather, function: run, parse: JSON.parse };
        const body = { model, messages, tools: [{ type: "function", function: tool }] };
        const runner = chat(fetch).runTools({ ...body, tool_choice: "required" }, { maxChatCompletions: 2 });
        await runner.done();
        const held = JSON.parse(wire.bodies[0] ?? "{}").choices?.[0]?.message?.tool_calls ?? [];
        if (held.length === 0) return { unshown: "the model called no tool" };
        return asked.length >= held.length ? undefined : compared("calls that were run", asked.length, held.length);
      },
      2,
    ),
    await attempt("openai", "error", async (fetch) => {
      try {
        await chat(fetch).create({ model, messages, temperature: 3 });
      } catch (error) {
        if ((error as Loose).status >= 400) return undefined;
        throw error;
      }
      return { drops: "no error came of temperature 3" };
    }),
  ];
}

/** @param sdk the package's module */
export async function tryOpenaiImages(sdk: Loose, options: TrialOptions): Promise<(ClientTrial | undefined)[]> {
  const asked = { model: "image-v2", prompt: "A red circle", size: "256x256", response_format: "b64_json" };
  return [
    await tryOut("openai", "image", "images", options, async (fetch, wire) => {
      const given = await clientOf(sdk, fetch).images.generate(asked);
      const held = JSON.parse(wire.bodies[0] ?? "{}").data ?? [];
      if (!(held.length > 0)) return { drops: "no image, and no error" };
      return compared("images", given.data?.length ?? 0, held.length);
    }),
  ];
}
