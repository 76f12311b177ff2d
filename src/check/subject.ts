/** An exchange read once for all checks: headers by name, query, bodies as `body.ts` reads them, and what rules derive of it. */

import type { Exchange, HeaderPairs, KnownBodies } from "../wire/exchange.ts";
import { headerValue, mediaType } from "../wire/headers.ts";
import { isObject } from "../wire/json.ts";
import { pathOf } from "../wire/target.ts";
import { type Body, readBody, type StreamEvent } from "./body.ts";
import { type Budget, createBudget } from "./budget.ts";
import type { Violation } from "./clause.ts";
import { credentialInPlaceOf } from "./credential-in-place.ts";
import type { Names } from "./names.ts";
import type { Operation } from "./operation.ts";

/** Header values by lower-case name; neutral names stand beside the bound ones. Without prototype. */
export type HeaderTable = Readonly<Record<string, string>>;

export interface Subject {
  readonly exchange: Exchange;
  /** Name of the interface. */
  readonly interface: string;
  readonly operation: Operation;
  readonly names: Names;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly request: {
    readonly headers: HeaderTable;
    readonly body: Body;
    /** Documented headers of a key that came in another one, and in which; their values stand in `headers` as documented. */
    readonly keyCameIn: HeaderTable;
  };
  readonly response: {
    readonly status: number;
    /** Status 200 to 299. */
    readonly ok: boolean;
    /** Read when first asked for: replies carry many headers, and good ones are asked for few. */
    readonly headers: HeaderTable;
    /** `type/subtype` in lower case. */
    readonly mediaType: string | undefined;
    readonly body: Body;
  } | null;
  /** The request's JSON as an object; an empty one where it is none, so that rules need not ask. */
  readonly requestJson: Readonly<Record<string, unknown>>;
  /** The successful whole reply's JSON; undefined where it failed, was streamed, is unreadable or no object. */
  readonly replyJson: Readonly<Record<string, unknown>> | undefined;
  /** The events of a successful streamed reply. */
  readonly streamEvents: readonly StreamEvent[] | undefined;
  /** Whether the request asked for a stream. */
  readonly streamed: boolean;
  /** Whether the exchange broke off, was too long to be read, or its stream reported an error, so that an end cannot be demanded. */
  readonly interrupted: boolean;
  /** Whether the request was sent broken on purpose, to see it refused (reading X-ENFORCE). */
  readonly probe: boolean;
  /** Whether a credential that is not there was not sent either (reading X-MASKED): live traffic, or a binding that says so. */
  readonly credentialsKept: boolean;
  /** Clause ids of error-level findings on the request, known before response rules run. */
  readonly requestFaults: readonly string[];
  /** Places that violate clauses of shape, known before rules of the same side run. Laws do not judge them. */
  readonly misshapen: Pick<Violation, "side" | "in" | "event" | "pointer">[];
  /** Neutral names that the exchange itself bound, and to what (reading X-NAMES). */
  readonly inferred: Record<string, string>;
  /** The values that `remember` derived from it. */
  readonly derived: Derived;
  readonly budget: Budget;
}

/** What was derived of a subject, by the number that this copy of the module gave to what derives it. */
interface Derived {
  readonly values: unknown[];
  readonly copy: symbol;
}

let derivations = 0;
const nothing = Symbol("nothing");

/** This copy of the module: the code of a user's own may bring another one, which counts for itself. */
const copy = Symbol("copy");
const elsewhere = new WeakMap<Subject, unknown[]>();

/** What another copy of the module keeps of a subject that this one did not read. */
function derivedElsewhere(subject: Subject): unknown[] {
  const known = elsewhere.get(subject) ?? [];
  elsewhere.set(subject, known);
  return known;
}

const nothingDerived = (): Derived => ({ values: new Array(derivations), copy });

/** The same exchange with other names, of which everything is derived anew. */
export const subjectWith = (subject: Subject, names: Names): Subject => ({
  ...subject,
  derived: nothingDerived(),
  names,
});

