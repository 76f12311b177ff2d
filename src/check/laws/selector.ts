/** Selectors: data that picks values of one exchange, in order, each with its place. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../wire/json.ts";
import { escapeToken, pointer, tokensOf } from "../../wire/pointer.ts";
import { type Draft, type EventIndex, indexEvents, type Spot, setAt, typeOfEvent, type View } from "./view.ts";

type Scalar = string | number | boolean | null;

/** A test of a value: equals this value or one of these, is present or absent, or is none of these. */
export type Test =
  | Scalar
  | readonly Scalar[]
  | { readonly present: boolean }
  | { readonly not: Scalar | readonly Scalar[] };

/**
 * Exactly one of `request`, `response`, `error`, `event`, `header`, `query`, `status` and `data` selects the values. `response` and
 * `event` may be used together: the value is in the whole response, or in an event of the stream. `where` and `by` then apply to the event only. Pointers may
 * contain `*` for every item of a list. In `where` and `by` a `*` is the same item as in the picking pointer.
 */
export interface Selector {
  /** Pointer into the JSON of the request. */
  readonly request?: string;
  /** Pointer into the JSON of a successful response that is no stream. */
  readonly response?: string;
  /** Pointer into the JSON of a response with an error status. */
  readonly error?: string;
  /** Type of events, or several; `*` for all events with JSON. */
  readonly event?: string | readonly string[];
  /** Pointer into the data of these events; the whole by default. */
  readonly at?: string;
  /** Name of a header of the response, or of the request with `side`. */
  readonly header?: string;
  readonly side?: "request" | "response";
  readonly query?: string;
  readonly status?: true;
  /** Data of events that is not JSON, such as `[DONE]`. */
  readonly data?: string;
  /** Picks only values for which these pointers have these values. */
  readonly where?: Readonly<Record<string, Test>>;
  /** Pointers to the key. Values with equal keys are judged together. */
  readonly by?: readonly string[];
}

/** A selector and a test of the picked values; by default, that one is present. */
export interface Condition extends Selector {
  readonly is?: Test;
}

export interface Picked {
  /** Undefined if the member is missing. */
  readonly value: unknown;
  readonly spot: Spot;
  /** JSON of the values of `by`; empty without `by`. */
  readonly key: string;
}

export interface Select {
  /** Returns picks in order. Includes places at which only the last member is missing, without a value. */
  readonly all: (view: View) => Picked[];
  /** Returns picks with a value. */
  readonly present: (view: View) => Picked[];
  /** Whether the exchange has the part that the selector reads. */
  readonly hasPart: (view: View) => boolean;
  readonly isOnEvents: boolean;
  /** Whether a value of a wrong shape at this place may change the picks. */
  readonly touches: (view: View, spot: Spot) => boolean;
  readonly selector: Selector;
  /** Sets the key of a picked value. */
  readonly assignKey: (draft: Draft, picked: Picked, key: string) => void;
}

/** Whether a value passes a test. */
export function passes(test: Test, value: unknown): boolean {
  if (Array.isArray(test)) return test.includes(value as Scalar);
  if (isObject(test))
    return "not" in test ? ![test["not"]].flat().includes(value as Scalar) : test["present"] === (value !== undefined);
  return test === value;
}

const every = "*";

/** Budget steps per event that a selector reads. */
const stepsPerPick = 20;

interface Found {
  readonly value: unknown;
  readonly pointer: string;
  /** Position for each `*`. */
  readonly items: readonly number[];
}

/** Returns values at a pointer with `*`. A missing last member is included without a value. */
function find(root: unknown, tokens: readonly string[]): Found[] {
  let found: Found[] = [{ value: root, pointer: "", items: [] }];
  for (const [depth, token] of tokens.entries()) {
    const isLast = depth === tokens.length - 1;
    const next: Found[] = [];
    for (const { value, pointer, items } of found) {
      if (token === every) {
        if (Array.isArray(value))
          for (const [i, item] of value.entries())
            next.push({ value: item, pointer: `${pointer}/${i}`, items: [...items, i] });
        continue;
      }
      const has = typeof value === "object" && value !== null && Object.hasOwn(value, token);
      const own = { pointer: `${pointer}/${escapeToken(token)}`, items };
      if (has) next.push({ ...own, value: (value as Record<string, unknown>)[token] });
      else if (isLast && isObject(value)) next.push({ ...own, value: undefined });
    }
    found = next;
  }
  return found;
}

/** Returns the value at a pointer whose `*` are these items. */
function bound(root: unknown, tokens: readonly string[], items: readonly number[]): unknown {
  let value = root;
  let star = 0;
  for (const token of tokens) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = token === every ? String(items[star++]) : token;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
}

/** Whether a pointer and a pattern lie on one path: one of them begins the other. */
function isOnPath(pointer: string, pattern: readonly string[]): boolean {
  const tokens = tokensOf(pointer);
  const shared = Math.min(tokens.length, pattern.length);
  for (let i = 0; i < shared; i++) if (pattern[i] !== every && pattern[i] !== tokens[i]) return false;
  return true;
}

/** Compiles a selector. */
export function compileSelector(selector: Selector): Select {
  const { response, event: streamed, ...shared } = selector;
  if (response === undefined || streamed === undefined) return compilePart(selector);
  // A response is whole or a stream, never both.
  const { at: _at, where: _where, by: _by, ...whole } = { ...shared, response };
  const parts = [compilePart(whole), compilePart({ ...shared, event: streamed })];
  const partFor = (view: View): Select => parts[view.events === undefined ? 0 : 1]!;
  return {
    all: (view) => partFor(view).all(view),
    present: (view) => partFor(view).present(view),
    hasPart: (view) => partFor(view).hasPart(view),
    isOnEvents: false,
    touches: (view, spot) => partFor(view).touches(view, spot),
    selector,
    assignKey: (draft, picked, key) => partFor(draft).assignKey(draft, picked, key),
  };
}

