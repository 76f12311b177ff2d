/** Links results of tools with the calls that they answer, whether by ids or by names. */
import type { CallPart, Part, RequestFacts, ResultPart, Turn } from "./model.ts";

/** A result, and which call of the conversation it answers, by its position among the calls; undefined for none. */
export interface LinkedResult {
  readonly result: ResultPart;
  readonly call: number | undefined;
}

/** Calls and results of a conversation, in order. */
export interface LinkedCalls {
  readonly calls: readonly CallPart[];
  readonly results: readonly LinkedResult[];
}

/** Reads calls and results in order. A result names its call by its id, or by its name if one of the two has no id. */
export function linkedCalls({ turns }: Pick<RequestFacts, "turns">): LinkedCalls {
  const calls: CallPart[] = [];
  const results: LinkedResult[] = [];
  const byId = new Map<string, number>();
  const waiting = new Map<string, number[]>();
  for (const { parts } of turns)
    for (const part of parts) {
      if (part.kind === "call") {
        if (part.id !== undefined) byId.set(part.id, calls.length);
        const queue = waiting.get(part.name ?? "");
        if (queue) queue.push(calls.length);
        else waiting.set(part.name ?? "", [calls.length]);
        calls.push(part);
      } else if (part.kind === "result") {
        const own = part.id === undefined ? undefined : byId.get(part.id);
        const isByName = own === undefined && part.name !== undefined && (part.id === undefined || byId.size === 0);
        // A result answers the first waiting call of its name if they have no ids.
        const call = own ?? (isByName ? waiting.get(part.name!)?.shift() : undefined);
        results.push({ result: part, call });
      }
    }
  return { calls, results };
}

/** Turns in which only the assistant calls: calls within a turn of the user are a turn of their own. */
const withCallsApart = (turns: readonly Turn[]): readonly Turn[] =>
  turns.flatMap((turn) => {
    if (turn.role === "assistant" || !turn.parts.some(({ kind }) => kind === "call")) return [turn];
    const split: { role: Turn["role"]; parts: Part[] }[] = [];
    for (const part of turn.parts) {
      const role = part.kind === "call" ? "assistant" : "user";
      const last = split.at(-1);
      if (last?.role === role) last.parts.push(part);
      else split.push({ role, parts: [part] });
    }
    return split;
  });

/** The turns with an id for each call, and with the id and the name of its call for each result. */
export function withLinks(turns: readonly Turn[]): readonly Turn[] {
  const { calls, results } = linkedCalls({ turns });
  const idOf = (position: number): string => calls[position]?.id ?? `call_${position + 1}`;
  let [call, result] = [0, 0];
  return withCallsApart(turns).map(({ role, parts }) => ({
    role,
    parts: parts.map((part) => {
      if (part.kind === "call") return { ...part, id: idOf(call++) };
      if (part.kind !== "result") return part;
      const { call: answered } = results[result++]!;
      if (answered === undefined) return part;
      const { name } = calls[answered]!;
      return { ...part, id: idOf(answered), ...(name !== undefined && { name }) };
    }),
  }));
}
