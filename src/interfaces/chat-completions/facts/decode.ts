/** Reads what each chunk of a chat stream brings. */
import { isObject, parseJson } from "../../../wire/json.ts";
import { classOfError } from "../../common/facts/errors.ts";
import { finishOf } from "../../common/facts/finish.ts";
import {
  type Json,
  known,
  mediaOf,
  numberAt,
  objectAt,
  objectsAt,
  objectsIn,
  textAt,
} from "../../common/facts/read.ts";
import type { AnswerPiece, StreamDecoder } from "../../common/facts/write.ts";
import { finishWords, usageOf } from "./answer.ts";

const texts = [
  ["thinking", "reasoning_content"],
  ["thinking", "reasoning"],
  ["text", "content"],
  ["refusal", "refusal"],
] as const;

export function createDecoder(): StreamDecoder {
  let isStarted = false;
  /** Calls that have begun, by choice and the number that the stream gives them, with our own number. */
  const calls = new Map<string, number>();
  const counts = new Map<number, number>();
  const sounds = new Map<number, { data: string; transcript: string }>();

  const callPieces = function* (choice: number, called: Json, key: string): Generator<AnswerPiece> {
    const inner = objectAt(called, "function") ?? called;
    const name = textAt(inner, "name");
    let call = calls.get(key);
    if (call === undefined) {
      call = counts.get(choice) ?? 0;
      counts.set(choice, call + 1);
      calls.set(key, call);
      yield { kind: "call", choice, call, ...known({ id: textAt(called, "id"), name }) };
    }
    const text = textAt(inner, "arguments");
    if (text) yield { kind: "arguments", choice, call, text };
  };

  const choicePieces = function* (value: Json): Generator<AnswerPiece> {
    const choice = numberAt(value, "index") ?? 0;
    const delta = objectAt(value, "delta") ?? {};
    for (const [kind, member] of texts) {
      const text = textAt(delta, member);
      if (text) yield { kind, choice, text };
    }
    const logs = objectsIn(objectAt(value, "logprobs")?.["content"]).map((one) => ({
      token: textAt(one, "token") ?? "",
      logProbability: numberAt(one, "logprob") ?? 0,
    }));
    if (logs.length > 0) yield { kind: "logs", choice, logs };
    for (const [i, called] of objectsIn(delta["tool_calls"]).entries())
      yield* callPieces(choice, called, `${choice} ${numberAt(called, "index") ?? i}`);
    const deprecated = objectAt(delta, "function_call");
    if (deprecated) yield* callPieces(choice, deprecated, `${choice} function`);
    const sources = objectsAt(objectsIn(delta["annotations"]), "url_citation").map((one) => textAt(one, "url") ?? "");
    if (sources.length > 0) yield { kind: "sources", choice, sources };
    const audio = objectAt(delta, "audio");
    if (audio) {
      const sound = sounds.get(choice) ?? { data: "", transcript: "" };
      sound.data += textAt(audio, "data") ?? "";
      sound.transcript += textAt(audio, "transcript") ?? "";
      sounds.set(choice, sound);
    }
    const word = textAt(value, "finish_reason");
    if (word === undefined) return;
    const sound = sounds.get(choice);
    if (sound)
      yield {
        kind: "medium",
        choice,
        medium: { ...mediaOf(sound.data, undefined, "audio"), transcript: sound.transcript },
      };
    yield { kind: "finish", choice, finish: finishOf(word, finishWords) };
  };

  return (data) => {
    if (data === "[DONE]") return [{ kind: "end" }];
    const json = parseJson(data);
    if (!json.ok || !isObject(json.value)) return [];
    const { value } = json;
    const error = value["error"];
    if (isObject(error)) return [{ kind: "error", error: classOfError(error) }];
    const pieces: AnswerPiece[] = [];
    if (!isStarted)
      pieces.push({ kind: "start", ...known({ id: textAt(value, "id"), model: textAt(value, "model") }) });
    isStarted = true;
    for (const choice of objectsIn(value["choices"])) pieces.push(...choicePieces(choice));
    const usage = objectAt(value, "usage");
    if (usage) pieces.push({ kind: "usage", usage: usageOf(usage) });
    return pieces;
  };
}
