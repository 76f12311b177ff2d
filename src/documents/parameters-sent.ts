/** Generates the parameters of requests from a document. */
import type { ParameterReadings } from "../check/operation.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { faultOf } from "./check-value.ts";
import { createMaker, type Maker } from "./make-values.ts";
import type { Node } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import { type DescribedOperation, examplesIn } from "./operations.ts";
import { parametersAt, type ReadParameter } from "./parameters.ts";
import type { Shape } from "./shape.ts";

/** Serialized parameters of a request. */
export interface SentParameters {
  readonly query: string;
  readonly headers: HeaderPairs;
}

/** Appends parameters to the query of a target. */
export const withQuery = (target: string, query: string): string =>
  query === "" ? target : `${target}${target.includes("?") ? "&" : "?"}${query}`;

/** Values of parameters by name. */
type Values = Readonly<Record<string, unknown>>;

/** Valid values of the parameters of an operation: the required ones, all, and variants of lists and objects. */
export function parametersSent(
  doc: OpenApi,
  described: DescribedOperation,
  shape: (node: Node) => Shape,
  { path, query, headers }: ParameterReadings = {},
  manyOf: (node: Node, maker: Maker) => readonly unknown[],
) {
  const maker = createMaker({ doc, shape });
  const reader = { doc, shape };
  const isGood = (value: unknown, { node }: ReadParameter): boolean =>
    node === undefined || faultOf(value, node, shape) === undefined;
  const isCompound = ({ way }: ReadParameter): boolean => way.kind !== "text";
  /** Returns the first valid example of the document. A service may know it, unlike a generated value. */
  const exampleOf = (one: ReadParameter): unknown =>
    examplesIn(doc, { pointer: one.pointer })
      .map((place) => doc.at(place))
      .map((value) => (one.within === undefined ? value : isObject(value) ? value[one.name] : undefined))
      .find((value) => value !== undefined && isGood(value, one));
  /** Returns a value that is not serialized as nothing. */
  const goodValueOf = (one: ReadParameter): unknown => {
    if (!one.node) return "example";
    const shown = exampleOf(one);
    if (shown !== undefined) return shown;
    const small = maker.smallest(one.node);
    const isNothing = isCompound(one) && typeof small === "object" && small !== null && Object.keys(small).length === 0;
    const value = isNothing ? createMaker({ doc, shape }).make(one.node) : small;
    return value !== undefined && isGood(value, one) ? value : undefined;
  };
  const isSendable = (place: ReadParameter["in"], table: Values): boolean => {
    if (place === "query") return query?.write(table, "") !== undefined;
    if (place === "path") return path?.write(table, described.path) !== undefined;
    return headers?.write(place === "cookie" ? { cookie: table } : table, {}) !== undefined;
  };
  /** Values of parameters of one place. They are tried together, and one by one only if that fails. */
  const tableOf = (own: readonly ReadParameter[]): Values => {
    const valued = own.flatMap((one) => {
      const value = goodValueOf(one);
      return value === undefined ? [] : [{ place: one.in, table: { [one.key]: value } }];
    });
    const whole = Object.fromEntries(valued.flatMap(({ table }) => Object.entries(table)));
    if (valued.length === 0 || isSendable(valued[0]!.place, whole)) return whole;
    const sendable = valued.filter(({ place, table }) => isSendable(place, table));
    return Object.fromEntries(sendable.flatMap(({ table }) => Object.entries(table)));
  };
  const [inPath, inQuery, inHeader, inCookie] = (["path", "query", "header", "cookie"] as const).map((place) =>
    parametersAt(described, place, reader),
  ) as [ReadParameter[], ReadParameter[], ReadParameter[], ReadParameter[]];
  const sendingOf = (asked: Values, heads: Values, cookie: Values): SentParameters => {
    const named = { ...heads, ...(Object.keys(cookie).length > 0 && { cookie }) };
    return {
      query: query?.write(asked, "") ?? "",
      headers: Object.entries(headers?.write(named, {}) ?? {}),
    };
  };
  const sending = (isWanted: (one: ReadParameter) => boolean): SentParameters =>
    sendingOf(
      tableOf(inQuery.filter(isWanted)),
      tableOf(inHeader.filter(isWanted)),
      tableOf(inCookie.filter(isWanted)),
    );
  const pathTable = tableOf(inPath.filter(({ node }) => node !== undefined));
  const isRequired = ({ required }: ReadParameter): boolean => required;
  // Parameters that cannot be parsed are skipped: their valid values are unknown.
  const isKnown = ({ required, node }: ReadParameter): boolean => required || node !== undefined;
  return {
    needed: sending(isRequired),
    all: sending(isKnown),
    hasMore: [...inQuery, ...inHeader, ...inCookie].some((one) => isKnown(one) && !isRequired(one)),
    /** Yields a set for each further value of a list or an object. */
    *more(): Generator<SentParameters & { readonly inPath: Values }> {
      const needed = { query: tableOf(inQuery.filter(isRequired)), header: tableOf(inHeader.filter(isRequired)) };
      const cookie = tableOf(inCookie.filter(isRequired));
      for (const one of [...inPath, ...inQuery, ...inHeader]) {
        if (!one.node || !isCompound(one)) continue;
        for (const value of manyOf(one.node, createMaker({ doc, shape }))) {
          const own = { [one.key]: value };
          if (!isGood(value, one) || !isSendable(one.in, own)) continue;
          const asked = one.in === "query" ? { ...needed.query, ...own } : needed.query;
          const heads = one.in === "header" ? { ...needed.header, ...own } : needed.header;
          yield { ...sendingOf(asked, heads, cookie), inPath: one.in === "path" ? own : {} };
        }
      }
    },
    /** Returns a path with valid values. @param template the path of the document, with parameters in braces */
    inPath(template: string, values: Values = {}): string {
      const written = path?.write({ ...pathTable, ...values }, template) ?? template;
      return written.replace(/\{[^}]*\}/g, "example");
    },
  };
}
