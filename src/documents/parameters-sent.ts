/** Makes the parameters of requests that are made from a document. */
import { percentEncoded } from "../wire/percent.ts";
import { faultOf } from "./check-value.ts";
import { createMaker } from "./make-values.ts";
import { type Node, nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { DescribedOperation } from "./operations.ts";
import { parametersAt, type ReadParameter } from "./parameters.ts";
import type { Shape } from "./shape.ts";

/** Names and texts of parameters. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** The target with more in its query. */
export function withQuery(target: string, query: Pairs): string {
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
  return search === "" ? target : `${target}${target.includes("?") ? "&" : "?"}${search}`;
}

/** Good values of parameters: those that have to be sent, and all. */
export function parametersSent(doc: OpenApi, described: DescribedOperation, shape: (node: Node) => Shape) {
  const maker = createMaker({ doc, shape });
  const goodValueOf = ({ node }: Pick<ReadParameter, "node">): string | undefined => {
    const value = node ? maker.smallest(node) : "example";
    return node === undefined || faultOf(value, node, shape) === undefined ? String(value) : undefined;
  };
  const pairsOf = (place: "query" | "header", isWanted: (one: ReadParameter) => boolean): Pairs =>
    parametersAt(doc, described, place, shape).flatMap((one) => {
      const text = isWanted(one) ? goodValueOf(one) : undefined;
      return text === undefined ? [] : [[one.name, text] as const];
    });
  const sending = (isWanted: (one: ReadParameter) => boolean): { query: Pairs; headers: Pairs } => ({
    query: pairsOf("query", isWanted),
    headers: pairsOf("header", isWanted),
  });
  return {
    needed: sending(({ required }) => required),
    // What cannot be read is left out: nobody knows a good value.
    all: sending(({ required, node }) => required || node !== undefined),
    inPath(name: string): string {
      const own = described.parameters.find((one) => one.in === "path" && one.name === name);
      const node = own?.schema === undefined ? undefined : nodeOf(doc, [own.schema]);
      const value = node ? maker.smallest(node) : undefined;
      const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
      const isGood = node && isScalar && faultOf(value, node, shape) === undefined;
      return isGood && value !== "" ? percentEncoded(String(value)) : "example";
    },
  };
}
