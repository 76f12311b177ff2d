/** Rules that note deprecated members and what replaced them. */
import type { Rule } from "../../../check/rule.ts";

import { editJson } from "../../../wire/edit.ts";

/** A body as `spoil` may alter it. */
export type Editable = Record<string, unknown>;

/** Notes a deprecated member of the request body; speaks about requests that use it or what replaced it. */
export function deprecatedMember(
  clause: string,
  member: string,
  replacement: string,
  degrade: (body: Editable) => void,
): Rule {
  return {
    clause,
    applies(subject) {
      const body = subject.requestJson;
      return (body[member] ?? body[replacement] ?? null) !== null;
    },
    *check(subject) {
      const actual = subject.requestJson[member] ?? null;
      if (actual !== null)
        yield { side: "request", in: "body", pointer: `/${member}`, expected: `${replacement} instead`, actual };
    },
    spoil: (exchange) => editJson(exchange, "request", (body: Editable) => degrade(body)),
  };
}
