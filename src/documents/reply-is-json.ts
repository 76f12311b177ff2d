/** The rule that replies are JSON: successful ones of which a document describes nothing else, and all that are labelled JSON. */
import type { Rule } from "../check/rule.ts";
import { inWords } from "../check/unquoted.ts";
import { utf8 } from "../wire/build.ts";
import { editBody } from "../wire/edit.ts";
import { mediaType } from "../wire/headers.ts";
import type { OperationBodies } from "./body-nodes.ts";
import type { Section } from "./clauses.ts";
import { familyOf } from "./media-types.ts";
import type { Reply } from "./operations.ts";
import { typesIn } from "./shape.ts";
import type { Path } from "./words.ts";

/** The replies of an operation that have to be JSON if they are labelled so. */
function describedAsJson({ replies, shape }: OperationBodies): Reply[] {
  return replies.flatMap(({ reply, json }) => {
    if (json === undefined) return [];
    const types = typesIn(shape.response(json), shape.response);
    // Documents call the bytes of a file a string of JSON, too.
    return types === undefined || types.names.has("string") ? [] : [reply];
  });
}

/** The successful replies of an operation that have to be JSON under any label. */
export const jsonReplies = (bodies: OperationBodies): Reply[] =>
  describedAsJson(bodies).filter(({ onlyJson, status }) => onlyJson && status.startsWith("2"));

/** Media types of several JSON texts, which documents mostly describe as if there were one. */
const ofSeveral = /ndjson|jsonl|json-seq|json-lines|stream/i;

/** The rule of an interface; undefined where no reply has to be JSON. */
export function replyIsJson(bodies: readonly OperationBodies[], section: Section, path: Path): Rule | undefined {
  const statusesIn = (
    repliesIn: (one: OperationBodies) => readonly Reply[],
  ): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map(bodies.map((one) => [one.operation.name, new Set(repliesIn(one).map(({ status }) => status))]));
  const only = statusesIn(jsonReplies);
  const labelled = statusesIn(describedAsJson);
  const [first] = [jsonReplies, describedAsJson].flatMap((repliesIn) => bodies.flatMap(repliesIn));
  const clause = first && section.own(path, "json", true, `${first.pointer}/content`);
  if (clause === undefined) return undefined;
  return {
    clause,
    applies({ operation, response, streamed, interrupted }) {
      if (!response || interrupted || operation.method === "HEAD" || response.status < 200) return false;
      const { kind } = response.body;
      const type = mediaType(response.headers["content-type"]);
      if (kind === "unreadable" || kind === "stream" || ofSeveral.test(type ?? "")) return false;
      const own = only.get(operation.name);
      if (!streamed && (own?.has(String(response.status)) || (response.ok && own?.has("2XX")))) return true;
      return familyOf(type ?? "") === "json" && isListed(labelled.get(operation.name), response.status);
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

/** Whether a status, or its range, is among those listed, or a default is. */
const isListed = (listed: ReadonlySet<string> | undefined, status: number): boolean =>
  listed !== undefined && [String(status), `${Math.floor(status / 100)}XX`, "DEFAULT"].some((name) => listed.has(name));
