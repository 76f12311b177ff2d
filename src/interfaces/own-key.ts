/** Writes clauses and rules on the key of a user's own interface, where its `interface.json` says that requests carry one. */
import type { Interface, KeyClauses, KeyPlace } from "../check/interface.ts";
import type { Rule } from "../check/rule.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import { editHeader, editTarget } from "../wire/edit.ts";
import { missing } from "./common/auth.ts";

const withoutParameter = (target: string, name: string): string => {
  const [path = "", query = ""] = target.split("?", 2);
  const others = query.split("&").filter((pair) => pair !== name && !pair.startsWith(`${name}=`));
  return others.length > 0 ? `${path}?${others.join("&")}` : path;
};

function keyRule(clause: string, { header, query = "" }: KeyPlace): Rule {
  return {
    clause,
    applies: () => true,
    check(subject) {
      const value = header === undefined ? subject.query[query] : subject.request.headers[header];
      if (value !== undefined && value !== "") return undefined;
      return missing(subject, {
        side: "request",
        in: header === undefined ? "query" : "headers",
        pointer: `/${header ?? query}`,
        expected: "a key",
        actual: value,
      });
    },
    spoil: (exchange) =>
      header === undefined
        ? editTarget(exchange, (target) => withoutParameter(target, query))
        : editHeader(exchange, "request", header, undefined),
  };
}

/** The result of a key: the interface with its rule, and the clauses. */
export interface KeyDemand {
  readonly described: Interface;
  readonly source: SchemaSource;
}

/** The file that says by hand what is demanded of keys. */
export const keyFileOf = (name: string): string => `${name}/auth.clauses.json`;

/** Demands the key of an interface in every request. */
export function withKeyDemanded(described: Interface, key: KeyPlace): KeyDemand {
  const { name, document, rules } = described;
  const present = `${name}.auth.key-present`;
  const { onRequests = [], unknown = `${name}.auth.unknown-key`, ...others } = described.keyClauses ?? {};
  const keyClauses: KeyClauses = { ...others, onRequests: [...onRequests, present], unknown };
  const place = key.header === undefined ? `in the query, as ${key.query}` : `in the header ${key.header}`;
  const clauses = [
    {
      name: "key-present",
      at: "interface.json",
      says: `Every request carries its key ${place}.`,
      on: "request",
      level: "must",
      readings: ["X-MASKED"],
    },
    {
      name: "unknown-key",
      at: "interface.json",
      says: "A request with a key that nobody gave out fails.",
      on: "exchange",
      level: "must",
      unobservable: "No exchange alone shows which keys are valid; a run sends one that nobody gave out.",
    },
  ];
  return {
    described: { ...described, keyClauses, rules: [...rules, keyRule(present, key)] },
    source: { path: keyFileOf(name), content: { document, clauses } },
  };
}
