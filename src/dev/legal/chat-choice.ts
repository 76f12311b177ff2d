/** The content of one choice of a chat reply, given the request. */

import type { Chance } from "./chance.ts";
import { toolCall } from "./chat-messages.ts";
import { outputSchemas } from "./chat-request.ts";
import { among, integer, list, type Make, type Members, number, object, oneOf, text } from "./shape.ts";

type Json = Record<string, unknown>;

const namesOf = (items: unknown, of: (item: Json) => unknown): string[] =>
  Array.isArray(items) ? items.map((item) => String(of(item as Json))) : [];

/** The content of one choice, before it is sent whole or in pieces. */
export interface Choice {
  readonly message: Json;
  readonly finish: string;
  readonly logprobs: unknown;
}

const token = (chance: Chance, logprob: Make): Members => {
  const said = chance.pick(["Hello", " there", "\u{1F600}", "\n", ""]);
  return { token: said, logprob: logprob(chance), bytes: chance.pick([[...Buffer.from(said)], null]) };
};

function logprobsFor(asked: Members, message: Json, chance: Chance): unknown {
  if (asked["logprobs"] !== true) return chance.pick([null, undefined]);
  const most = typeof asked["top_logprobs"] === "number" ? asked["top_logprobs"] : 0;
  const entry: Make = (by) => {
    const top = Array.from({ length: by.below(most + 1) }, () => token(by, number(-20, 0)));
    return object({
      token: among("x"),
      logprob: oneOf(number(-20, 0), among(-9999, -9999.0)),
      bytes: among([120], null),
      top_logprobs: () => top,
    })(by);
  };
  const entries = list(entry, 1, 3);
  const refused = typeof message["refusal"] === "string";
  const other = among(null, undefined, []);
  // Whether calls have log probabilities is not said.
  if (!refused && !message["content"] && chance.once(3)) return chance.pick([null, undefined, {}]);
  return object(refused ? { content: other, refusal: entries } : { content: entries, refusal: other })(chance);
}

function jsonFor(asked: Members, chance: Chance): string | undefined {
  const format = asked["response_format"] as Json | undefined;
  if (format?.["type"] === "json_object") return chance.pick(["{}", '{"a":[1]}', ' {"b":"\u{1F600}"}\n']);
  if (format?.["type"] !== "json_schema") return undefined;
  const { schema } = format["json_schema"] as Json;
  const known = outputSchemas.find((one) => JSON.stringify(one.schema) === JSON.stringify(schema));
  return JSON.stringify(known ? chance.pick(known.values) : {});
}

const spoken = (chance: Chance): unknown =>
  object({
    id: text(1),
    // Two bytes that begin no known format.
    data: among("AAEC", "AAECAw=="),
    transcript: text(),
    expires_at: integer(1_700_000_000, 1_900_000_000),
  })(chance);

const annotation = (content: string): Make => {
  const end = Math.max(0, Array.from(content).length - 1);
  return object({
    type: among("url_citation"),
    url_citation: object({
      start_index: integer(0, Math.floor(end / 2)),
      end_index: integer(Math.ceil(end / 2), end),
      url: among("https://a.example/"),
      title: text(),
    }),
  });
};

/** A text or JSON in which no stop sequence occurs; undefined where there is none. */
function saidTo(asked: Members, chance: Chance): string | undefined {
  const stops = [asked["stop"] ?? []].flat().map(String);
  const json = jsonFor(asked, chance);
  const sayings = json === undefined ? ["Dry.", "Hello there.", "Ja", "42", ""] : [json];
  const allowed = sayings.filter((one) => !stops.some((stop) => one.includes(stop)));
  return allowed.length > 0 ? chance.pick(allowed) : undefined;
}

/** One choice of the reply: text, a refusal, calls, what was cut short. */
export function choiceFor(asked: Members, chance: Chance): Choice {
  const tools = namesOf(asked["tools"], (one) => (one["function"] as Json)["name"]);
  const functions = namesOf(asked["functions"], (one) => one["name"]);
  const choice = asked["tool_choice"] as Json | string | undefined;
  const forced = typeof choice === "object" ? String((choice["function"] as Json)["name"]) : undefined;
  const functionChoice = asked["function_call"] as Json | string | undefined;
  const mayCall = tools.length > 0 && choice !== "none";
  const mustCall = mayCall && (choice === "required" || forced !== undefined);
  const mustCallFunction = typeof functionChoice === "object";
  const mayCallFunction = functions.length > 0 && functionChoice !== "none";
  const message: Json = { role: "assistant", content: null, refusal: null };
  const logprobs = (): unknown => logprobsFor(asked, message, chance);
  const rarely = (): boolean => chance.once(12);

  if (chance.once(8)) {
    message["refusal"] = text(1)(chance);
    if (rarely()) message["content"] = "";
    return { message, finish: "stop", logprobs: logprobs() };
  }
  if (chance.once(8)) {
    message["content"] = rarely() ? null : (saidTo({ stop: asked["stop"] }, chance) ?? "");
    if (mayCall && rarely()) message["tool_calls"] = [toolCall(() => forced ?? chance.pick(tools))(chance)];
    return {
      message: speaking(asked, message, chance),
      finish: chance.pick(["length", "content_filter"]),
      logprobs: logprobs(),
    };
  }
  if (mustCall || (mayCall && chance.once(2))) {
    // More calls than one, text beside them and another finish are all warned of, and no more.
    const most = asked["parallel_tool_calls"] === false && !rarely() ? 1 : 3;
    if (rarely()) message["content"] = "";
    message["tool_calls"] = list(
      toolCall(() => forced ?? chance.pick(tools)),
      1,
      most,
    )(chance);
    return { message, finish: rarely() ? "stop" : "tool_calls", logprobs: logprobs() };
  }
  if (mustCallFunction || (mayCallFunction && chance.once(2))) {
    const name = mustCallFunction ? String(functionChoice["name"]) : chance.pick(functions);
    message["function_call"] = { name, arguments: chance.pick(["{}", "{broken"]) };
    return { message, finish: mustCallFunction && chance.once(2) ? "stop" : "function_call", logprobs: logprobs() };
  }
  const content = saidTo(asked, chance);
  if (content === undefined) {
    message["content"] = "";
    return { message: speaking(asked, message, chance), finish: "length", logprobs: logprobs() };
  }
  message["content"] = content;
  if (chance.once(4)) message["annotations"] = content ? list(annotation(content), 0, 2)(chance) : [];
  if (chance.once(6)) message["tool_calls"] = [];
  return { message: speaking(asked, message, chance), finish: "stop", logprobs: logprobs() };
}

function speaking(asked: Members, message: Json, chance: Chance): Json {
  const modalities = asked["modalities"];
  if (Array.isArray(modalities) && modalities.includes("audio")) message["audio"] = spoken(chance);
  return message;
}