/** Makes of `compute` a function that computes once a subject, however many rules ask. Call it once a module, not once a rule run. */
export function remember<T>(compute: (subject: Subject) => T): (subject: Subject) => T {
  const slot = derivations++;
  return (subject) => {
    const derived = subject.derived.copy === copy ? subject.derived.values : derivedElsewhere(subject);
    const known = derived[slot];
    if (known !== undefined) return (known === nothing ? undefined : known) as T;
    const value = compute(subject);
    derived[slot] = value === undefined ? nothing : value;
    return value;
  };
}

function headerTable(headers: HeaderPairs, names: Names, inferred: Record<string, string>): Record<string, string> {
  const table: Record<string, string> = Object.create(null);
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    table[key] = key in table ? `${table[key]}, ${value}` : value;
  }
  for (const { neutral, own, isInferred } of names.ownHeaders) {
    const value = table[own];
    if (value === undefined || neutral in table) continue;
    table[neutral] = value;
    if (isInferred) inferred[neutral] = own;
  }
  return table;
}

const noMembers: Readonly<Record<string, never>> = Object.freeze(Object.create(null));

function queryTable(target: string): Readonly<Record<string, string>> {
  const from = target.indexOf("?");
  if (from < 0) return noMembers;
  const table: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(target.slice(from + 1))) table[name] ??= value;
  return table;
}

/** The operation an exchange is one of, and what reading it has to know of its interface. */
interface Route {
  readonly interface: { readonly name: string; readonly streams: (subject: Subject) => boolean };
  readonly operation: Operation;
}

/** Reads an exchange of a known operation. Never throws on what the wire carried. */
export function readSubject(
  exchange: Exchange,
  route: Route,
  names: Names,
  probe = false,
  known?: KnownBodies,
): Subject & { requestFaults: readonly string[] } {
  const { request, response } = exchange;
  const { operation } = route;
  const budget = createBudget(exchange);
  const inferred: Record<string, string> = Object.create(null);
  const requestHeaders = headerTable(request.headers, names, inferred);
  const keyCameIn = credentialInPlaceOf(requestHeaders, names.alternatives(route.interface.name).credentials);
  const brokenOff = exchange.aborted !== undefined;
  const responseBody = response && readBody(response, [operation, "response", brokenOff, budget], known?.response);
  let responseHeaders: HeaderTable | undefined;
  const requestBody = readBody(request, [operation, "request", brokenOff, budget], known?.request);
  const ok = response !== null && response.status >= 200 && response.status < 300;
  const subject: Subject & { requestFaults: readonly string[]; streamed: boolean } = {
    exchange,
    interface: route.interface.name,
    operation,
    names,
    path: pathOf(request.target),
    query: queryTable(request.target),
    request: { headers: requestHeaders, body: requestBody, keyCameIn },
    response:
      response && responseBody
        ? {
            status: response.status,
            ok,
            get headers() {
              responseHeaders ??= headerTable(response.headers, names, inferred);
              return responseHeaders;
            },
            mediaType: mediaType(headerValue(response.headers, "content-type")),
            body: responseBody,
          }
        : null,
    requestJson: requestBody.kind === "json" && isObject(requestBody.value) ? requestBody.value : noMembers,
    replyJson: ok && responseBody?.kind === "json" && isObject(responseBody.value) ? responseBody.value : undefined,
    streamEvents: ok && responseBody?.kind === "stream" ? responseBody.events : undefined,
    streamed: false,
    interrupted:
      brokenOff ||
      (responseBody?.kind === "stream" &&
        (!responseBody.whole || responseBody.events.some(({ kind }) => kind === "error"))),
    probe,
    credentialsKept: (names.credentials ?? (exchange.imported ? "may-be-dropped" : "kept")) === "kept",
    requestFaults: [],
    misshapen: [],
    inferred,
    derived: nothingDerived(),
    budget,
  };
  subject.streamed = route.interface.streams(subject);
  return subject;
}
