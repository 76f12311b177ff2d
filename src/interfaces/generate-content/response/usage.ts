/** Rules of generate-content's `response` section about usage: sums of token counts. */

import { warns } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { editPieces, type Loose } from "../examples/spoil.ts";
import { faultAt, inPiece, itemsOf, memberOf, type Piece, replyOf, whole } from "../reading/reply.ts";

const id = (name: string): string => `generate-content.response.${name}`;
type Json = Readonly<Record<string, unknown>>;

const candidatesSum: Rule = {
  clause: id("candidates-token-sum"),
  applies: (subject) => {
    const piece = whole(subject);
    const candidates = replyOf(subject)?.candidates ?? [];
    return (
      Number.isInteger(memberOf(piece?.value ?? {}, "usageMetadata")["candidatesTokenCount"]) &&
      candidates.length > 0 &&
      candidates.every(({ seen }) => Number.isInteger(seen[0]?.value["tokenCount"]))
    );
  },
  *check(subject) {
    const piece = whole(subject)!;
    const told = memberOf(piece.value, "usageMetadata")["candidatesTokenCount"];
    const sum = replyOf(subject)!.candidates.reduce(
      (all, { seen }) => all + (seen[0]!.value["tokenCount"] as number),
      0,
    );
    if (told !== sum)
      yield { ...faultAt(inPiece(piece, "/usageMetadata/candidatesTokenCount")), expected: String(sum), actual: told };
  },
  spoil: (exchange) =>
    editPieces(exchange, ({ usageMetadata }: Loose) => {
      if (!isObject(usageMetadata)) return false;
      usageMetadata["candidatesTokenCount"] = Number(usageMetadata["candidatesTokenCount"]) + 1;
      usageMetadata["totalTokenCount"] = Number(usageMetadata["totalTokenCount"]) + 1;
      return true;
    }),
};

const added = ["promptTokenCount", "candidatesTokenCount", "toolUsePromptTokenCount", "thoughtsTokenCount"];
const count = (usage: Json, name: string): number => (usage[name] as number | undefined) ?? 0;

/** Whether a usage's counts can be added; one that is no integer is a matter of shape. */
const countable = (usage: Json): boolean =>
  Number.isInteger(usage["totalTokenCount"]) &&
  added.every((name) => usage[name] === undefined || Number.isInteger(usage[name]));

/** The last usage of a reply that has a total, with its piece. */
function lastUsage(subject: Subject): { usage: Json; piece: Piece } | undefined {
  const piece = replyOf(subject)?.pieces.findLast(
    ({ value }) => memberOf(value, "usageMetadata")["totalTokenCount"] !== undefined,
  );
  const usage = piece && memberOf(piece.value, "usageMetadata");
  return piece && usage && countable(usage) ? { usage, piece } : undefined;
}

const totalSum: Rule = {
  clause: id("total-token-sum"),
  applies: (subject) => lastUsage(subject) !== undefined,
  *check(subject) {
    const { usage, piece } = lastUsage(subject)!;
    const total = count(usage, "totalTokenCount");
    const least = count(usage, "promptTokenCount") + count(usage, "candidatesTokenCount");
    const all = least + count(usage, "toolUsePromptTokenCount") + count(usage, "thoughtsTokenCount");
    if (total === all) return;
    yield {
      ...faultAt(inPiece(piece, "/usageMetadata/totalTokenCount")),
      expected: total < least ? `at least ${least}` : String(all),
      actual: total,
      reading: { id: "G-SUM", default: total < least ? "warning" : "off", strict: "error" },
    };
  },
  spoil: (exchange) =>
    editPieces(exchange, ({ usageMetadata, candidates }: Loose) => {
      // In a stream the last usage counts, which is the one that comes with a finishReason.
      if (!isObject(usageMetadata) || !itemsOf(candidates).some((one: Loose) => one?.finishReason)) return false;
      usageMetadata["totalTokenCount"] = 0;
      return true;
    }),
};

/** A total below prompt and candidates together is another clause's business; the vendor leaves counts out that its total holds. */
const totalParts: Rule = {
  clause: id("total-token-parts"),
  applies: (subject) => {
    const { promptTokenCount, candidatesTokenCount } = lastUsage(subject)?.usage ?? {};
    return promptTokenCount !== undefined && candidatesTokenCount !== undefined;
  },
  *check(subject) {
    const { usage, piece } = lastUsage(subject)!;
    const total = count(usage, "totalTokenCount");
    const all = added.reduce((sum, name) => sum + count(usage, name), 0);
    if (total === all || total < count(usage, "promptTokenCount") + count(usage, "candidatesTokenCount")) return;
    yield {
      ...faultAt(inPiece(piece, "/usageMetadata/totalTokenCount")),
      expected: String(all),
      actual: total,
      reading: warns("X-CLIENTS"),
    };
  },
  spoil: (exchange) =>
    editPieces(exchange, ({ usageMetadata, candidates }: Loose) => {
      if (!isObject(usageMetadata) || !itemsOf(candidates).some((one: Loose) => one?.finishReason)) return false;
      usageMetadata["totalTokenCount"] = Number(usageMetadata["totalTokenCount"]) + 1000;
      return true;
    }),
};

export const usageRules: readonly Rule[] = [candidatesSum, totalSum, totalParts];
