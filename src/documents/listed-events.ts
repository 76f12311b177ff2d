/** The rule that each event of a stream has a name that its operation lists. */
import type { Rule } from "../check/rule.ts";
import type { Subject } from "../check/subject.ts";
import { utf8 } from "../wire/build.ts";
import { editBody } from "../wire/edit.ts";
import type { OperationBodies } from "./body-nodes.ts";
import type { Section } from "./clauses.ts";
import type { DescribedOperation } from "./operations.ts";
import type { Path } from "./words.ts";

/** Names that an expectation lists. */
const maxNames = 20;

/** The rules of the operations whose documents name every event. */
export const listedEventRules = (
  bodies: readonly OperationBodies[],
  section: Section,
  pathOf: (described: DescribedOperation) => Path,
): Rule[] =>
  bodies.flatMap(({ described, operation }): Rule[] => {
    const kinds = described.replies.filter(({ status }) => status.startsWith("2")).flatMap(({ events }) => events);
    const names = new Set(kinds.flatMap(({ names = [] }) => names));
    if (names.size === 0 || kinds.some((kind) => kind.names === undefined)) return [];
    if (kinds.every(({ data }) => data === undefined)) return [];
    // A client takes an event without this line as a message.
    const isRequired = kinds.every(({ isNamed }) => isNamed) && !names.has("message");
    const clause = section.own(pathOf(described), "event", [...names], kinds[0]!.at);
    if (clause === undefined) return [];
    const expected = [...names].slice(0, maxNames).join(", ") + (names.size > maxNames ? ", ..." : "");
    const eventsOf = ({ response }: Subject) =>
      response?.ok && response.body.kind === "stream" ? response.body.events.filter(({ kind }) => kind === "json") : [];
    return [
      {
        clause,
        operations: new Set([operation.name]),
        applies: (subject) => eventsOf(subject).some(({ event }) => isRequired || event !== undefined),
        *check(subject) {
          for (const { event, position } of eventsOf(subject))
            if (event === undefined ? isRequired : !names.has(event))
              yield { side: "response", in: "stream", event: position, expected: `event: ${expected}`, actual: event };
        },
        spoil(exchange) {
          const body = Buffer.from(exchange.response?.body ?? []).toString();
          const changed = body.replace(/^event:[^\r\n]*/m, "event: not-an-event");
          return changed === body ? undefined : editBody(exchange, "response", utf8(changed));
        },
      },
    ];
  });
