/** What the bodies of an operation have to be, as nodes of the document. */
import type { Operation } from "../check/operation.ts";
import type { DerivedForm } from "./forms.ts";
import { eitherOf, keyOf, type Node, nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { DescribedOperation, Reply } from "./operations.ts";
import type { Shape } from "./shape.ts";

/** An operation with the nodes of its bodies, as examples are made of them. */
export interface OperationBodies {
  readonly described: DescribedOperation;
  readonly operation: Operation;
  readonly request: Node | undefined;
  readonly forms: readonly DerivedForm[];
  readonly replies: readonly {
    readonly reply: Reply;
    readonly json: Node | undefined;
    readonly stream: Node | undefined;
    /** The kinds of its events. */
    readonly events: readonly EventKind[];
  }[];
  readonly shape: Readonly<Record<"request" | "response", (node: Node) => Shape>>;
}

/** One of several values, as where the document has an operation more than once; undefined where nothing is known of one of them. */
export function nodeOfAny(doc: OpenApi, pointers: readonly (string | undefined)[]): Node | undefined {
  // Operations that are merged often repeat their schemas.
  const byText = new Map(
    pointers.flatMap((pointer) => (pointer === undefined ? [] : [[JSON.stringify(doc.at(pointer)), pointer] as const])),
  );
  const known = [...byText.values()];
  const nodes = known.map((pointer) => nodeOf(doc, [pointer]));
  return nodes.length < 2 ? nodes[0] : eitherOf(doc, known[0]!, nodes);
}

/** The body of requests. */
export const requestNodeOf = (doc: OpenApi, { body }: DescribedOperation): Node | undefined =>
  nodeOfAny(doc, [body?.json, ...(body?.others ?? [])]);

/** What replies bring, by status or range of statuses. */
export const nodesByStatus = (doc: OpenApi, replies: readonly Reply[]): [status: string, node: Node | undefined][] =>
  [...new Set(replies.map(({ status }) => status))].map((status) => [
    status,
    nodeOfAny(
      doc,
      replies.filter((reply) => reply.status === status).map(({ json }) => json),
    ),
  ]);

/** The data of the events of good replies. */
export const eventNodeOf = (doc: OpenApi, replies: readonly Reply[]): Node | undefined =>
  nodeOfAny(
    doc,
    replies.filter(({ status }) => status.startsWith("2")).flatMap(({ stream }) => stream),
  );

/** Events of a stream with data of one kind. */
export interface EventKind {
  /** What their `event:` lines say; undefined for any other line, and for none. */
  readonly name: string | undefined;
  /** Undefined if nothing is said of their data. */
  readonly node: Node | undefined;
}

/** The events of replies by name, those without a name in the document last. */
export function eventKindsOf(doc: OpenApi, replies: readonly Reply[]): EventKind[] {
  const byName = new Map<string | undefined, (string | undefined)[]>();
  const all = replies.flatMap(({ events }) => events);
  for (const { names, data } of [...all.filter(({ names }) => names), ...all.filter(({ names }) => !names)])
    for (const name of names ?? [undefined]) byName.set(name, [...(byName.get(name) ?? []), data]);
  const nodeIn = (data: readonly (string | undefined)[]): Node | undefined =>
    data.includes(undefined) ? undefined : nodeOfAny(doc, data);
  // An event without this line may be any of them, if it may be missing.
  if (all.some(({ isNamed }) => !isNamed) && !byName.has(undefined) && !byName.has("message"))
    byName.set(
      undefined,
      all.map(({ data }) => data),
    );
  return [...byName].map(([name, data]) => ({ name, node: nodeIn(data) }));
}

/** Whether a reply is a failure. */
export const isError = ({ status }: Reply): boolean => !/^[123]/.test(status);

/** What tells nodes of whole bodies apart. */
export const rootKeyOf = (node: Node): string => (node.either ? keyOf(node) : node.sources.join(" "));
