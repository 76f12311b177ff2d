/** The rules that a reply has a status and a media type that its operation lists. */
import { strictOnly, warns } from "../check/clause.ts";
import type { Rule } from "../check/rule.ts";
import type { Subject } from "../check/subject.ts";
import { utf8 } from "../wire/build.ts";
import { escapeToken } from "../wire/pointer.ts";
import type { OperationBodies } from "./body-nodes.ts";
import type { Section } from "./clauses.ts";
import { familyOf, takesAll } from "./media-types.ts";
import { jsonReplies } from "./reply-is-json.ts";
import { typesIn } from "./shape.ts";
import type { Path } from "./words.ts";

/** Failures that only the API itself decides on. All others come from frameworks, gateways and servers of any API as well. */
const ownFailures = new Set([409, 410, 418, 420, 423, 424]);

/** Statuses that documents rarely list, for counterexamples. */
const rare = [299, 298, 418, 420, 424];

/** Media types of several texts, which documents mostly describe as if there were one. */
const ofSeveral = /ndjson|jsonl|json-seq|json-lines|stream$/i;

interface Named {
  readonly section: Section;
  /** How the reply of an operation is named. */
  readonly pathOf: (bodies: OperationBodies, of: string) => Path;
}

/** The rules of the operations of one interface. */
export const listedReplyRules = (bodies: readonly OperationBodies[], named: Named): Rule[] =>
  bodies.flatMap((one) => [...statusRule(one, named), ...mediaRules(one, named)]);

/** Whether the listed statuses, or ranges of them, include one. */
const lists = (listed: readonly string[], status: number): boolean =>
  listed.includes(String(status)) || listed.includes(`${Math.floor(status / 100)}XX`);

function statusRule(one: OperationBodies, { section, pathOf }: Named): Rule[] {
  const { statuses, pointer } = one.described;
  if (statuses.length === 0 || statuses.includes("DEFAULT")) return [];
  const level = statuses.some((status) => status.endsWith("XX")) ? "should" : "must";
  const clause = section.own(pathOf(one, "the status"), "status", statuses, `${pointer}/responses`, level);
  if (clause === undefined) return [];
  return [
    {
      clause,
      operations: new Set([one.operation.name]),
      applies: ({ response, probe }) =>
        response !== null && (response.status >= 200 || lists(statuses, response.status)) && !probe,
      check({ response }) {
        const { status } = response!;
        if (lists(statuses, status)) return undefined;
        const isOwn = (status < 300 && status >= 200) || ownFailures.has(status);
        const reading = isOwn ? {} : { reading: strictOnly("X-LISTED") };
        return [{ side: "response", in: "status", expected: statuses.join(" or "), actual: status, ...reading }];
      },
      spoil(exchange) {
        const status = rare.find((other) => !lists(statuses, other));
        return exchange.response && status !== undefined
          ? { ...exchange, response: { ...exchange.response, status } }
          : undefined;
      },
    },
  ];
}

/** The rules on media types: one for each successful status of which the document lists any. */
function mediaRules(one: OperationBodies, { section, pathOf }: Named): Rule[] {
  const { replies, statuses } = one.described;
  const successes = [...new Set(replies.map(({ status }) => status))].filter((status) => status.startsWith("2"));
  return successes.flatMap((described): Rule[] => {
    const own = replies.filter(({ status }) => status === described);
    const types = [...new Set(own.flatMap((reply) => reply.types))];
    if (own.some((reply) => reply.types.length === 0) || types.some(takesAll)) return [];
    const isText = one.replies.some(
      ({ reply, json }) =>
        own.includes(reply) && json && typesIn(one.shape.response(json), one.shape.response)?.names.has("string"),
    );
    // Documents also write the bytes of a file as a string of JSON.
    if (isText && types.every((type) => familyOf(type) === "json")) return [];
    const isJson = jsonReplies(one).some(({ status }) => status === described);
    const of = successes.length > 1 ? `the body (status ${described})` : "the body";
    const clause = section.own(pathOf(one, of), "media", types, `${own[0]!.pointer}/content/${escapeToken(types[0]!)}`);
    if (clause === undefined) return [];
    const families = new Set(types.map(familyOf));
    const isOfThis = (status: number): boolean =>
      String(status) === described ||
      (described === "2XX" && status >= 200 && status < 300 && !statuses.includes(String(status)));
    return [
      {
        clause,
        operations: new Set([one.operation.name]),
        applies: (subject) => isOfThis(subject.response?.status ?? 0) && isWhole(subject),
        check({ response }) {
          const { body, mediaType: type } = response!;
          // Another clause says that the body has to be JSON.
          if (body.kind === "empty" || (isJson && body.kind === "text")) return undefined;
          const isSeveral = type !== undefined && families.has("json") && ofSeveral.test(type);
          if (isSeveral || (type !== undefined && families.has(familyOf(type)))) return undefined;
          // The body is what the document describes, though its label is not.
          const isLabel = type === undefined || (body.kind === "json" && families.has("json")) || takesAll(type);
          return [
            {
              side: "response",
              in: "headers",
              pointer: "/content-type",
              expected: types.join(" or "),
              actual: type,
              ...(isLabel && { reading: warns("X-CT-RESPONSE") }),
            },
          ];
        },
        spoil(exchange) {
          const { response } = exchange;
          const other = ["text/html", "application/pdf", "application/json"].find(
            (type) => !families.has(familyOf(type)),
          );
          if (!response || other === undefined) return undefined;
          const kept = response.headers.filter(([name]) => name.toLowerCase() !== "content-type");
          const body = response.body.length > 0 ? response.body : utf8("{}");
          return { ...exchange, response: { ...response, headers: [...kept, ["content-type", other]], body } };
        },
      },
    ];
  });
}

const isWhole = ({ exchange, operation, response }: Subject): boolean =>
  exchange.aborted === undefined &&
  operation.method !== "HEAD" &&
  response !== null &&
  response.body.kind !== "unreadable";
