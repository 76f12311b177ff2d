/** Servers that break nothing, and answer as few others do: a run accuses none of them. */
import type { Exchange } from "../../wire/exchange.ts";
import { isEventStream } from "../../wire/headers.ts";
import { asked, inEvents, inReply, inText, isCold } from "./fault.ts";
import type { Legal } from "./legal.ts";

const three = ["chat-completions", "messages", "generate-content"];

// biome-ignore lint/suspicious/noExplicitAny: these reach deep into bodies whose shape the interface fixes.
type Loose = any;

/** Counts of a request's tokens, wherever an interface has them. */
function recount(data: Loose, tokens: number): void {
  for (const usage of [data.usage, data.message?.usage, data.delta?.usage, data.usageMetadata].filter(Boolean)) {
    if (usage.prompt_tokens !== undefined) usage.total_tokens += tokens - usage.prompt_tokens;
    if (usage.prompt_tokens !== undefined) usage.prompt_tokens = tokens;
    if (usage.input_tokens !== undefined) usage.input_tokens = tokens;
    if (usage.promptTokenCount === undefined) continue;
    usage.totalTokenCount += tokens - usage.promptTokenCount;
    usage.promptTokenCount = tokens;
    delete usage.promptTokensDetails;
  }
}

const questionOf = (exchange: Exchange): string => {
  const { contents, messages } = asked(exchange);
  return JSON.stringify(messages ?? contents);
};

export const odd: readonly Legal[] = [
  {
    name: "odd: streams in other words",
    interfaces: three,
    spoils: (exchange) =>
      isCold(exchange) && isEventStream(exchange.response)
        ? inText((text) => text.replace(/(content|text)":" That"/, '$1":" Nothing else"'))(exchange)
        : exchange,
  },
  {
    name: "odd: what a cache holds is not counted",
    interfaces: three,
    spoils: (exchange, memory) => {
      const question = questionOf(exchange);
      if (!memory.has(question)) {
        memory.set(question, true);
        return exchange;
      }
      return inEvents((data) => recount(data, 1))(inReply((body) => recount(body, 1))(exchange));
    },
  },
  {
    name: "odd: seconds before the first piece",
    interfaces: three,
    waits: (exchange) => [isCold(exchange) ? 2500 : 0, 5],
  },
];
