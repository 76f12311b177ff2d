/** The clauses on JSON texts that several interfaces have on either side. */

import { type Side, warns } from "../../check/clause.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import { inWords } from "../../check/unquoted.ts";
import { utf8 } from "../../wire/build.ts";
import { utf8Text } from "../../wire/bytes.ts";
import { editBody } from "../../wire/edit.ts";

/** JSON is UTF-8 by its own standard (reading X-UTF8). */
export const notUtf8 = {
  in: "body",
  expected: "a JSON text in UTF-8",
  actual: inWords("bytes that are not UTF-8"),
  reading: { id: "X-UTF8", default: "error", strict: "error" },
} as const;

/** No object of a JSON body, or of a stream's events, holds the same member twice (reading X-DUP). */
export function duplicateKeys(clause: string, side: Side): Rule {
  return {
    clause,
    applies(subject) {
      const kind = subject[side]?.body.kind;
      return kind === "json" || kind === "stream";
    },
    check(subject) {
      const body = subject[side]?.body;
      const fault = (place: { readonly in: Fault["in"]; readonly event?: number }, pointer: string): Fault => ({
        side,
        ...place,
        pointer,
        expected: "this member once",
        actual: inWords("the member again"),
        reading: warns("X-DUP"),
      });
      if (body?.kind === "json") return body.lexicalIssues?.duplicates.map((pointer) => fault({ in: "body" }, pointer));
      if (body?.kind !== "stream" || !body.events.some(({ lexicalIssues }) => lexicalIssues)) return undefined;
      return body.events.flatMap(
        ({ lexicalIssues, position: event }) =>
          lexicalIssues?.duplicates.map((pointer) => fault({ in: "stream", event }, pointer)) ?? [],
      );
    },
    spoil(exchange) {
      const message = exchange[side];
      if (!message) return undefined;
      const text = utf8Text(message.body);
      const first = /^\s*\{\s*("(?:[^"\\]|\\.)*"\s*:)/.exec(text)?.[1];
      if (!first) return undefined;
      return editBody(exchange, side, utf8(text.replace("{", `{${first}null,`)));
    },
  };
}
