/** Reads what each event of a stream of messages brings. */
import { isObject, parseJson } from "../../../wire/json.ts";
import { classOfError } from "../../common/facts/errors.ts";
import { finishOf } from "../../common/facts/finish.ts";
import { type Json, known, objectAt, textAt } from "../../common/facts/read.ts";
import type { AnswerPiece, StreamDecoder } from "../../common/facts/write.ts";
import { finishWords, usageOf } from "./answer.ts";

export function createDecoder(): StreamDecoder {
  const calls = new Map<unknown, number>();
  const usages: Json[] = [];

  const countsIn = (value: Json | undefined): readonly AnswerPiece[] => {
    if (!value) return [];
    usages.push(value);
    const usage = usageOf(usages);
    return usage ? [{ kind: "usage", usage }] : [];
  };

  const startOfBlock = (value: Json): readonly AnswerPiece[] => {
    const block = objectAt(value, "content_block") ?? {};
    if (block["type"] === "tool_use") {
      const call = calls.size;
      calls.set(value["index"], call);
      return [{ kind: "call", choice: 0, call, ...known({ id: textAt(block, "id"), name: textAt(block, "name") }) }];
    }
    const text = textAt(block, "text");
    return text ? [{ kind: "text", choice: 0, text }] : [];
  };

  const deltaOfBlock = (value: Json): readonly AnswerPiece[] => {
    const delta = objectAt(value, "delta") ?? {};
    const [text, thinking, json] = ["text", "thinking", "partial_json"].map((name) => textAt(delta, name));
    if (text) return [{ kind: "text", choice: 0, text }];
    if (thinking) return [{ kind: "thinking", choice: 0, text: thinking }];
    return json ? [{ kind: "arguments", choice: 0, call: calls.get(value["index"]) ?? 0, text: json }] : [];
  };

  const endOfMessage = (value: Json): readonly AnswerPiece[] => {
    const delta = objectAt(value, "delta") ?? {};
    const word = textAt(delta, "stop_reason");
    const sequence = textAt(delta, "stop_sequence");
    return [
      ...countsIn(objectAt(value, "usage") ?? objectAt(delta, "usage")),
      ...(word === undefined
        ? []
        : [{ kind: "finish", choice: 0, finish: { ...finishOf(word, finishWords), ...known({ sequence }) } } as const]),
    ];
  };

  return (data) => {
    const json = parseJson(data);
    if (!json.ok || !isObject(json.value)) return [];
    const { value } = json;
    switch (value["type"]) {
      case "message_start": {
        const message = objectAt(value, "message") ?? {};
        const head = known({ id: textAt(message, "id"), model: textAt(message, "model") });
        return [{ kind: "start", ...head }, ...countsIn(objectAt(message, "usage"))];
      }
      case "content_block_start":
        return startOfBlock(value);
      case "content_block_delta":
        return deltaOfBlock(value);
      case "message_delta":
        return endOfMessage(value);
      case "message_stop":
        return [{ kind: "end" }];
      default:
        return isObject(value["error"]) ? [{ kind: "error", error: classOfError(value["error"]) }] : [];
    }
  };
}
