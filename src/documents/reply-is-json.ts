/** The rule that successful replies are JSON, where a document describes nothing else. */
import type { Rule } from "../check/rule.ts";
import { inWords } from "../check/unquoted.ts";
import { utf8 } from "../wire/build.ts";
import { editBody } from "../wire/edit.ts";
import { mediaType } from "../wire/headers.ts";
import type { OperationBodies } from "./body-nodes.ts";
import type { Section } from "./clauses.ts";
import type { Reply } from "./operations.ts";
import { typesIn } from "./unions.ts";
import type { Path } from "./words.ts";

/** The successful replies of an operation that have to be JSON. */
export function jsonReplies({ replies, shape }: OperationBodies): Reply[] {
  return replies.flatMap(({ reply, json }) => {
    if (!reply.onlyJson || !reply.status.startsWith("2") || json === undefined) return [];
    const types = typesIn(shape.response(json), shape.response);
    // Documents call the bytes of a file a string of JSON, too.
    return types === undefined || types.names.has("string") ? [] : [reply];
  });
}

/** Media types of several JSON texts, which documents mostly describe as if there were one. */
const ofSeveral = /ndjson|jsonl|json-seq|json-lines|stream/i;

/** The rule of an interface; undefined where no reply has to be JSON. */
export function replyIsJson(bodies: readonly OperationBodies[], section: Section, path: Path): Rule | undefined {
  const statuses = new Map(
    bodies.map((one) => [one.operation.name, new Set(jsonReplies(one).map(({ status }) => status))]),
  );
  const [first] = bodies.flatMap(jsonReplies);
  const clause = first && section.own(path, "json", true, `${first.pointer}/content`);
  if (clause === undefined) return undefined;
  return {
    clause,
    applies({ operation, response, streamed, interrupted }) {
      if (!response || streamed || interrupted || operation.method === "HEAD") return false;
      const own = statuses.get(operation.name);
      const isDescribed = own?.has(String(response.status)) || (response.ok && own?.has("2XX"));
      const { kind } = response.body;
      const isWhole = kind !== "unreadable" && kind !== "stream";
      return isDescribed === true && isWhole && !ofSeveral.test(mediaType(response.headers["content-type"]) ?? "");
    },
    check({ response }) {
      const body = response?.body;
      if (!body || body.kind === "json") return undefined;
      const actual = inWords(body.kind === "text" ? body.problem : body.kind === "empty" ? "an empty body" : "a form");
      return [{ side: "response", in: "body", expected: "a JSON text", actual }];
    },
    spoil: (exchange) => editBody(exchange, "response", utf8("{broken")),
  };
}
