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

/** Whether a reply is a failure. */
export const isError = ({ status }: Reply): boolean => !/^[123]/.test(status);

/** What tells nodes of whole bodies apart. */
export const rootKeyOf = (node: Node): string => (node.either ? keyOf(node) : node.sources.join(" "));
