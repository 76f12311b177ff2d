/** Laws on the values of a whole session. Each exchange gives a few values of its own, and one place compares them in order. */
import { createHash } from "node:crypto";
import type { Exchange } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { spend } from "../budget.ts";
import type { Law, LawFault, Member, SessionValue } from "../law.ts";
import type { HeaderTable, Subject } from "../subject.ts";
import { compileOne, isJudged, isSessionLaw, type LawClause } from "./compile.ts";
import { Key } from "./key.ts";
import { type Picked, spotOf } from "./selector.ts";
import { draftOf, type Spot, setAt, type View, viewOf, withDraft } from "./view.ts";

/** Values of one exchange that are compared, and values of a session that are remembered for each clause. */
const maxOfExchange = 100;
export const maxRemembered = 50_000;

/** Characters of a value that a finding quotes. */
const maxQuoted = 200;

const digestOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("base64").slice(0, 16);
};

const identityOf = ({ request: { method, target, body } }: Exchange): string => digestOf(method, target, body);

/** Methods that create nothing: their responses repeat what exists. */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether headers say that a cache, or a server that knows the request already, repeats an earlier response. */
const isReplay = (headers: HeaderTable): boolean =>
  Object.entries(headers).some(
    ([name, value]) => name === "age" || (/cache|replayed/u.test(name) && /\b(?:hit|true|stale)/iu.test(value)),
  );

/** Whether a place of a response was masked: masked values are alike. */
function isMasked({ in: place, pointer }: Spot, redacted: readonly string[]): boolean {
  const prefix = place === "headers" ? `/headers${pointer}` : "/body";
  return redacted.some((one) => (place === "headers" ? one === prefix : one.startsWith(prefix)));
}

/**
 * Returns what a response says besides the compared values; undefined if it says nothing else. Numbers and booleans count only
 * if there are no texts, since they differ in repeats: times, usage, `cached`. The deltas of a stream are joined, since a cache
 * may cut them elsewhere.
 */
function contentOf({ response, events }: View, compared: ReadonlySet<unknown>): string | undefined {
  const texts = new Map<Key, { last: string; all: string }>();
  const others: unknown[] = [];
  function collect(value: unknown, path: Key): void {
    if (Array.isArray(value)) for (const item of value) collect(item, path.next(null));
    else if (isObject(value)) for (const [name, member] of Object.entries(value)) collect(member, path.next(name));
    else if (value === null || compared.has(value)) return;
    else if (typeof value !== "string") others.push(value);
    else {
      const known = texts.get(path);
      if (!known) texts.set(path, { last: value, all: value });
      else if (known.last !== value) {
        known.last = value;
        known.all += value;
      }
    }
  }
  const root = new Key();
  if (events) {
    for (const { data, isJson } of events) if (isJson) collect(data, root);
  } else collect(response, root);
  const said = texts.size > 0 ? [...texts.values()].map(({ all }) => all) : others;
  return said.length > 0 ? JSON.stringify(said) : undefined;
}

/** Returns a test for texts: whether the request has them. A client may choose a value, or ask for a thing by its id. */
function mentionedIn({ exchange, request, budget }: Subject): (value: unknown) => boolean {
  const { target, body } = exchange.request;
  const sent = request.body.kind === "json" ? request.body.text() : Buffer.from(body).toString("latin1");
  const text = `${target} ${decoded(target)} ${sent}`;
  return (value) => {
    spend(budget, 1 + (text.length >> 3));
    return mentions(text, String(value));
  };
}

/** Characters below which a value has to be a word of its own: `/v1/things` does not mention 1. */
const minPart = 4;
const isPartOfWord = (text: string, at: number): boolean => /[A-Za-z0-9]/u.test(text.charAt(at));

