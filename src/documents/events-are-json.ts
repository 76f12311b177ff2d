/** The rule that events of a stream contain JSON, unless the document describes text. */

import type { Rule } from "../check/rule.ts";
import type { Subject } from "../check/subject.ts";
import { inWords } from "../check/unquoted.ts";
import { editEvents } from "../wire/edit.ts";
import type { WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import type { OperationBodies } from "./body-nodes.ts";
import type { Section } from "./clauses.ts";
import type { Reply } from "./operations.ts";
import { typesIn } from "./shape.ts";
import type { Path } from "./words.ts";

/** The successful replies of an operation whose events have to be JSON. */
const describedReplies = ({ replies, shape }: OperationBodies): Reply[] =>
  replies.flatMap(({ reply, stream }) => {
    if (!reply.status.startsWith("2") || stream === undefined) return [];
    const types = typesIn(shape.response(stream), shape.response);
    return types === undefined || types.names.has("string") ? [] : [reply];
  });

/** Ends of streams that documents rarely mention: `[DONE]` anywhere, another word as the last event. */
const isMarker = (data: string, isLast: boolean): boolean =>
  data.trim() === "" || /^\[\w+\]$/.test(data.trim()) || (isLast && /^\w+$/.test(data.trim()));

/** Returns the rule of an interface, or undefined if no stream must contain JSON. */
export function eventsAreJson(bodies: readonly OperationBodies[], section: Section, path: Path): Rule | undefined {
  const statuses = new Map(
    bodies.map((one) => [one.operation.name, new Set(describedReplies(one).map(({ status }) => status))]),
  );
  const [first] = bodies.flatMap(describedReplies);
  const clause = first && section.own(path, "json", true, `${first.pointer}/content`);
  if (clause === undefined) return undefined;
  return {
    clause,
    applies({ operation, response }) {
      const own = statuses.get(operation.name);
      return response?.ok === true && (own?.has(String(response.status)) || own?.has("2XX")) === true;
    },
    *check({ exchange, response }: Subject) {
      const body = response?.body;
      if (body?.kind !== "stream") return;
      const { events, terminated, whole } = body;
      if (events.length === 0 && whole && isPage(exchange.response!))
        yield { side: "response", in: "body", expected: "events", actual: inWords("none") };
      for (const [i, { kind, event = "message", data, position, problem }] of events.entries()) {
        const isLast = i === events.length - 1;
        // Events of other names may contain anything. The last one may be cut off.
        if (kind !== "invalid" || event !== "message" || isMarker(data, isLast) || (isLast && !terminated)) continue;
        yield {
          side: "response",
          in: "stream",
          event: position,
          expected: "a JSON text",
          actual: inWords(problem ?? "a text"),
        };
      }
    },
    spoil: (exchange) => editEvents(exchange, (events) => void events.splice(0, 0, { data: "{broken" })),
  };
}

/** Whether a body without events is a page. */
const isPage = ({ headers, body }: WireResponse): boolean =>
  headerValue(headers, "content-encoding") === undefined &&
  /^\s*</.test(Buffer.from(body.subarray(0, 1_000)).toString());
