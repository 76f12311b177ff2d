/** Cases of chat completions outside the documents that concern tool calls, each met in the field. */
import { isObject } from "../../wire/json.ts";
import { callPart } from "../calls.ts";
import type { Case } from "../case.ts";
import type { Good } from "../good.ts";
import type { GoodEvent, Json } from "../voice.ts";
import { choices, deltaLike } from "./contents.ts";
import { calling, finishing, odd } from "./odd.ts";

/** Changes the calls of each delta. */
const deltaCalls = (good: Good, change: (call: Json, at: number) => Json): GoodEvent[] =>
  choices(good, (choice, i) => {
    const { tool_calls: own, ...delta } = choice["delta"] as Json;
    return Array.isArray(own)
      ? { ...choice, delta: { ...delta, tool_calls: own.map((call: Json) => change(call, i)) } }
      : choice;
  });

const callingTwice = (good: Good): Good => good.say({ parts: [callPart(good, 0), callPart(good, 1)], end: "calls" });

export const callOddities: readonly Case[] = [
  odd({
    id: "call-without-index",
    says: "The pieces of a call have no index.",
    restsOn: ["https://github.com/openai/openai-python/issues/2806"],
    needs: "tools",
    answer: (good) => {
      const own = calling(good);
      return own.withEvents(deltaCalls(own, ({ index: _index, ...call }) => call));
    },
  }),
  odd({
    id: "calls-with-index-zero",
    says: "Two calls with different ids both have index 0. Each comes in one chunk.",
    restsOn: ["https://github.com/mcowger/plexus/issues/691"],
    needs: "tools",
    answer: (good) => {
      const own = callingTwice(good);
      return own.withEvents(atOnce(own, (call) => ({ ...call, index: 0 })));
    },
  }),
  odd({
    id: "id-in-every-piece",
    says: "Every piece of a call repeats its id and its name.",
    restsOn: ["https://github.com/SamSaffron/term-llm/pull/314"],
    needs: "tools",
    answer: (good) => {
      const own = calling(good);
      const part = own.speech.parts[0]!;
      const name = part.kind === "call" ? part.name : "";
      return own.withEvents(
        deltaCalls(own, (call) => ({
          ...call,
          id: "call_case0",
          type: "function",
          function: { ...(call["function"] as Json), name },
        })),
      );
    },
  }),
  odd({
    id: "empty-id-in-pieces",
    says: "Every piece of a call except the first has an empty string as its id and type.",
    restsOn: ["https://github.com/anomalyco/opencode/issues/37841"],
    needs: "tools",
    answer: (good) => {
      const own = calling(good);
      return own.withEvents(deltaCalls(own, (call) => ("id" in call ? call : { ...call, id: "", type: "" })));
    },
  }),
  odd({
    id: "null-in-pieces",
    says: "Every piece of a call except the first has a null id, type and name.",
    restsOn: ["https://github.com/sgl-project/sglang/pull/35542"],
    needs: "tools",
    answer: (good) => {
      const own = calling(good);
      return own.withEvents(
        deltaCalls(own, (call) =>
          "id" in call
            ? call
            : { ...call, id: null, type: null, function: { ...(call["function"] as Json), name: null } },
        ),
      );
    },
  }),
  odd({
    id: "calls-end-with-stop",
    says: "The finish reason after a call is stop.",
    restsOn: ["https://github.com/openvinotoolkit/model_server/issues/3927"],
    needs: "tools",
    answer: (good) => {
      const own = calling(good);
      return own.withEvents(finishing(own, "stop"));
    },
  }),
  odd({
    id: "calls-without-finish-reason",
    says: "No finish reason comes after a call.",
    restsOn: ["https://github.com/earendil-works/pi/issues/6226"],
    needs: "tools",
    due: "either",
    answer: (good) => {
      const own = calling(good);
      return own.withEvents(finishing(own, null));
    },
  }),
  odd({
    id: "arguments-as-object",
    says: "The arguments of a call are an object instead of a string.",
    restsOn: ["https://github.com/THU-MAIC/OpenMAIC/issues/1556"],
    needs: "tools",
    due: "either",
    answer: (good) => {
      const own = calling(good);
      const asObject = (call: Json): Json => {
        const given = call["function"] as Json;
        return { ...call, function: { ...given, arguments: JSON.parse(String(given["arguments"])) } };
      };
      return own.withEvents(atOnce(own, asObject));
    },
  }),
  odd({
    id: "empty-tool-calls",
    says: "Every text delta has an empty list of calls.",
    restsOn: ["https://github.com/AstrBotDevs/AstrBot/pull/6692"],
    answer: (good) =>
      good.withEvents(
        choices(good, (choice) =>
          choice["finish_reason"] === null
            ? { ...choice, delta: { ...(choice["delta"] as Json), tool_calls: [] } }
            : choice,
        ),
      ),
  }),
  odd({
    id: "calls-null",
    says: "The first delta has null tool_calls and a null function_call.",
    restsOn: ["https://github.com/davidmigloz/langchain_dart/issues/778"],
    answer: (good) =>
      good.withEvents(
        choices(good, (choice, i) =>
          i === 0
            ? { ...choice, delta: { ...(choice["delta"] as Json), tool_calls: null, function_call: null } }
            : choice,
        ),
      ),
  }),
];

/** The calls of a stream, each in one chunk. */
function atOnce(good: Good, change: (call: Json) => Json): GoodEvent[] {
  const calls = new Map<unknown, Json>();
  const isCall = (event: GoodEvent): boolean => {
    const [choice] = isObject(event.data) ? (event.data["choices"] as Json[]) : [];
    return Array.isArray((choice?.["delta"] as Json | undefined)?.["tool_calls"]);
  };
  for (const { data } of good.events.filter(isCall)) {
    const [call] = (((data as Json)["choices"] as Json[])[0]!["delta"] as Json)["tool_calls"] as [Json];
    const known = calls.get(call["index"]);
    const [before, own] = [(known ?? call)["function"] as Json, call["function"] as Json];
    const joined = known ? `${before["arguments"]}${own["arguments"]}` : own["arguments"];
    calls.set(call["index"], { ...(known ?? call), function: { ...before, arguments: joined } });
  }
  const first = good.events[0]!;
  const own = [...calls.values()].map((call) => deltaLike(first, { tool_calls: [change(call)] }));
  const at = good.events.findIndex(isCall);
  return good.events.filter((event) => !isCall(event)).toSpliced(at, 0, ...own);
}
