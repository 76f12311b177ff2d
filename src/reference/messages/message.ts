/** Composes the reference implementation's message: the same request always gets the same one. */

import { remember, type Subject } from "../../check/subject.ts";
import { choiceOf, type DeclaredTool, declaredTools } from "../../interfaces/messages/tools.ts";
import { isObject } from "../../wire/json.ts";
import { mediaTokens } from "../answer.ts";
import { directivesIn, namedIn, stableId, tokensIn } from "../directives.ts";
import { sampleOf } from "../sample.ts";

type Data = Record<string, unknown>;

export interface Message {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: unknown;
  readonly content: readonly Data[];
  readonly stop_reason: "end_turn" | "max_tokens" | "stop_sequence" | "tool_use";
  readonly stop_sequence: string | null;
  readonly usage: Readonly<Record<string, number>>;
}

interface Prompt {
  /** The last user text without its directives. */
  readonly text: string;
  readonly directives: ReadonlyMap<string, string>;
  /** The text the assistant's last message holds, where that is the last of all. */
  readonly begun: string | undefined;
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = (Array.isArray(content) ? (content as unknown[]) : []).flatMap((block) =>
    isObject(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
  return texts.join("\n");
}

function readPrompt(subject: Subject): Prompt {
  const { messages } = subject.requestJson;
  const all = (Array.isArray(messages) ? (messages as unknown[]) : []).filter(isObject);
  const last = all.at(-1);
  const asked = contentText(all.findLast(({ role }) => role === "user")?.["content"]);
  return {
    text: asked.replace(/\[\[[^\]]*\]\]/g, "").trim(),
    directives: directivesIn(asked),
    begun: last?.["role"] === "assistant" ? contentText(last["content"]) : undefined,
  };
}

/** The caller's prompt to the reference implementation. */
export const promptOf: (subject: Subject) => Prompt = remember(readPrompt);

const builtInInputs: Readonly<Record<string, Data>> = {
  computer: { action: "screenshot" },
  bash: { command: "ls" },
  str_replace_editor: { command: "view", path: "/" },
};

function callOf(tool: DeclaredTool, seed: string, position: number): Data {
  const sample = tool.custom ? sampleOf(tool.inputSchema) : builtInInputs[tool.name];
  return {
    type: "tool_use",
    id: stableId("toolu_", `${seed} ${position}`),
    name: tool.name,
    input: isObject(sample) ? sample : {},
  };
}

/** The tools this reply calls: as the choice demands, as the `call` directive asks, or as the user names them. */
function calledTools(subject: Subject): readonly DeclaredTool[] {
  const { tools } = declaredTools(subject);
  const choice = choiceOf(subject);
  const { directives, text } = promptOf(subject);
  const asked = directives.get("call");
  const names =
    asked === undefined
      ? namedIn(
          text,
          tools.map(({ name }) => name),
        )
      : asked.split(",");
  const named = tools.filter(({ name }) => names.includes(name));
  const wanted = asked === "" ? tools.slice(0, 1) : named;
  const must = choice?.type === "tool" ? tools.filter(({ name }) => name === choice.name) : tools;
  const called =
    !choice || choice.type === "auto" ? wanted : choice.type === "any" && wanted.length > 0 ? wanted : must.slice(0, 1);
  return choice?.single ? called.slice(0, 1) : called;
}

/** A text that begins a JSON object of texts and breaks off where the text of a member begins. */
const opensJson = /^\s*\{(?:\s*"[^"\\]*"\s*:\s*"[^"\\]*"\s*,)*\s*"[^"\\]*"\s*:\s*"$/;

function plainText({ text, directives, begun }: Prompt): string {
  if (directives.has("say")) return directives.get("say")!;
  const count = Number(directives.get("words") ?? "");
  if (Number.isInteger(count) && count > 0)
    return Array.from({ length: Math.min(count, 100_000) }, (_, i) => `word${i + 1}`).join(" ");
  if (begun !== undefined && opensJson.test(begun)) return 'and so it goes on"}';
  if (begun !== undefined) return `${/\s$/.test(begun) ? "" : " "}and so it goes on.`;
  return text === "" ? "What can I do for you?" : `You said: ${text}`;
}

interface Stop {
  readonly text: string;
  readonly sequence: string | null;
}

/** Cuts a text where the first of the stop sequences begins; the `stop` directive has it generated at the end. */
function untilStop(text: string, subject: Subject): Stop {
  const asked = subject.requestJson["stop_sequences"];
  const sequences = (Array.isArray(asked) ? (asked as unknown[]) : []).filter(
    (one): one is string => typeof one === "string" && one !== "",
  );
  const whole = promptOf(subject).directives.has("stop") ? text + (sequences[0] ?? "") : text;
  let stop: Stop = { text: whole, sequence: null };
  for (const sequence of sequences) {
    const at = whole.indexOf(sequence);
    if (at >= 0 && (stop.sequence === null || at < stop.text.length)) stop = { text: whole.slice(0, at), sequence };
  }
  return stop;
}

const tokenCount = (value: unknown): number => Math.max(1, tokensIn(JSON.stringify(value) ?? "").length);

/** Blocks within the token limit, and what the whole costs. */
function withinLimit(blocks: readonly Data[], limit: number): { content: Data[]; spent: number; cut: boolean } {
  const content: Data[] = [];
  let spent = 0;
  for (const block of blocks) {
    const text = block["type"] === "text" ? String(block["text"]) : undefined;
    const tokens = text === undefined ? [] : tokensIn(text);
    const cost = text === undefined ? tokenCount(block) : tokens.length;
    if (spent + cost <= limit) {
      content.push(block);
      spent += cost;
      continue;
    }
    const kept = tokens.slice(0, limit - spent).join("");
    if (kept !== "") content.push({ type: "text", text: kept });
    return { content, spent: limit, cut: true };
  }
  return { content, spent: Math.max(1, spent), cut: false };
}

const mediaBlocks = new Set(["image", "document"]);

/** A text as one block, or as two where that is asked for. */
function textBlocks(text: string, { directives }: Prompt): readonly Data[] {
  if (text === "") return [];
  const tokens = tokensIn(text);
  if (!directives.has("blocks") || tokens.length < 2) return [{ type: "text", text }];
  const half = tokens.length >> 1;
  return [tokens.slice(0, half), tokens.slice(half)].map((some) => ({ type: "text", text: some.join("") }));
}

/** The message that answers a request; without a bound on its tokens it is of any length. */
export function composeMessage(subject: Subject): Message {
  const body = subject.requestJson;
  const seed = subject.request.body.kind === "json" ? subject.request.body.text() : "";
  const prompt = promptOf(subject);
  const calls = calledTools(subject).map((tool, i) => callOf(tool, seed, i));
  const { text, sequence } =
    calls.length > 0 || prompt.directives.has("empty")
      ? { text: "", sequence: null }
      : untilStop(plainText(prompt), subject);
  const thinks = isObject(body["thinking"]) && body["thinking"]["type"] === "enabled" && prompt.directives.has("think");
  const blocks: Data[] = [
    ...(thinks ? [{ type: "thinking", thinking: "The caller wants me to think aloud.", signature: "c2lnbmVk" }] : []),
    ...textBlocks(text, prompt),
    ...(calls.length > 0 && choiceOf(subject) === undefined ? [{ type: "text", text: "Let me use a tool." }] : []),
    ...calls,
  ];
  const bound = body["max_tokens"];
  const { content, spent, cut } = withinLimit(blocks, typeof bound === "number" ? bound : Number.POSITIVE_INFINITY);
  return {
    id: stableId("msg_", seed),
    type: "message",
    role: "assistant",
    model: body["model"],
    content,
    stop_reason: cut ? "max_tokens" : calls.length > 0 ? "tool_use" : sequence === null ? "end_turn" : "stop_sequence",
    stop_sequence: cut ? null : sequence,
    usage: {
      input_tokens:
        tokenCount([body["system"], body["tools"], body["messages"]]) + mediaTokens(body["messages"], mediaBlocks),
      output_tokens: spent,
      cache_creation_input_tokens: tokenCount(body["system"]),
      cache_read_input_tokens: tokenCount(body["tools"]),
    },
  };
}
