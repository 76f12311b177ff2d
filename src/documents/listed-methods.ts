/** The rules that requests to a path have a method that the document describes there. */
import type { Operation } from "../check/operation.ts";
import type { Rule } from "../check/rule.ts";
import type { Section } from "./clauses.ts";
import type { DescribedOperation } from "./operations.ts";

/** No OpenAPI document can describe it, and servers that know it only read. */
const foreign = "PROPFIND";

export interface ListedMethods {
  readonly rules: readonly Rule[];
  /** The operation of requests with another method, by path and that method. */
  readonly withMethod: (path: string, method: string) => Operation | undefined;
}

interface Target {
  readonly described: DescribedOperation;
  readonly operation: Operation;
}

/** @param methods those of the whole document, by path */
export function listedMethods(
  targets: readonly Target[],
  methods: ReadonlyMap<string, ReadonlySet<string>>,
  section: Section,
): ListedMethods {
  const others = new Map<string, Operation>();
  const rules: Rule[] = [];
  const named = new Map<string, string[]>();
  for (const { described, operation } of targets) {
    if (!named.get(described.path)?.push(operation.name)) named.set(described.path, [operation.name]);
  }
  for (const { described, operation } of targets) {
    const { path, base, pointer } = described;
    const listed = methods.get(path) ?? new Set([described.method]);
    if (others.has(path)) continue;
    const of = `the method of requests to ${base}${path}`;
    const place = pointer.slice(0, pointer.lastIndexOf("/"));
    const clause = section.own(
      { steps: [path], members: "", of, named: false },
      "method",
      [...listed],
      place,
      "should",
    );
    if (clause === undefined) continue;
    const other: Operation = { name: `* ${base}${path}`, method: "*", at: operation.at, schemas: {} };
    others.set(path, other);
    rules.push({
      clause,
      operations: new Set([other.name, ...named.get(path)!]),
      applies: () => true,
      check: ({ exchange: { request } }) =>
        listed.has(request.method)
          ? undefined
          : [{ side: "request", in: "method", expected: [...listed].join(" or "), actual: request.method }],
      spoil: (exchange) => ({ ...exchange, request: { ...exchange.request, method: foreign } }),
    });
  }
  return {
    rules,
    withMethod: (path, method) => (methods.get(path)?.has(method) ? undefined : others.get(path)),
  };
}
