/** Calls of the official SDK, through `touchstone record` before `touchstone serve`, both by one document. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { check } from "../../index.ts";
import { startCommand } from "./commands.ts";

const model = "a-model";
const apiKey = "sk-0123456789";
const hello = { role: "user", content: "Hello" } as const;
const weather = { type: "object", properties: { city: { type: "string" } } } as const;

/** Counts what a stream brings. */
async function count(stream: AsyncIterable<unknown>): Promise<number> {
  let items = 0;
  for await (const _ of stream) items++;
  if (items === 0) throw new Error("the stream brought nothing");
  return items;
}

interface Call {
  /** Method and path of the document. */
  readonly operation: string;
  readonly what: string;
  readonly make: (client: OpenAI) => Promise<unknown>;
}

const calls: readonly Call[] = [
  {
    operation: "POST /v1/chat/completions",
    what: "a reply",
    make: ({ chat }) => chat.completions.create({ model, messages: [hello] }),
  },
  {
    operation: "POST /v1/chat/completions",
    what: "a stream",
    make: async ({ chat }) =>
      count(
        await chat.completions.create({
          model,
          messages: [hello],
          stream: true,
          stream_options: { include_usage: true },
        }),
      ),
  },
  {
    operation: "POST /v1/chat/completions",
    what: "tools, a picture and a schema",
    make: ({ chat }) =>
      chat.completions.create({
        model,
        messages: [
          { role: "system", content: "Answer briefly." },
          {
            role: "user",
            content: [
              { type: "text", text: "Where is this?" },
              { type: "image_url", image_url: { url: "https://example.com/a.png" } },
            ],
          },
          {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } }],
          },
          { role: "tool", tool_call_id: "call_1", content: "sunny" },
        ],
        tools: [{ type: "function", function: { name: "weather", parameters: weather } }],
        tool_choice: "auto",
        response_format: { type: "json_schema", json_schema: { name: "place", schema: weather } },
        temperature: 0.5,
        stop: ["end"],
      }),
  },
  {
    operation: "POST /v1/embeddings",
    what: "a text",
    make: ({ embeddings }) => embeddings.create({ model, input: "Hello", encoding_format: "float" }),
  },
  {
    operation: "POST /v1/embeddings",
    what: "several texts",
    make: ({ embeddings }) =>
      embeddings.create({ model, input: ["Hello", "Goodbye"], encoding_format: "float", dimensions: 4 }),
  },
  {
    operation: "POST /v1/moderations",
    what: "a text",
    make: ({ moderations }) => moderations.create({ input: "Hello" }),
  },
  {
    operation: "POST /v1/moderations",
    what: "a text and a picture",
    make: ({ moderations }) =>
      moderations.create({
        model: "omni-moderation-latest",
        input: [
          { type: "text", text: "Hello" },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
        ],
      }),
  },
  { operation: "GET /v1/models", what: "all", make: ({ models }) => models.list() },
  { operation: "GET /v1/models/{model}", what: "one", make: ({ models }) => models.retrieve("a-model") },
  {
    operation: "POST /v1/completions",
    what: "a reply",
    make: ({ completions }) => completions.create({ model, prompt: "Hello", max_tokens: 5 }),
  },
  {
    operation: "POST /v1/responses",
    what: "a reply",
    make: ({ responses }) => responses.create({ model, input: "Hello" }),
  },
  {
    operation: "POST /v1/responses",
    what: "a stream",
    make: async ({ responses }) => count(await responses.create({ model, input: "Hello", stream: true })),
  },
  {
    operation: "POST /v1/responses",
    what: "tools and a picture",
    make: ({ responses }) =>
      responses.create({
        model,
        instructions: "Answer briefly.",
        input: [
          {
            role: "user",
            content: [
              { type: "input_text", text: "Where is this?" },
              { type: "input_image", image_url: "https://example.com/a.png", detail: "auto" },
            ],
          },
          { type: "function_call", call_id: "call_1", name: "weather", arguments: "{}" },
          { type: "function_call_output", call_id: "call_1", output: "sunny" },
        ],
        tools: [{ type: "function", name: "weather", parameters: weather, strict: false }],
        reasoning: { effort: "low" },
        text: { format: { type: "text" } },
      }),
  },
  {
    operation: "GET /v1/responses/{response_id}",
    what: "one",
    make: ({ responses }) => responses.retrieve("resp_1"),
  },
];

/**
 * Makes all calls.
 * @param document path of the document that describes them
 * @returns what went wrong, in sentences, and how many calls were made
 */
export async function trySdk(document: string): Promise<{ readonly problems: string[]; readonly made: number }> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-sdk-"));
  const tape = join(folder, "session.jsonl");
  const common = ["--documents", document, "--listen", "127.0.0.1:0"];
  const problems: string[] = [];
  try {
    const server = await startCommand(["serve", ...common]);
    const recorder = await startCommand(["record", server.url, ...common, "--out", tape]);
    const client = new OpenAI({ apiKey, baseURL: `${recorder.url}/v1`, maxRetries: 0 });
    for (const { operation, what, make } of calls)
      try {
        await make(client);
      } catch (error) {
        problems.push(`the SDK threw at ${operation}, ${what}: ${(error as Error).message}`);
      }
    // This one is to be noticed: a request without its model.
    await fetch(`${recorder.url}/v1/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ input: "Hello" }),
    });
    await recorder.end();
    await server.end();
    const { findings, operations } = await check(tape, { documents: [document] });
    const exchanges = operations.reduce((sum, one) => sum + one.exchanges, 0);
    if (exchanges !== calls.length + 1) problems.push(`${exchanges} of ${calls.length + 1} exchanges were recorded`);
    const seen = new Set(operations.filter(({ known }) => known).map(({ operation }) => operation));
    for (const operation of new Set(calls.map((call) => call.operation)))
      if (!seen.has(operation)) problems.push(`${operation} was not judged as itself`);
    const errors = findings.filter(({ level }) => level === "error");
    const [planted, ...others] = [...errors].sort((a, b) => b.exchange - a.exchange);
    if (planted?.exchange !== calls.length) problems.push("a request without its model was not noticed");
    else for (const { message, exchange } of others) problems.push(`${calls[exchange]?.operation}: ${message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { problems, made: calls.length };
}
