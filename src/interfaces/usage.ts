/** Reads what a reply says it used: the tokens that services charge for. */
import { isObject } from "../wire/json.ts";

/** Tokens that a reply counts, and images that it holds without counting tokens. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly images: number;
}

/** Where a value of an interface counts, and the members whose sums are what came in and went out. */
interface Counts {
  readonly at: readonly (readonly string[])[];
  readonly input: readonly string[];
  readonly output: readonly string[];
}

const tokens = { input: ["input_tokens"], output: ["output_tokens"] };

const tables: Readonly<Record<string, Counts>> = {
  "chat-completions": { at: [["usage"]], input: ["prompt_tokens"], output: ["completion_tokens"] },
  images: { at: [["usage"]], ...tokens },
  messages: {
    at: [["usage"], ["message", "usage"], ["delta", "usage"]],
    input: [...tokens.input, "cache_creation_input_tokens", "cache_read_input_tokens"],
    output: tokens.output,
  },
  "generate-content": {
    at: [["usageMetadata"]],
    input: ["promptTokenCount", "toolUsePromptTokenCount"],
    output: ["candidatesTokenCount", "thoughtsTokenCount"],
  },
};

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** The sum of members; undefined where none of them is a count. */
function sumOf(usage: object, names: readonly string[]): number | undefined {
  const counts = names.map((name) => memberOf(usage, name)).filter((one) => typeof one === "number" && one >= 0);
  return counts.length === 0 ? undefined : (counts as number[]).reduce((sum, one) => sum + one, 0);
}

/**
 * What a reply used, as it says itself; undefined where it does not say.
 * @param values the JSON of the reply, or of each event of its stream, in which counts grow: the largest stands
 */
export function usageOf(interfaceName: string, values: readonly unknown[]): Usage | undefined {
  const table = tables[interfaceName];
  if (!table) return undefined;
  const usages = values
    .flatMap((value) => table.at.map((path) => path.reduce(memberOf, value)))
    .filter((one) => isObject(one));
  const largest = (names: readonly string[]): number | undefined => {
    const sums = usages.flatMap((usage) => sumOf(usage, names) ?? []);
    return sums.length === 0 ? undefined : sums.reduce((most, one) => Math.max(most, one));
  };
  const [input, output] = [largest(table.input), largest(table.output)];
  if (input !== undefined || output !== undefined) return { input: input ?? 0, output: output ?? 0, images: 0 };
  if (interfaceName !== "images") return undefined;
  const made = values.map((value) => memberOf(value, "data")).filter(Array.isArray);
  return made.length === 0 ? undefined : { input: 0, output: 0, images: made.flat().length };
}
