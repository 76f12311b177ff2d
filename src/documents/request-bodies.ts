/** The rules that a request has the body that its document requires, and in a media type that it describes. */
import type { Operation } from "../check/operation.ts";
import type { Rule } from "../check/rule.ts";
import type { Subject } from "../check/subject.ts";
import { utf8 } from "../wire/build.ts";
import type { Exchange, HeaderPairs } from "../wire/exchange.ts";
import { headerValue, mediaType } from "../wire/headers.ts";
import type { Section } from "./clauses.ts";
import { familyOf, takesAll } from "./media-types.ts";
import type { DescribedOperation } from "./operations.ts";
import type { Path } from "./words.ts";

/** An operation whose requests have a body. */
export interface OperationWithBody {
  readonly described: DescribedOperation;
  readonly operation: Operation;
}

/** Methods whose requests have a body as a rule: of others many clients and servers drop it. */
const withBody = new Set(["POST", "PUT", "PATCH", "QUERY"]);

const isSent = ({ exchange, request }: Subject): boolean =>
  exchange.aborted === undefined && request.body.kind !== "unreadable";

/** Bodies of other media types, of which most documents describe none. */
const others = [
  ["application/xml", "<a/>"],
  ["text/csv", "a,b"],
  ["application/pdf", "%PDF-1.4"],
] as const;

function withContent(exchange: Exchange, type: string | undefined, text: string): Exchange {
  const kept = exchange.request.headers.filter(
    ([name]) => !/^content-(?:type|length|encoding)$|^transfer-encoding$/i.test(name),
  );
  const headers: HeaderPairs = type === undefined ? kept : [...kept, ["content-type", type]];
  return { ...exchange, request: { ...exchange.request, headers, body: utf8(text) } };
}

/** Operations that share one clause, as those do that refer to one body. */
function grouped(
  bodies: readonly OperationWithBody[],
  clauseOf: (described: DescribedOperation) => string | undefined,
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const groups = new Map<string, Map<string, readonly string[]>>();
  for (const { described, operation } of bodies) {
    if (!described.body || !withBody.has(described.method)) continue;
    const clause = clauseOf(described);
    if (clause === undefined) continue;
    const group = groups.get(clause) ?? new Map<string, readonly string[]>();
    groups.set(clause, group.set(operation.name, described.body.types));
  }
  return groups;
}

/** The rules of an interface. @param pathOf how the body of an operation is named */
export function requestBodyRules(
  bodies: readonly OperationWithBody[],
  section: Section,
  pathOf: (described: DescribedOperation) => Path,
): Rule[] {
  const present = grouped(bodies, (described) => {
    const { required, types, pointer } = described.body!;
    // No bytes are a text, and a form without fields.
    const isEmptyBroken =
      types.length > 0 && types.every((type) => /(?:json|xml)$|^multipart\//.test(mediaType(type) ?? ""));
    return required && isEmptyBroken
      ? section.own(pathOf(described), "present", true, `${pointer}/required`)
      : undefined;
  });
  const typed = grouped(bodies, (described) => {
    const { types, pointer } = described.body!;
    const isTold = types.length > 0 && !types.some(takesAll);
    return isTold ? section.own(pathOf(described), "media", types, `${pointer}/content`) : undefined;
  });
  return [
    ...[...present].map(([clause, operations]): Rule => presentRule(clause, operations)),
    ...[...typed].map(([clause, operations]): Rule => mediaRule(clause, operations)),
  ];
}

const presentRule = (clause: string, operations: ReadonlyMap<string, unknown>): Rule => ({
  clause,
  operations: new Set(operations.keys()),
  // Other formats may leave bodies out.
  applies: (subject) => isSent(subject) && subject.exchange.imported === undefined,
  check: ({ request }) =>
    request.body.kind === "empty"
      ? [{ side: "request", in: "body", expected: "a body", actual: undefined }]
      : undefined,
  spoil: (exchange) => withContent(exchange, undefined, ""),
});

function mediaRule(clause: string, operations: ReadonlyMap<string, readonly string[]>): Rule {
  const families = new Map([...operations].map(([name, types]) => [name, new Set(types.map(familyOf))]));
  const sentType = ({ exchange }: Subject): string | undefined =>
    mediaType(headerValue(exchange.request.headers, "content-type"));
  return {
    clause,
    operations: new Set(operations.keys()),
    applies: (subject) => isSent(subject) && subject.request.body.kind !== "empty" && sentType(subject) !== undefined,
    check(subject) {
      const type = sentType(subject)!;
      const own = families.get(subject.operation.name)!;
      // Many clients send JSON under another name, and many servers look at the body alone.
      const isTold = own.has("json") && subject.request.body.kind === "json";
      if (isTold || takesAll(type) || own.has(familyOf(type))) return undefined;
      const expected = operations.get(subject.operation.name)!.join(" or ");
      return [{ side: "request", in: "headers", pointer: "/content-type", expected, actual: type }];
    },
    spoil(exchange) {
      const taken = new Set([...families.values()].flatMap((own) => [...own]));
      const other = others.find(([type]) => !taken.has(familyOf(type)));
      return other && withContent(exchange, other[0], other[1]);
    },
  };
}
