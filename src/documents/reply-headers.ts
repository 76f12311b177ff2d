/** Derives what a document says of the headers of replies, by the status of the reply. */
import type { Operation } from "../check/operation.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { hopByHop } from "../wire/headers.ts";
import { isError } from "./body-nodes.ts";
import { faultOf } from "./check-value.ts";
import type { Section, SectionName } from "./clauses.ts";
import { allTypes } from "./json-types.ts";
import { createMaker } from "./make-values.ts";
import { type Node, nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { DescribedOperation, Header, Reply } from "./operations.ts";
import { pathOfText, type ReadParameter, scalarTypes, schemaOfTexts } from "./parameters.ts";
import type { Shape } from "./shape.ts";
import { valueBehind } from "./text-values.ts";
import type { Translator } from "./translate.ts";
import type { Schema } from "./unions.ts";

/** Headers that are described elsewhere, belong to a connection, or that recorders and clients drop. */
const isLeft = (name: string): boolean =>
  hopByHop.has(name) || /^(?:content-(?:type|length|encoding)|set-cookie2?|authorization|date)$/.test(name);

interface Reader {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
}

/** The headers of a reply that are judged. @param leave told of those whose schema cannot be */
function headersIn(
  { headers }: Reply,
  { doc, shape }: Reader,
  leave: (header: Header, reason: string) => void = () => {},
): ReadParameter[] {
  return headers.flatMap((header): ReadParameter[] => {
    const key = header.name.toLowerCase();
    if (isLeft(key)) return [];
    const node = header.schema === undefined ? undefined : nodeOf(doc, [header.schema]);
    const types = node ? scalarTypes(shape(node), shape) : new Set(allTypes);
    if (typeof types !== "string") return [{ ...header, key, node, types }];
    leave(header, types);
    return [{ ...header, key, node: undefined, types: new Set(allTypes) }];
  });
}

/** The headers with which an example of a reply comes. */
export function headersMade(reply: Reply, reader: Reader): HeaderPairs {
  const maker = createMaker(reader);
  return headersIn(reply, reader).flatMap((one) => {
    if (one.node === undefined && !one.required) return [];
    const value = one.node ? maker.smallest(one.node) : "example";
    const text = String(value);
    const isGood = one.node === undefined || faultOf(value, one.node, reader.shape) === undefined;
    return isGood && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? [[one.key, text] as const] : [];
  });
}

interface ReplyHeadersOptions extends Reader {
  readonly sections: ReadonlyMap<SectionName, { readonly section: Section; readonly translator: Translator }>;
  readonly file: (section: SectionName, name: string, content: Schema) => string;
  /** What ids of the operation begin with; empty where there is no other. */
  readonly steps: readonly string[];
}

/** Writes the schemas of the headers of an operation's replies; nothing where none has any. */
export function replyHeaderSchemas(
  { replies }: DescribedOperation,
  { sections, file, steps, ...reader }: ReplyHeadersOptions,
): Pick<Operation, "replyHeaders"> {
  type Judged = NonNullable<ReturnType<NonNullable<Operation["replyHeaders"]>>>;
  const byStatus = new Map<string, Judged>();
  for (const reply of replies) {
    // Of a status that is described twice nobody knows which headers come.
    if (replies.filter(({ status }) => status === reply.status).length > 1) continue;
    const on = isError(reply) ? "error" : "response";
    const { section, translator } = sections.get(on)!;
    const isOnly = replies.filter((other) => isError(other) === (on === "error")).length === 1;
    const own = [...steps, ...(isOnly ? [] : [reply.status.toLowerCase()])];
    const pathOf = (one: Pick<Header, "name" | "pointer">) => pathOfText(one, own, "header", "the response headers");
    const read = headersIn(reply, reader, (one, reason) =>
      section.leave(pathOf(one), "schema", one.schema ?? one.pointer, reason),
    );
    const schema = schemaOfTexts(read, { section, translator, pathOf });
    if (!schema) continue;
    const types = new Map(read.map((one) => [one.key, one.types]));
    byStatus.set(reply.status, {
      schema: file(on, [...own, "headers"].join("-"), schema),
      read: (headers) =>
        Object.fromEntries(
          Object.entries(headers).map(([name, text]) => {
            const own = types.get(name);
            return [name, own ? valueBehind(text, own) : text];
          }),
        ),
    });
  }
  if (byStatus.size === 0) return {};
  return { replyHeaders: (status) => ofStatus(byStatus, new Set(replies.map((one) => one.status)), status) };
}

/** What is said of a status: by itself, by its range, or by the default. */
function ofStatus<T>(known: ReadonlyMap<string, T>, described: ReadonlySet<string>, status: number): T | undefined {
  const name = [String(status), `${Math.floor(status / 100)}XX`, "DEFAULT"].find((one) => described.has(one));
  return name === undefined ? undefined : known.get(name);
}
