/** JSON as a flat list of its values, each with its place in the text: nothing of what was written is lost, however deep it nests. */
import { closingQuote } from "../../wire/find.ts";

export type JsonKind = "object" | "array" | "string" | "number" | "word";

export interface JsonNode {
  readonly kind: JsonKind;
  /** The beginning of the value in the text. */
  readonly start: number;
  /** Its end, exclusive. */
  end: number;
  /** The name of a member, quotes and escapes as they were written; undefined in lists and at the top. */
  readonly key: string | undefined;
  /** Position of the container in the list; -1 at the top. */
  readonly parent: number;
  /** Position in its container. */
  readonly index: number;
  readonly depth: number;
  /** Values right inside. */
  size: number;
  /** Position of the first node that does not lie within this one. */
  next: number;
}

export interface JsonNodes {
  readonly text: string;
  /** In the order in which they begin: a container, then what it holds. */
  readonly nodes: readonly JsonNode[];
  /** The position at which reading stopped before the end, since the rest is missing or is no JSON. */
  readonly stopped?: number;
}

const blank = /[ \t\r\n]*/y;
const scalar = /[^\s,:[\]{}"]+/y;

/** Reads a text within time and memory linear in it, and never throws: what is no JSON ends the list. */
export function jsonNodes(text: string): JsonNodes {
  const nodes: JsonNode[] = [];
  /** Containers that are open, as positions in the list. */
  const open: number[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;

  const match = (expression: RegExp): string => {
    expression.lastIndex = at;
    const [found = ""] = expression.exec(text) ?? [];
    at += found.length;
    return found;
  };

  /** A string with its quotes; empty where there is none, or it does not end. */
  function literal(): string {
    const from = at;
    const end = text[at] === '"' ? closingQuote(text, at) : text.length;
    if (end < text.length) at = end + 1;
    return text.slice(from, at);
  }

  function begin(kind: JsonKind, start: number, key: string | undefined): void {
    const parent = open.at(-1) ?? -1;
    const container = nodes[parent];
    nodes.push({
      kind,
      start,
      end: at,
      key,
      parent,
      index: container ? container.size++ : 0,
      depth: open.length,
      size: 0,
      next: nodes.length + 1,
    });
  }

  function close(): void {
    const node = nodes[open.pop()!]!;
    node.end = at;
    node.next = nodes.length;
  }

  /** A value; false where there is none. */
  function value(key: string | undefined): boolean {
    const start = at;
    const first = text[at];
    if (first === "{" || first === "[") {
      at++;
      begin(first === "{" ? "object" : "array", start, key);
      open.push(nodes.length - 1);
      return true;
    }
    if (first === '"') {
      if (literal() === "") return false;
      begin("string", start, key);
      return true;
    }
    const word = match(scalar);
    if (word === "") return false;
    begin(/^[-\d]/.test(word) ? "number" : "word", start, key);
    return true;
  }

  /** Reads on within the innermost container; false where that is not possible. */
  function step(): boolean {
    match(blank);
    const container = nodes[open.at(-1)!]!;
    const closing = container.kind === "object" ? "}" : "]";
    if (text[at] === closing) {
      at++;
      close();
      return true;
    }
    if (container.size > 0) {
      if (text[at] !== ",") return false;
      at++;
      match(blank);
    }
    if (container.kind === "array") return value(undefined);
    const key = literal();
    match(blank);
    if (key === "" || text[at] !== ":") return false;
    at++;
    match(blank);
    return value(key);
  }

  match(blank);
  let whole = value(undefined);
  while (whole && open.length > 0) whole = step();
  match(blank);
  const stopped = whole && at === text.length ? undefined : at;
  while (open.length > 0) close();
  return { text, nodes, ...(stopped !== undefined && { stopped }) };
}

/** The text that a literal stands for; the literal where it is none. */
export function unquoted(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}

/** The text of a node as it was written. */
export const written = ({ text }: JsonNodes, { start, end }: JsonNode): string => text.slice(start, end);

/** Positions of what lies right inside a container. */
export function* childrenOf({ nodes }: JsonNodes, position: number): Generator<number> {
  const container = nodes[position];
  if (!container) return;
  for (let at = position + 1; at < container.next; at = nodes[at]!.next) yield at;
}

export const tokensOf = (pointer: string): string[] =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The value a pointer leads to. */
export interface Found {
  /** The node that was reached; -1 where there is none at all. */
  readonly position: number;
  /** The rest of the pointer, which leads to nothing. */
  readonly missing: readonly string[];
}

/** Whether a step of a pointer names a member: long names are shortened in pointers. */
function isNamed(key: string, token: string): boolean {
  const name = unquoted(key);
  if (name === token) return true;
  const cut = token.indexOf("…");
  return cut > 0 && name.length > cut && name.startsWith(token.slice(0, cut));
}

/** Follows a pointer as far as it leads. The last of repeated members counts, as in JSON.parse. */
export function find(json: JsonNodes, pointer: string): Found {
  const tokens = tokensOf(pointer);
  let position = json.nodes.length > 0 ? 0 : -1;
  for (const [i, token] of tokens.entries()) {
    const container = json.nodes[position];
    let inside = -1;
    for (const child of childrenOf(json, position)) {
      const node = json.nodes[child]!;
      if (container?.kind === "array" ? String(node.index) === token : isNamed(node.key!, token)) inside = child;
    }
    if (inside < 0) return { position, missing: tokens.slice(i) };
    position = inside;
  }
  return { position, missing: [] };
}

/** The pointer of a node. */
export function pointerOf({ nodes }: JsonNodes, position: number): string {
  const tokens: string[] = [];
  for (let at = position; at > 0 && nodes[at]; at = nodes[at]!.parent) {
    const { key, index } = nodes[at]!;
    tokens.push(key === undefined ? String(index) : unquoted(key).replaceAll("~", "~0").replaceAll("/", "~1"));
  }
  return tokens
    .reverse()
    .map((token) => `/${token}`)
    .join("");
}
