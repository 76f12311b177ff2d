/** Calls of the tools that a request offers, with canaries in their arguments. */
import { sampleOf } from "../reference/sample.ts";
import type { SpeechPart } from "./speech.ts";
import type { OfferedTool } from "./voice.ts";

/** A value with each sample text in it replaced by a word. */
function filled(value: unknown, next: () => string): unknown {
  if (typeof value === "string") return /^text?\.*$/.test(value) ? next() : value;
  if (Array.isArray(value)) return value.map((one) => filled(one, next));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, next)]));
}

/** A schema with its types in lower case, as JSON Schema has them. */
function lowered(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowered);
  if (typeof schema !== "object" || schema === null) return schema;
  const lower = (name: string, member: unknown): unknown =>
    name === "type" && typeof member === "string" ? member.toLowerCase() : lowered(member);
  return Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, lower(name, member)]));
}

/** Arguments for a tool as JSON: what its schema asks for, texts made of words. @param words from which on they are taken */
export function argumentsFor({ schema }: OfferedTool, words: readonly string[]): string {
  let at = 0;
  const sample = filled(sampleOf(lowered(schema)), () => `${words[at++ % words.length]} ${words[at % words.length]}`);
  return JSON.stringify(typeof sample === "object" && sample !== null && !Array.isArray(sample) ? sample : {});
}

/** A text cut into pieces of so many characters. */
export function inPieces(text: string, size: number): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, i) =>
    characters.slice(i * size, (i + 1) * size).join(""),
  );
}

/** The source of calls. */
interface CallSource {
  readonly tools: readonly OfferedTool[];
  readonly words: readonly string[];
}

/** One call of the tool at a position; of the last one where there are fewer. @param size characters of a piece */
export function callPart({ tools, words }: CallSource, at = 0, size = 9): SpeechPart {
  const tool = tools[Math.min(at, tools.length - 1)]!;
  // Each call has words of its own.
  const own = [...words.slice(at * 3), ...words.slice(0, at * 3)];
  return { kind: "call", name: tool.name, pieces: inPieces(argumentsFor(tool, own), size) };
}
