/** A conversation of a vendor's SDK, saved from the page of a recording session, is one that a run can send. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { FunctionCallingConfigMode, GoogleGenAI, Type } from "@google/genai";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { readCassette } from "../cassette/read.ts";
import { namesFrom } from "../check/names.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { record, until } from "../record/recorder.test-kit.ts";
import { createReference, sdkHeaders } from "../reference/reference.ts";
import { utf8 } from "../wire/build.ts";
import { listen } from "../wire/listen.ts";

/** The reference, except that it gives each tool call an id that was never there before, and takes no other. */
async function strict(): Promise<string> {
  let base = "";
  const reference = createReference(await openCatalogue(), () => base, namesFrom(sdkHeaders));
  const given = new Set<string>();
  const server = await listen(async (request) => {
    const asked = Buffer.from(request.body).toString();
    for (const [, id] of asked.matchAll(/"(?:tool_call_id|tool_use_id)":"([^"]*)"/g))
      if (!given.has(id!)) {
        const error = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: `no ${id}` } });
        const headers = [["Content-Type", "application/json"]] as const;
        return { status: 400, headers, pieces: [{ bytes: utf8(error) }] };
      }
    const reply = await reference(request);
    const whole = Buffer.concat(reply.pieces.map(({ bytes }) => bytes)).toString();
    const ids = new Map<string, string>();
    const renamed = whole.replace(/"id":"(call|toolu)_([^"]*)"/g, (_, kind: string, old: string) => {
      const fresh = ids.get(old) ?? `${kind}_${randomBytes(12).toString("hex").slice(0, old.length)}`;
      ids.set(old, fresh);
      given.add(fresh);
      return `"id":"${fresh}"`;
    });
    return { ...reply, pieces: [{ bytes: utf8(renamed) }] };
  });
  onTestFinished(() => server.close());
  base = server.url;
  return server.url;
}

const question = "What is the weather in Paris?";
const schema = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const weatherOfGoogle = { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ["city"] };
const anyTool = { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } };
const weather = { name: "get_weather", description: "Weather of a city" };

/** Each asks, has a tool called, and gives its result. */
const conversations: Readonly<Record<string, (base: string) => Promise<unknown>>> = {
  async "chat-completions"(base) {
    const completions = new OpenAI({ baseURL: `${base}/v1`, apiKey: "key-4f9c2ab81d3e77" }).chat.completions;
    const tools = [{ type: "function" as const, function: { ...weather, parameters: schema } }];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
    const asked = { model: "chat-model", tools };
    const first = await completions.create({ ...asked, messages, tool_choice: "required" });
    const reply = first.choices[0]!.message;
    const results = reply.tool_calls!.map(({ id }) => ({ role: "tool" as const, tool_call_id: id, content: "18" }));
    return completions.create({ ...asked, messages: [...messages, reply, ...results], tool_choice: "none" });
  },
  async messages(base) {
    const { messages: api } = new Anthropic({ baseURL: base, apiKey: "key-4f9c2ab81d3e77" });
    const asked = { model: "messages-model", max_tokens: 256, tools: [{ ...weather, input_schema: schema }] };
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
    const { content } = await api.create({ ...asked, messages, tool_choice: { type: "any" } });
    const results = content.flatMap((block) =>
      block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "18" }] : [],
    );
    expect(results.length).toBeGreaterThan(0);
    const whole: Anthropic.MessageParam[] = [
      ...messages,
      { role: "assistant", content },
      { role: "user", content: results },
    ];
    return api.create({ ...asked, messages: whole });
  },
  async "generate-content"(base) {
    const { models } = new GoogleGenAI({ apiKey: "key-4f9c2ab81d3e77", httpOptions: { baseUrl: base } });
    const config = { tools: [{ functionDeclarations: [{ ...weather, parameters: weatherOfGoogle }] }] };
    const contents = [{ role: "user", parts: [{ text: question }] }];
    const first = await models.generateContent({
      model: "generate-model",
      contents,
      config: { ...config, toolConfig: anyTool },
    });
    const reply = first.candidates![0]!.content!;
    const call = first.functionCalls![0]!;
    const result = { role: "user", parts: [{ functionResponse: { name: call.name!, response: { output: "18" } } }] };
    return models.generateContent({ model: "generate-model", contents: [...contents, reply, result] as never, config });
  },
};

async function run(...args: string[]): Promise<{ code: number; document: { summary: Record<string, number> } }> {
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), "run", ...args, "--format", "json"]);
  let said = "";
  child.stdout.on("data", (bytes) => (said += bytes));
  const [code] = await once(child, "close");
  return { code, document: JSON.parse(said) };
}

test.each(Object.keys(conversations))(
  "a tool conversation over %s is saved, and a run of it is green, also where ids are never the same",
  async (of) => {
    const upstream = await strict();
    const session = await record(upstream, "--ui", "--preset", "vendors");
    await until(() => /\nlive page: \S+\n/.test(session.stdout()));
    const ui = new URL(/\nlive page: (\S+)\n/.exec(session.stdout())![1]!);
    await conversations[of]!(session.url);
    const folder = mkdtempSync(join(tmpdir(), "touchstone-saved-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const asked = { exchanges: [0, 1], interface: of, section: "tools", name: "saved" };
    const post = async (): Promise<Record<string, string>> =>
      (
        await fetch(new URL(`/save${ui.search}`, ui), {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(asked),
        })
      ).json() as Promise<Record<string, string>>;
    // It is written as soon as the keeper has it.
    let answered = await post();
    while (answered["path"] === undefined) {
      expect(answered["problem"]).toContain("is not in");
      answered = await post();
    }
    const { exchanges } = await readCassette(answered["path"]);
    const bound = exchanges.map(({ bind = [] }) => bind.map(({ from }) => from.exchange));
    expect(bound).toEqual([[], of === "generate-content" ? [] : [0, 0]]);
    const recordings = join(answered["path"], "..", "..", "..");
    for (const target of [[], [upstream, "--preset", "vendors"]]) {
      const { code, document } = await run(...target, "--recordings", recordings);
      expect([code, document.summary["exchanges"], document.summary["errors"]]).toEqual([0, 2, 0]);
    }
    expect(await session.end()).toBe(0);
  },
);
