/** Derives what a document says of the headers of replies, by the status of the reply. */
import type { Operation } from "../check/operation.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { hopByHop } from "../wire/headers.ts";
import { isError } from "./body-nodes.ts";
import { faultOf } from "./check-value.ts";
import type { Schema, Section, SectionName } from "./clauses.ts";
import { createMaker } from "./make-values.ts";
import type { DescribedOperation, Reply } from "./operations.ts";
import { headersReading } from "./parameter-readings.ts";
import type { Reader } from "./parameter-ways.ts";
import {
  type Leave,
  pathOfText,
  type ReadParameter,
  readParameter,
  schemaOfTexts,
  type TextTranslators,
} from "./parameters.ts";

/** Headers that are described elsewhere, belong to a connection, or that recorders and clients drop. */
const isLeft = (name: string): boolean =>
  hopByHop.has(name) || /^(?:content-(?:type|length|encoding)|set-cookie2?|authorization|date)$/.test(name);

/** The headers of a reply that are judged. @param leave told of those whose schema cannot be */
const headersIn = ({ headers }: Reply, reader: Reader, leave?: Leave): ReadParameter[] =>
  headers.flatMap((header) => (isLeft(header.name.toLowerCase()) ? [] : readParameter(header, reader, leave)));

/** The headers with which an example of a reply comes. */
export function headersMade(reply: Reply, reader: Reader): HeaderPairs {
  const maker = createMaker(reader);
  return headersIn(reply, reader).flatMap((one) => {
    if (one.node === undefined && !one.required) return [];
    const value = one.node ? (one.way.kind === "text" ? maker.smallest(one.node) : maker.make(one.node)) : "example";
    const isGood =
      value !== undefined && (one.node === undefined || faultOf(value, one.node, reader.shape) === undefined);
    const texts = isGood ? headersReading([one]).write({ [one.key]: value }, {}) : undefined;
    return Object.entries(texts ?? {});
  });
}

interface ReplyHeadersOptions extends Reader {
  readonly sections: ReadonlyMap<SectionName, { readonly section: Section } & TextTranslators>;
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
    const { section, translator, ofTexts } = sections.get(on)!;
    const isOnly = replies.filter((other) => isError(other) === (on === "error")).length === 1;
    const own = [...steps, ...(isOnly ? [] : [reply.status.toLowerCase()])];
    const pathOf = (one: Parameters<Leave>[0]) => pathOfText(one, own, "header", "the response headers");
    const read = headersIn(reply, reader, (one, keyword, pointer, reason) =>
      section.leave(pathOf(one), keyword, pointer, reason),
    );
    const schema = schemaOfTexts(read, { section, translator, ofTexts, pathOf });
    if (!schema) continue;
    byStatus.set(reply.status, { schema: file(on, [...own, "headers"].join("-"), schema), ...headersReading(read) });
  }
  if (byStatus.size === 0) return {};
  return { replyHeaders: (status) => ofStatus(byStatus, new Set(replies.map((one) => one.status)), status) };
}

/** What is said of a status: by itself, by its range, or by the default. */
function ofStatus<T>(known: ReadonlyMap<string, T>, described: ReadonlySet<string>, status: number): T | undefined {
  const name = [String(status), `${Math.floor(status / 100)}XX`, "DEFAULT"].find((one) => described.has(one));
  return name === undefined ? undefined : known.get(name);
}