function mentions(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (value.length >= minPart || (!isPartOfWord(text, at - 1) && !isPartOfWord(text, at + value.length))) return true;
  return false;
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Compares values of the exchanges of one session, in their order. */
export interface Session<V extends SessionValue> {
  /** @returns the clauses that two different requests exercise, values that an earlier response has as well, and clauses with too many values */
  add(
    values: readonly V[],
    position: number,
  ): {
    readonly exercised: ReadonlySet<string>;
    readonly repeats: readonly { readonly value: V; readonly earlier: number }[];
    readonly unremembered: ReadonlySet<string>;
  };
}

export function createSession<V extends SessionValue>(max = maxRemembered): Session<V> {
  interface Seen extends Pick<SessionValue, "request" | "response"> {
    readonly position: number;
  }
  const seen = new Map<string, Map<string, Seen>>();
  /** The first request by clause and operation. */
  const firsts = new Map<string, string>();
  return {
    add(values, position) {
      const exercised = new Set<string>();
      const repeats: { value: V; earlier: number }[] = [];
      const unremembered = new Set<string>();
      for (const value of values) {
        const { clause, request, response } = value;
        const scope = `${clause} ${value.operation}`;
        const first = firsts.get(scope);
        if (first === undefined) firsts.set(scope, request);
        else if (first !== request) exercised.add(clause);
        const own = seen.get(clause) ?? new Map<string, Seen>();
        seen.set(clause, own);
        const earlier = own.get(value.digest);
        if (!earlier && own.size < max) own.set(value.digest, { request, response, position });
        else if (!earlier) unremembered.add(clause);
        // The same request is a retry, and the same response is a replay of a cache.
        else if (earlier.request !== request && earlier.response !== response)
          repeats.push({ value, earlier: earlier.position });
      }
      return { exercised, repeats, unremembered };
    },
  };
}

/** Says what is wrong with a repeated value. */
export const repeatOf = (
  { side, in: place, event, pointer, actual, reading }: SessionValue,
  earlier: number,
): Omit<LawFault, "of"> => ({
  ...{ side, in: place, pointer, actual },
  ...(event !== undefined && { event }),
  expected: "a value that no earlier exchange has",
  hint: `exchange ${earlier}, which is another response, has it too`,
  ...(reading && { reading }),
});

/** Changes a value into another one of the same kind and length, by a number. */
function renewed(value: unknown, number: number): unknown {
  if (typeof value === "number") return value + number;
  if (typeof value !== "string") return value;
  const digits = String(number);
  return value.length < 8 || digits.length > value.length / 2
    ? `${value}-${digits}`
    : value.slice(0, -digits.length) + digits;
}

function compileSessionLaw(one: LawClause): Law {
  const compiled = compileOne(one);
  const { clause, reading } = compiled;
  const pick = (view: View): Picked[] => compiled.ready.values?.(view) ?? [];

  function valuesOf(subject: Subject): SessionValue[] {
    const { exchange, response } = subject;
    if (!response?.ok || safeMethods.has(exchange.request.method) || isReplay(response.headers)) return [];
    const view = viewOf(subject);
    if (!isJudged(compiled, view)) return [];
    const picked = pick(view);
    if (picked.length === 0) return [];
    const isMentioned = mentionedIn(subject);
    const request = identityOf(exchange);
    const content = contentOf(view, new Set(picked.map(({ value }) => value)));
    const ofExchange = { request, response: digestOf(content ?? request) };
    const operation = subject.operation.name;
    const values = new Map<string, SessionValue>();
    for (const found of picked) {
      if (values.size === maxOfExchange) break;
      const digest = digestOf(operation, JSON.stringify([found.key?.values(), found.value]));
      const spot = spotOf(found);
      if (values.has(digest) || isMasked(spot, exchange.response?.redacted ?? []) || isMentioned(found.value)) continue;
      const actual = typeof found.value === "string" ? found.value.slice(0, maxQuoted) : found.value;
      values.set(digest, {
        ...{ clause, operation, digest, ...ofExchange, ...spot, actual },
        ...(reading && { reading }),
      });
    }
    return [...values.values()];
  }

  /** Changes all of the values that an exchange gives. */
  function withValues(exchange: Exchange, change: (value: unknown) => unknown): Exchange {
    const draft = draftOf(exchange);
    for (const found of pick(draft)) setAt(draft, spotOf(found), change(found.value));
    return withDraft(exchange, draft);
  }

  function sessionOf(members: readonly Member[]) {
    const session = createSession<SessionValue>();
    return members.map((of) => ({ of, ...session.add(valuesOf(of.subject), of.position) }));
  }

  return {
    clause,
    applies: (members) => sessionOf(members).some(({ exercised }) => exercised.has(clause)),
    *check(members) {
      for (const { of, repeats } of sessionOf(members))
        for (const { value, earlier } of repeats) yield { of, ...repeatOf(value, earlier) };
    },
    spoil(exchanges) {
      const endpointOf = ({ request: { method, target } }: Exchange): string => `${method} ${target.split("?", 1)[0]}`;
      for (const [i, first] of exchanges.entries()) {
        const value = pick(draftOf(first))[0]?.value;
        if (value === undefined) continue;
        const at = exchanges.findIndex(
          (other, j) =>
            j > i &&
            endpointOf(other) === endpointOf(first) &&
            identityOf(other) !== identityOf(first) &&
            pick(draftOf(other)).length > 0,
        );
        if (at >= 0) return exchanges.map((other, j) => (j === at ? withValues(other, () => value) : other));
      }
      return undefined;
    },
    session: {
      valuesOf,
      renew: (exchange, number) => withValues(exchange, (value) => renewed(value, number)),
    },
  };
}

/** Compiles laws on sessions; other laws are ignored. */
export const compileSessionLaws = (clauses: readonly LawClause[]): Law[] =>
  clauses.filter(isSessionLaw).map(compileSessionLaw);
