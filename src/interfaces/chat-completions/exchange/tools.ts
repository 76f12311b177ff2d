/** Rules that hold the calls of a chat reply against the tools its request declared and chose. */

import { warns } from "../../../check/clause.ts";
import { formatList, quoted } from "../../../check/format-list.ts";
import type { Fault, Rule } from "../../../check/rule.ts";
import { remember, type Subject } from "../../../check/subject.ts";
import { inWords } from "../../../check/unquoted.ts";
import { isEventStream } from "../../../wire/headers.ts";
import { isObject } from "../../../wire/json.ts";
import { askedIn, callInstead, editReply, sayInstead } from "../examples/spoil.ts";
import { faultsOf } from "../reading/choice-rule.ts";
import { askedOf, type Choice, faultAt, soundChoices, within } from "../reading/reply.ts";
import { id } from "./clause.ts";

interface Offer {
  /** `none`, `auto`, `required`, or the name of the forced function; undefined for anything else. */
  readonly choice: string | { readonly name: string } | undefined;
  /** Names of declared tools; undefined where the list is not well-formed. */
  readonly names: ReadonlySet<string> | undefined;
}

/** Names in a list of declarations; an absent or null list declares none. */
function namesIn(list: unknown, nameOf: (item: Record<string, unknown>) => unknown): ReadonlySet<string> | undefined {
  if (list === undefined || list === null) return new Set();
  if (!Array.isArray(list)) return undefined;
  const names = list.map((item: unknown) => (isObject(item) ? nameOf(item) : undefined));
  return names.every((name) => typeof name === "string") ? new Set(names) : undefined;
}

function readTools(subject: Subject): Offer | undefined {
  const asked = askedOf(subject);
  if (!asked) return undefined;
  const choice = asked["tool_choice"];
  const forced = isObject(choice) && choice["type"] === "function" ? choice["function"] : undefined;
  const name = isObject(forced) ? forced["name"] : undefined;
  return {
    choice: typeof choice === "string" ? choice : typeof name === "string" ? { name } : undefined,
    names: namesIn(asked["tools"], ({ function: called }) => (isObject(called) ? called["name"] : undefined)),
  };
}

function readFunctions(subject: Subject): Offer | undefined {
  const asked = askedOf(subject);
  if (!asked) return undefined;
  const choice = asked["function_call"];
  const name = isObject(choice) ? choice["name"] : undefined;
  return {
    choice: typeof choice === "string" ? choice : typeof name === "string" ? { name } : undefined,
    names: namesIn(asked["functions"], (item) => item["name"]),
  };
}

const toolsOffered = remember(readTools);
const functionsOffered = remember(readFunctions);

/** Whether the choice names a function that was declared; another cannot be called (reading C-TC-NO-TOOLS). */
const namesDeclared = ({ choice, names }: Offer): boolean =>
  typeof choice === "object" && (names === undefined || names.has(choice.name));

/** A reply that was cut short or refused owes no call. */
const owesCall = ({ finish, refusal }: Choice): boolean =>
  finish !== "length" && finish !== "content_filter" && typeof finish === "string" && !refusal;

/** A rule that checks each well-formed choice against the tools that the request offered. */
function perChoice(
  clause: string,
  offered: (subject: Subject) => Offer | undefined,
  concerns: (offer: Offer) => boolean,
  check: (choice: Choice, offer: Offer) => Iterable<Fault> | undefined,
  spoil: Rule["spoil"],
): Rule {
  const relevant = (subject: Subject): Offer | undefined => {
    const offer = offered(subject);
    return offer && concerns(offer) ? offer : undefined;
  };
  return {
    clause: id(clause),
    applies: (subject) => soundChoices(subject).length > 0 && relevant(subject) !== undefined,
    check(subject) {
      const offer = relevant(subject);
      return offer && faultsOf(soundChoices(subject), (choice) => check(choice, offer));
    },
    spoil,
  };
}

/** The first declared name, or one of our own. */
const declaredIn = (exchange: Parameters<Rule["spoil"]>[0]): string =>
  askedIn(exchange).tools?.[0]?.function?.name ?? "get_weather";

/** Lets a whole reply make a deprecated function call. */
const functionCallInstead = (exchange: Parameters<Rule["spoil"]>[0], name: string) =>
  isEventStream(exchange.response)
    ? undefined
    : editReply(
        exchange,
        (body) => {
          for (const { message } of body.choices)
            Object.assign(message, { content: null, function_call: { name, arguments: "{}" } });
        },
        undefined,
      );

