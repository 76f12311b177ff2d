/** Writes clauses and rules on the key of a user's own interface, if its `interface.json` or its OpenAPI document demands one. */
import { type Interface, type KeyClauses, type KeyPlace, keyAt } from "../check/interface.ts";
import type { Fault, Rule } from "../check/rule.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import type { Subject } from "../check/subject.ts";
import type { KeyDemand } from "../documents/security.ts";
import { cookiesIn, withCookie } from "../wire/cookies.ts";
import { editHeader, editTarget } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { escapeToken } from "../wire/pointer.ts";
import { missing } from "./common/auth.ts";

const withoutParameter = (target: string, name: string): string => {
  const [path = "", query = ""] = target.split("?", 2);
  const others = query.split("&").filter((pair) => pair !== name && !pair.startsWith(`${name}=`));
  return others.length > 0 ? `${path}?${others.join("&")}` : path;
};

function withoutKey(exchange: Exchange, { header, query = "", cookie }: KeyPlace): Exchange {
  if (header !== undefined) return editHeader(exchange, "request", header, undefined);
  if (cookie === undefined) return editTarget(exchange, (target) => withoutParameter(target, query));
  const { request } = exchange;
  return { ...exchange, request: { ...request, headers: withCookie(request.headers, cookie, undefined) } };
}

/** Whether redaction masked the name of a cookie. It may be the key's. */
const hasMaskedName = ({ exchange }: Subject): boolean =>
  cookiesIn(exchange.request.headers).some(([name, value]) => name === "" && value.includes("[redacted]"));

const cookiesOf = ({ ways }: KeyDemand): readonly string[] => [
  ...new Set([...ways.values()].flat(2).flatMap(({ cookie }) => cookie ?? [])),
];

function faultPlace({ header, query, cookie }: KeyPlace): Pick<Fault, "in" | "pointer"> {
  if (cookie !== undefined) return { in: "headers", pointer: `/cookie/${escapeToken(cookie)}` };
  return { in: header === undefined ? "query" : "headers", pointer: `/${header ?? query}` };
}

function keyRule(clause: string, key: KeyPlace, demand: KeyDemand): Rule {
  const { ways } = demand;
  const hasCookies = cookiesOf(demand).length > 0;
  return {
    clause,
    operations: new Set(ways.keys()),
    applies: () => true,
    check(subject) {
      const alternatives = ways.get(subject.operation.name)!;
      if (alternatives.some((places) => places.every((place) => keyAt(subject, place)))) return undefined;
      const fault: Fault = {
        side: "request",
        ...faultPlace(key),
        expected: "a key",
        actual: keyAt(subject, key),
      };
      // Another credential proves nothing: `key` may be any parameter here, and the exporter may know only some headers.
      return missing(subject, fault, !subject.credentialsKept || (hasCookies && hasMaskedName(subject)));
    },
    ...(hasCookies && { readsMasked: true }),
    spoil: (exchange) => [...ways.values()].flat(2).reduce(withoutKey, exchange),
  };
}

/** An interface with the rule on its required key, and the clauses. */
interface DemandedKey {
  readonly described: Interface;
  readonly source: SchemaSource;
}

/** Path of the handwritten clauses on keys. */
export const keyFileOf = (name: string): string => `${name}/auth.clauses.json`;

function nameOf({ header, query, cookie }: KeyPlace): string {
  if (cookie !== undefined) return `in the cookie ${cookie}`;
  return header === undefined ? `in the query, as ${query}` : `in the header ${header}`;
}

/** Returns the sentence of the clause. */
function sentenceOf({ operations }: Interface, { ways }: KeyDemand): string {
  const alternatives = new Set(
    [...ways.values()].flat().map((places) => [...new Set(places.map(nameOf))].join(" and ")),
  );
  const requests = ways.size < operations.length ? "Every request of an operation that demands a key" : "Every request";
  return `${requests} carries ${ways.size < operations.length ? "it" : "its key"} ${[...alternatives].join(", or ")}.`;
}

/** Adds the rule and the clauses on the key of an interface. */
export function withKeyDemanded(described: Interface, key: KeyPlace, demand: KeyDemand): DemandedKey {
  const { name, document, rules } = described;
  const present = `${name}.auth.key-present`;
  const { onRequests = [], unknown = `${name}.auth.unknown-key`, ...others } = described.keyClauses ?? {};
  const keyClauses: KeyClauses = {
    operations: [...demand.ways.keys()],
    ...others,
    onRequests: [...onRequests, present],
    unknown,
    cookies: cookiesOf(demand),
  };
  const clauses = [
    {
      name: "key-present",
      at: demand.at,
      says: sentenceOf(described, demand),
      on: "request",
      level: "must",
      readings: ["X-MASKED"],
    },
    {
      name: "unknown-key",
      at: demand.at,
      says: "A request with a key that nobody gave out fails.",
      on: "exchange",
      level: "must",
      unobservable: "No exchange alone shows which keys are valid; a run sends one that nobody gave out.",
    },
  ];
  return {
    described: { ...described, keyClauses, rules: [...rules, keyRule(present, key, demand)] },
    source: { path: keyFileOf(name), content: { document, clauses } },
  };
}
