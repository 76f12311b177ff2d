/** Writes what a request asks as a request of messages. */
import { jsonRequest } from "../../../wire/build.ts";
import type { WireRequest } from "../../../wire/exchange.ts";
import { withLinks } from "../../common/facts/links.ts";
import type { MediaPart, Part, RequestFacts, ResultPart, ToolChoice, Turn } from "../../common/facts/model.ts";
import { present } from "../../common/facts/read.ts";
import { argumentsObject, budgetOf, wideSchema, writeSettings } from "../../common/facts/write.ts";

type Json = Record<string, unknown>;

/** The least budget that the document allows. */
const minBudget = 1_024;

const marks = { cache_control: { type: "ephemeral" } };

function mediumBlock({ kind, mediaType, data, opaque }: MediaPart): Json | undefined {
  if (opaque) return { type: kind, source: opaque };
  if (data === undefined || (kind !== "image" && kind !== "document")) return undefined;
  const source =
    mediaType === "text/plain"
      ? { type: "text", media_type: mediaType, data: Buffer.from(data, "base64").toString("utf8") }
      : { type: "base64", media_type: mediaType ?? "application/pdf", data };
  return { type: kind, source };
}

const textBlock = (text: string): Json | undefined => (text === "" ? undefined : { type: "text", text });

function resultBlock({ id, content, value, isError }: ResultPart): Json {
  const blocks = present(content.map(markedBlock));
  const [only, ...more] = blocks;
  const isText = more.length === 0 && (!only || isPlainText(only));
  return {
    type: "tool_result",
    tool_use_id: id ?? "",
    content: value ? JSON.stringify(value) : isText ? String(only?.["text"] ?? "") : blocks,
    ...(isError !== undefined && { is_error: isError }),
  };
}

/** A block; undefined for what the interface has no word for. */
function blockOf(part: Part): Json | undefined {
  switch (part.kind) {
    case "text":
    case "refusal":
      return textBlock(part.text);
    case "call":
      return { type: "tool_use", id: part.id, name: part.name, input: argumentsObject(part.arguments) };
    case "result":
      return resultBlock(part);
    case "image":
    case "document":
      return mediumBlock(part);
    default:
      return undefined;
  }
}

function markedBlock(part: Part): Json | undefined {
  const block = blockOf(part);
  return block && "cache" in part && part.cache ? { ...block, ...marks } : block;
}

/** Turns of one role in a row are one; results of tools come first in theirs. */
function messagesOf(turns: readonly Turn[]): readonly Json[] {
  const merged: { role: string; blocks: Json[] }[] = [];
  for (const { role, parts } of withLinks(turns)) {
    const blocks = [...present(parts.map(markedBlock))];
    if (blocks.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else merged.push({ role, blocks });
  }
  return merged.map(({ role, blocks }) => {
    const results = blocks.filter(({ type }) => type === "tool_result");
    const ordered = [...results, ...blocks.filter(({ type }) => type !== "tool_result")];
    const [only, ...more] = ordered;
    return { role, content: more.length === 0 && isPlainText(only) ? only!["text"] : ordered };
  });
}

const isPlainText = (block: Json | undefined): boolean => block?.["type"] === "text" && !("cache_control" in block);

function choiceOf(choice: ToolChoice | undefined, parallel: boolean | undefined): Json | undefined {
  const single = parallel === undefined ? {} : { disable_parallel_tool_use: !parallel };
  if (choice?.mode === "required") return { type: "any", ...single };
  if (choice?.mode === "named")
    return choice.names?.length === 1 ? { type: "tool", name: choice.names[0], ...single } : { type: "any", ...single };
  if (choice?.mode === "auto" || (parallel === false && choice?.mode !== "none")) return { type: "auto", ...single };
  return undefined;
}

/** Tools that may be called; where none may, leaving them out says so. */
function toolsOf({ tools, choice, settings }: RequestFacts): readonly Json[] | undefined {
  if (choice?.mode === "none") return undefined;
  const allowed = choice?.mode === "named" && (choice.names?.length ?? 0) > 1 ? new Set(choice.names) : undefined;
  const custom = (tools ?? [])
    .filter(({ name }) => allowed?.has(name) ?? true)
    .map(
      ({ name, description, parameters, cache }): Json => ({
        name,
        ...(description !== undefined && { description }),
        input_schema: wideSchema(parameters) ?? { type: "object", properties: {} },
        ...(cache && marks),
      }),
    );
  const builtIn = settings["tools.built-in"];
  const all = [...custom, ...(Array.isArray(builtIn) ? (builtIn as Json[]) : [])];
  return all.length > 0 ? all : undefined;
}

/** The request, without a key. */
export function writeRequest(facts: RequestFacts): WireRequest {
  const { model, system, turns, choice, parallel, thinking, stream } = facts;
  const tools = toolsOf(facts);
  const chosen = choiceOf(choice, tools ? parallel : undefined);
  const body: Json = {
    model,
    messages: messagesOf(turns),
    ...(system.length > 0 && { system: system.join("\n\n") }),
    ...(tools && { tools }),
    ...(chosen && { tool_choice: chosen }),
    ...(stream && { stream: true }),
  };
  writeSettings(body, "messages", facts);
  if (thinking) {
    const budget_tokens = Math.max(minBudget, budgetOf(thinking));
    body["thinking"] = thinking.on ? { type: "enabled", budget_tokens } : { type: "disabled" };
    // The budget counts towards the bound, and has to lie below it.
    if (thinking.on && Number(body["max_tokens"]) <= budget_tokens) body["max_tokens"] = budget_tokens + 1_024;
  }
  const { user_id } = (body["metadata"] ?? {}) as Json;
  if (typeof user_id === "string") body["metadata"] = { user_id: user_id.slice(0, 256) };
  return jsonRequest("/v1/messages", [["partner-version", "2023-06-01"]], body);
}