const choiceNone = perChoice(
  "tool-choice-none",
  toolsOffered,
  ({ choice }) => choice === "none",
  function* ({ calls }) {
    if (calls[0]) yield faultAt(calls[0].spot, "no tool call with tool_choice none", calls[0].name);
  },
  (exchange) => callInstead(exchange, [declaredIn(exchange)]),
);

const choiceRequired = perChoice(
  "tool-choice-required",
  toolsOffered,
  ({ choice, names }) => choice === "required" && names?.size !== 0,
  function* (choice) {
    if (choice.calls.length === 0 && owesCall(choice) && choice.finish !== "tool_calls")
      yield faultAt(within(choice.message, "tool_calls"), "a tool call with tool_choice required", undefined);
  },
  (exchange) => withoutCalls(exchange),
);

const choiceFunction = perChoice(
  "tool-choice-function",
  toolsOffered,
  namesDeclared,
  function* (choice, offer) {
    const { name } = offer.choice as { name: string };
    if (choice.calls.length === 0) {
      if (owesCall(choice) && choice.finish !== "tool_calls")
        yield faultAt(within(choice.message, "tool_calls"), `a call of ${JSON.stringify(name)}`, undefined);
      return;
    }
    const other = choice.calls.find((call) => call.name !== undefined && call.name !== name);
    if (other) yield faultAt(other.spot, `a call of ${JSON.stringify(name)}`, other.name);
  },
  (exchange) => withoutCalls(exchange),
);

/** Text instead of calls, finishing as text does. */
function withoutCalls(exchange: Parameters<Rule["spoil"]>[0]) {
  const talking = sayInstead(exchange, "No call at all.");
  return (
    talking &&
    editReply(
      talking,
      (body) => {
        for (const choice of body.choices) choice.finish_reason = "stop";
      },
      (events) => {
        for (const { data } of events as { data: { choices?: { finish_reason: string | null }[] } }[])
          for (const choice of data.choices ?? []) if (choice.finish_reason) choice.finish_reason = "stop";
      },
    )
  );
}

const noTools = perChoice(
  "no-tools-no-calls",
  toolsOffered,
  ({ names, choice }) => names?.size === 0 && choice !== "none",
  ({ calls: [call] }) => call && [faultAt(call.spot, "no tool call, since the request has no tools", call.name)],
  (exchange) => callInstead(exchange, ["get_weather"]),
);

const nameDeclared = perChoice(
  "tool-name-declared",
  toolsOffered,
  ({ names }) => names !== undefined && names.size > 0,
  function* ({ calls }, { names, choice }) {
    let expected: string | undefined;
    for (const { name, spot } of calls)
      if (name !== undefined && !names?.has(name) && typeof choice !== "object") {
        expected ??= `one of [${formatList([...(names ?? [])], ",", quoted)}]`;
        yield faultAt(spot, expected, name, { reading: warns("C-TOOL-NAME-DECLARED") });
      }
  },
  (exchange) => callInstead(exchange, ["launch_rocket"]),
);

const parallel: Rule = {
  clause: id("parallel-tool-calls"),
  applies: (subject) =>
    askedOf(subject)?.["parallel_tool_calls"] === false &&
    soundChoices(subject).length > 0 &&
    (toolsOffered(subject)?.names?.size ?? 0) > 0,
  *check(subject) {
    for (const { calls } of soundChoices(subject))
      if (calls[1])
        yield faultAt(
          calls[1].spot,
          "one tool call with parallel_tool_calls false",
          inWords(`${calls.length} tool calls`),
          { reading: warns("C-PARALLEL") },
        );
  },
  spoil: (exchange) => callInstead(exchange, [declaredIn(exchange), declaredIn(exchange)]),
};

const functionNone = perChoice(
  "function-call-none",
  functionsOffered,
  ({ choice, names }) => choice === "none" || names?.size === 0,
  ({ functionCall: call }) => call && [faultAt(call.spot, "no function call", call.name)],
  (exchange) => functionCallInstead(exchange, "get_weather"),
);

const functionForced = perChoice(
  "function-call-function",
  functionsOffered,
  namesDeclared,
  function* (choice, offer) {
    const { name } = offer.choice as { name: string };
    const called = choice.functionCall;
    if (called?.name === name || (called && called.name === undefined)) return;
    if (called || (owesCall(choice) && choice.finish !== "function_call"))
      yield faultAt(within(choice.message, "function_call"), `a call of ${JSON.stringify(name)}`, called?.name);
  },
  (exchange) => functionCallInstead(exchange, "launch_rocket"),
);

export const rules: readonly Rule[] = [
  choiceNone,
  choiceRequired,
  choiceFunction,
  noTools,
  nameDeclared,
  parallel,
  functionNone,
  functionForced,
];