function compilePart(selector: Selector): Select {
  const { event, at = "", data, header, side = "response", query, status, where = {}, by = [] } = selector;
  const types = event === undefined || event === every ? undefined : new Set([event].flat());
  const part = (["request", "response", "error"] as const).find((one) => selector[one] !== undefined);
  const isOnEvents = event !== undefined || data !== undefined;
  const tokens = tokensOf(part ? selector[part]! : at);
  const tests = Object.entries(where).map(([pointer, test]) => ({ tokens: tokensOf(pointer), test }));
  const keys = by.map(tokensOf);
  const place = { side: part === "request" ? "request" : "response", in: part ? "body" : "stream" } as const;

  const hasStar = tokens.includes(every);
  const path = pointer(...tokens);
  const parents = tokens.slice(0, -1);
  const last = tokens.at(-1);

  /** Picks by a pointer without `*`, as most laws do. */
  function findOne(root: unknown): Found | undefined {
    if (last === undefined) return { value: root, pointer: "", items: [] };
    const parent = bound(root, parents, []);
    if (typeof parent !== "object" || parent === null) return undefined;
    const has = Object.hasOwn(parent, last);
    if (!has && Array.isArray(parent)) return undefined;
    return { value: has ? (parent as Record<string, unknown>)[last] : undefined, pointer: path, items: [] };
  }

  function pickIn(root: unknown, event: number | undefined, picked: Picked[]): void {
    const add = ({ value, pointer: found, items }: Found): void => {
      for (const { tokens: beside, test } of tests) if (!passes(test, bound(root, beside, items))) return;
      const key = keys.length === 0 ? "" : JSON.stringify(keys.map((one) => bound(root, one, items) ?? null));
      const spot = event === undefined ? { ...place, pointer: found } : { ...place, event, pointer: found };
      picked.push({ value, spot, key });
    };
    if (hasStar) {
      for (const found of find(root, tokens)) add(found);
      return;
    }
    const found = findOne(root);
    if (found) add(found);
  }

  function positionsIn({ json, ofType }: EventIndex): readonly number[] {
    if (types === undefined) return json;
    const lists = [...types].flatMap((type) => (ofType.has(type) ? [ofType.get(type)!] : []));
    return lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a - b);
  }

  function all(view: View): Picked[] {
    const picked: Picked[] = [];
    if (part) {
      if (view[part] !== undefined) pickIn(view[part], undefined, picked);
    } else if (isOnEvents) {
      const { events = [], index = indexEvents(events) } = view;
      const positions = data === undefined ? positionsIn(index) : index.other;
      view.spend?.(positions.length * stepsPerPick);
      for (const i of positions) {
        const one = events[i]!;
        if (data === undefined) pickIn(one.data, i, picked);
        else if (one.data === data) picked.push({ value: data, spot: { ...place, event: i, pointer: "" }, key: "" });
      }
    } else if (header !== undefined) {
      const name = header.toLowerCase();
      const spot = { side, in: "headers", pointer: `/${escapeToken(name)}` } as const;
      picked.push({ value: view.headers[side][name], spot, key: "" });
    } else if (query !== undefined) {
      const spot = { side: "request", in: "query", pointer: `/${escapeToken(query)}` } as const;
      picked.push({ value: view.query[query], spot, key: "" });
    } else if (status && view.status !== undefined)
      picked.push({ value: view.status, spot: { side: "response", in: "status", pointer: "" }, key: "" });
    return picked;
  }

  const patterns = [tokens, ...tests.map((one) => one.tokens), ...keys];
  return {
    all,
    present: (view) => all(view).filter(({ value }) => value !== undefined),
    hasPart: (view) => (part ? view[part] !== undefined : isOnEvents ? view.events !== undefined : true),
    isOnEvents,
    touches(view, { side: of, in: where_, event: position, pointer }) {
      if (part) return of === place.side && where_ === "body" && patterns.some((one) => isOnPath(pointer, one));
      if (!isOnEvents) return false;
      if (where_ !== "stream" || position === undefined) return false;
      if (pointer === "" || pointer === "/type") return true;
      const one = view.events?.[position];
      if (types !== undefined && one && !types.has(typeOfEvent(one) ?? "")) return false;
      return data === undefined && patterns.some((path) => isOnPath(pointer, path));
    },
    selector,
    assignKey(draft, { spot }, key) {
      const steps = tokensOf(spot.pointer);
      const items = tokens.flatMap((token, i) => (token === every ? [steps[i]!] : []));
      const values = JSON.parse(key) as unknown[];
      for (const [i, path] of keys.entries()) {
        let star = 0;
        const own = path.map((token) => (token === every ? items[star++]! : token));
        setAt(draft, { ...spot, pointer: pointer(...own) }, values[i]);
      }
    },
  };
}

/** Whether a value is a string, number or boolean. */
export const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Whether two JSON values are equal. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b);

/** Values by key, in order. */
export function byKey(picked: readonly Picked[]): Map<string, Picked[]> {
  const groups = new Map<string, Picked[]>();
  for (const one of picked) {
    const group = groups.get(one.key);
    if (group) group.push(one);
    else groups.set(one.key, [one]);
  }
  return groups;
}

/** The value in a sentence: short JSON. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** A place in a sentence: `/id of event 3`. */
export function placeOf({ in: place, event, pointer }: Spot): string {
  const at = pointer === "" ? "" : `${pointer} of `;
  return place === "stream"
    ? `${at}event ${event}`
    : place === "body"
      ? pointer || "the body"
      : pointer.slice(1) || place;
}
