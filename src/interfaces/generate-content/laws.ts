/** Laws of generate-content: what several exchanges show together. */

import type { ComparableReply } from "../../check/comparable-reply.ts";
import type { Law } from "../../check/law.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { utf8Text } from "../../wire/bytes.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { streamsApart } from "../common/laws/canaries.ts";
import { comparableReplyFrom, onlyTurn, sameConversation } from "../common/laws/conversation.ts";
import { canonicalJson, type Facts, type PlacedValue, questionOf } from "../common/laws/facts.ts";
import { replyIdsDistinct } from "../common/laws/identity.ts";
import { arrivesInPieces } from "../common/laws/incremental.ts";
import { spoilAt, spoilLast, spoilStream } from "../common/laws/spoil.ts";
import { sameText } from "../common/laws/stream-text.ts";
import { sameUsage } from "../common/laws/stream-usage.ts";
import { sameFinish } from "../common/laws/twins.ts";
import { editAllPieces, editCandidate, type Loose } from "./examples/spoil.ts";
import { type Found, faultAt, inPiece, memberOf, type Piece, replyOf } from "./reading/reply.ts";
import { modelOf } from "./request.ts";

const id = (name: string): string => `generate-content.laws.${name}`;

function told<T>(value: T, found: Found<unknown>, below = ""): PlacedValue<T> {
  const { side: _side, pointer = "", ...place } = faultAt(found, below);
  return { value, spot: { ...place, pointer } };
}

/** A count of the last usage that has it. */
function countIn(pieces: readonly Piece[], name: string): PlacedValue<number> | undefined {
  const piece = pieces.findLast(({ value }) => Number.isSafeInteger(memberOf(value, "usageMetadata")[name]));
  return (
    piece && told(memberOf(piece.value, "usageMetadata")[name] as number, inPiece(piece, "/usageMetadata"), `/${name}`)
  );
}

/** The text of each event: a server may split it into several parts, also between the halves of a surrogate pair. */
function textsOfEvents(parts: readonly Found<Readonly<Record<string, unknown>>>[]): Facts["pieces"] {
  const texts = new Map<number, string>();
  for (const { piece, value } of parts)
    if (piece.event !== undefined) texts.set(piece.event, (texts.get(piece.event) ?? "") + String(value["text"]));
  return [...texts].map(([event, text]) => ({ text, event }));
}

export const factsOf = remember((subject: Subject): Facts | undefined => {
  const reply = replyOf(subject);
  const first = reply?.candidates[0];
  if (!reply?.complete || !first?.finish || subject.request.body.kind !== "json") return undefined;
  const named = reply.pieces.find(({ value }) => typeof value["responseId"] === "string");
  const texts = first.parts.filter(({ value }) => typeof value["text"] === "string" && value["thought"] !== true);
  const spoken = texts.at(-1);
  const called = first.parts.filter(({ value }) => value["functionCall"] !== undefined);
  const { temperature } = memberOf(subject.requestJson, "generationConfig");
  const thoughts = countIn(reply.pieces, "thoughtsTokenCount")?.value ?? 0;
  return {
    streamed: reply.streamed,
    question: `${modelOf(subject)} ${questionOf(subject.requestJson, () => true)}`,
    id: named && told(String(named.value["responseId"]), inPiece(named, "/responseId")),
    created: undefined,
    text: spoken ? told(first.text, spoken, "/text") : told("", first.finish),
    pieces: textsOfEvents(texts),
    calls: called.map((found) => {
      const { name, args } = memberOf(found.value, "functionCall");
      return {
        id: undefined,
        name: typeof name === "string" ? name : undefined,
        arguments: JSON.stringify(args ?? {}),
        spot: told(name, found, "/functionCall").spot,
      };
    }),
    finish: told(first.finish.value, first.finish),
    asked: countIn(reply.pieces, "promptTokenCount"),
    generated: countIn(reply.pieces, "candidatesTokenCount"),
    cold: temperature === 0,
    thinks: thoughts > 0 || reply.candidates.length > 1,
    said: canonicalJson(
      reply.candidates.map(({ text, parts, finish }) => [
        text,
        parts.map(({ value }) => value["functionCall"] ?? null).filter((call) => call !== null),
        finish?.value,
      ]),
    ),
  };
});

const conversationEndings = { MAX_TOKENS: "at the token bound", STOP: "by itself" } as const;

export function comparableReply(subject: Subject): ComparableReply | undefined {
  const facts = factsOf(subject);
  const { contents, tools } = subject.requestJson;
  const { maxOutputTokens: maxTokens } = memberOf(subject.requestJson, "generationConfig");
  return (
    facts && comparableReplyFrom(facts, { content: onlyTurn(contents)["parts"], maxTokens, tools }, conversationEndings)
  );
}

/** Lets the first candidate of every piece say something else. */
const sayInstead = (exchange: Exchange, text: string): Exchange | undefined =>
  editAllPieces(exchange, ({ candidates }: Loose) => {
    const parts: Loose[] = candidates?.[0]?.content?.parts ?? [];
    for (const part of parts) if (typeof part.text === "string") part.text = text;
    return parts.length > 0;
  });

function idOf(exchange: Exchange): string {
  const [, literal] = /"responseId":\s*("[^"]*")/.exec(utf8Text(exchange.response?.body ?? Buffer.of())) ?? [];
  return literal === undefined ? "" : JSON.parse(literal);
}

const endings = ["STOP", "MAX_TOKENS", "SAFETY", "OTHER"];

export const generateLaws: readonly Law[] = [
  replyIdsDistinct(
    id("response-id-unique"),
    factsOf,
    spoilLast((last, first) =>
      editAllPieces(last, (body) => {
        if (body.responseId !== undefined) body.responseId = idOf(first);
        return body.responseId !== undefined;
      }),
    ),
  ),
  sameFinish(
    id("stream-finish"),
    factsOf,
    { calling: endings, talking: endings },
    spoilStream((stream) =>
      editCandidate(stream, (candidate) => {
        if (candidate.finishReason) candidate.finishReason = "OTHER";
        return candidate.finishReason !== undefined;
      }),
    ),
  ),
  sameUsage(
    id("stream-usage"),
    factsOf,
    spoilStream((stream) =>
      editAllPieces(stream, ({ usageMetadata: usage }: Loose) => {
        if (usage?.promptTokenCount === undefined) return false;
        usage.promptTokenCount += 7;
        usage.totalTokenCount += 7;
        return true;
      }),
    ),
  ),
  arrivesInPieces(id("stream-incremental"), factsOf),
  sameText(
    id("stream-text"),
    factsOf,
    spoilStream((stream) => sayInstead(stream, "Other words.")),
  ),
  streamsApart(id("streams-apart"), factsOf, sayInstead),
  sameConversation(
    "generate-content",
    true,
    spoilAt(":generateContent", (one) =>
      editCandidate(one, (candidate) => {
        candidate.finishReason = "STOP";
        return true;
      }),
    ),
  ),
];
