/** Reads what each event of a stream of generate-content brings. */
import { isObject, parseJson } from "../../../wire/json.ts";
import { classOfError } from "../../common/facts/errors.ts";
import { finishOf } from "../../common/facts/finish.ts";
import { type Json, known, numberAt, objectAt, objectsIn, textAt } from "../../common/facts/read.ts";
import type { AnswerPiece, StreamDecoder } from "../../common/facts/write.ts";
import { canonicalOf } from "../reading/spelling.ts";
import { finishWords, logsOfResult, sourcesOfCandidate, usageOf } from "./answer.ts";
import { partsOf } from "./content.ts";

export function createDecoder(): StreamDecoder {
  let isStarted = false;
  const calls = new Map<number, number>();

  const partPieces = function* (choice: number, content: unknown): Generator<AnswerPiece> {
    for (const part of partsOf(content))
      if (part.kind === "text" || part.kind === "thinking") {
        if (part.text !== "") yield { kind: part.kind, choice, text: part.text };
      } else if (part.kind === "call") {
        const call = calls.get(choice) ?? 0;
        calls.set(choice, call + 1);
        yield { kind: "call", choice, call, ...known({ id: part.id, name: part.name }) };
        yield { kind: "arguments", choice, call, text: part.arguments };
      } else if ("data" in part) yield { kind: "medium", choice, medium: part };
  };

  const candidatePieces = function* (value: Json, position: number): Generator<AnswerPiece> {
    const choice = numberAt(value, "index") ?? position;
    yield* partPieces(choice, value["content"]);
    const result = objectAt(value, "logprobsResult");
    if (result) yield { kind: "logs", choice, logs: logsOfResult(result) };
    const sources = sourcesOfCandidate(value);
    if (sources.length > 0) yield { kind: "sources", choice, sources };
    const word = textAt(value, "finishReason");
    if (word === undefined) return;
    const finish = finishOf(word, finishWords);
    const isCall = finish.means.includes("natural") && calls.has(choice);
    yield { kind: "finish", choice, finish: isCall ? { ...finish, means: ["tool", ...finish.means] } : finish };
  };

  return (data) => {
    const json = parseJson(data);
    const value = json.ok ? canonicalOf(json.value, "response").value : undefined;
    if (!isObject(value)) return [];
    const error = objectAt(value, "error");
    if (error) return [{ kind: "error", error: classOfError(error) }];
    const pieces: AnswerPiece[] = [];
    if (!isStarted)
      pieces.push({
        kind: "start",
        ...known({ id: textAt(value, "responseId"), model: textAt(value, "modelVersion") }),
      });
    isStarted = true;
    for (const [position, candidate] of objectsIn(value["candidates"]).entries())
      pieces.push(...candidatePieces(candidate, position));
    const blocked = textAt(objectAt(value, "promptFeedback") ?? {}, "blockReason");
    if (blocked !== undefined) pieces.push({ kind: "finish", choice: 0, finish: { word: blocked, means: ["filter"] } });
    const usage = objectAt(value, "usageMetadata");
    if (usage) pieces.push({ kind: "usage", usage: usageOf(usage) });
    return pieces;
  };
}
