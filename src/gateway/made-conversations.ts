/** Conversations with tools that no recording has, written in the words of an interface from facts. Pure. */
import type { Interface } from "../check/interface.ts";
import { namesFrom } from "../check/names.ts";
import { routeOfExchange } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import type { Part, RequestFacts, TextPart, Tool, Turn } from "../interfaces/common/facts/model.ts";
import { factData, hasWord } from "../interfaces/fact-data.ts";
import { factReaders } from "../interfaces/fact-readers.ts";
import { factWriters } from "../interfaces/fact-writers.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";

const text = (said: string): TextPart => ({ kind: "text", text: said });
const user = (...parts: Part[]): Turn => ({ role: "user", parts });
const assistant = (...parts: Part[]): Turn => ({ role: "assistant", parts });
const result = (id: string, name: string, said: string): Part => ({ kind: "result", id, name, content: [text(said)] });

const forecast: Tool = {
  name: "forecast",
  description: "Tells the weather of a place.",
  parameters: {
    type: "object",
    properties: {
      place: { type: "string", description: "A city." },
      hours: { type: "array", items: { type: "number" } },
      more: { type: "object", properties: { unit: { type: "string", enum: ["C", "F"] } } },
    },
    required: ["place"],
  },
};
/** It takes nothing. */
const clock: Tool = { name: "clock", description: "Tells the time." };

/** Values that are often lost where they are written anew. */
const given = {
  place: 'Zürich 你好 "\\\n"',
  hours: [6, 7.5, 9007199254740991],
  more: {},
};

const conversations: Readonly<Record<string, Pick<RequestFacts, "tools" | "turns">>> = {
  // The assistant speaks and calls in one turn, and the user goes on beside the result.
  "text-beside-call": {
    tools: [forecast],
    turns: [
      user(text("How is the weather?")),
      assistant(text("I will look it up."), {
        kind: "call",
        id: "call_a1",
        name: forecast.name,
        arguments: JSON.stringify(given),
      }),
      user(result("call_a1", forecast.name, "Sunny."), text("And how was it yesterday?")),
    ],
  },
  // The results come in another order than the calls.
  "crossed-results": {
    tools: [forecast, clock],
    turns: [
      user(text("How is the weather, and what time is it?")),
      assistant(
        { kind: "call", id: "call_b1", name: forecast.name, arguments: '{"place":"Oslo"}' },
        { kind: "call", id: "call_b2", name: clock.name, arguments: "{}" },
      ),
      user(result("call_b2", clock.name, "Noon."), result("call_b1", forecast.name, "Rain.")),
      assistant(text("It rains at noon.")),
      user(text("Thank you.")),
    ],
  },
};

/**
 * The conversations as requests of an interface, by name; none where it has no conversations.
 * @param plain an exchange of the interface, whose request lends its model, its settings and its headers
 */
export function madeRequests(plain: Exchange, described: Interface): readonly (readonly [string, WireRequest])[] {
  const { name } = described;
  const [reader, writer] = [factReaders[name], factWriters[name]];
  const route = routeOfExchange([described], plain);
  const facts = route && reader?.request(readSubject(plain, route, namesFrom()));
  if (!facts || !writer || !hasWord(factData().request["turns"]!, name)) return [];
  return Object.entries(conversations).map(([title, made]) => [
    title,
    { ...plain.request, body: writer.writeRequest({ ...facts, ...made }).body },
  ]);
}
