/** Rules of generate-content's `reply-content` section: what parts of a reply hold, and how they follow each other. */

import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { isObject } from "../../wire/json.ts";
import { editCandidate, type Loose } from "./examples/spoil.ts";
import { base64Fault, thoughtReading, unionFault, unknownMember } from "./reading/part.ts";
import { type Found, faultAt, memberOf, replyOf } from "./reading/reply.ts";

const id = (name: string): string => `generate-content.reply-content.${name}`;
type Json = Readonly<Record<string, unknown>>;

const replyParts = (subject: Subject): readonly Found<Json>[] =>
  replyOf(subject)?.candidates.flatMap(({ parts }) => parts) ?? [];

const replyUnion: Rule = {
  clause: id("part-one-kind"),
  applies: (subject) => replyParts(subject).length > 0,
  *check(subject) {
    for (const found of replyParts(subject)) {
      const fault = unionFault(found.value);
      if (fault) yield { ...faultAt(found), ...fault };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ content }) => Array.isArray(content?.parts) && content.parts.push({}) > 0),
};

const replyKnown: Rule = {
  clause: id("part-known-members"),
  applies: (subject) => replyParts(subject).length > 0,
  *check(subject) {
    for (const found of replyParts(subject)) {
      const name = unknownMember(found.value);
      if (name !== undefined)
        yield { ...faultAt(found), expected: "documented members", actual: name, reading: thoughtReading };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ content }) => {
      if (!isObject(content?.parts?.[0])) return false;
      content.parts[0]["thought"] = true;
      return true;
    }),
};

const replyBase64: Rule = {
  clause: id("inline-data-base64"),
  applies: (subject) =>
    replyParts(subject).some(({ value }) => typeof memberOf(value, "inlineData")["data"] === "string"),
  *check(subject) {
    for (const found of replyParts(subject)) {
      const fault = base64Fault(memberOf(found.value, "inlineData")["data"]);
      if (fault) yield { ...faultAt(found, "/inlineData/data"), ...fault };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ content }) => {
      const part = content?.parts?.find(({ inlineData }: Loose) => inlineData);
      if (part) part.inlineData.data = "QR==";
      return part !== undefined;
    }),
};

const codeOrder: Rule = {
  clause: id("code-order"),
  applies: (subject) => replyParts(subject).some(({ value }) => isObject(value["codeExecutionResult"])),
  *check(subject) {
    for (const { parts } of replyOf(subject)?.candidates ?? []) {
      let code = false;
      let adjacent = false;
      for (const found of parts) {
        if (isObject(found.value["codeExecutionResult"]) && !adjacent)
          yield {
            ...faultAt(found, "/codeExecutionResult"),
            expected: "executableCode before it",
            actual: inWords(code ? "other parts between" : "none"),
            reading: { id: "G-CODE-ORDER", default: code ? "off" : "warning", strict: "error" },
          };
        adjacent = isObject(found.value["executableCode"]);
        code ||= adjacent;
      }
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ content }) => {
      const at: number = content?.parts?.findIndex(({ executableCode }: Loose) => executableCode) ?? -1;
      if (at >= 0) content.parts.splice(at, 1);
      return at >= 0;
    }),
};

export const replyContentRules: readonly Rule[] = [replyUnion, replyKnown, replyBase64, codeOrder];
