/** Selectors: data that picks values of one exchange, in order, each with its place. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../wire/json.ts";
import { escapeToken, pointer, tokensOf } from "../../wire/pointer.ts";
import type { Place, Side } from "../clause.ts";
import type { Key } from "./key.ts";
import { type Draft, type EventIndex, indexEvents, type Spot, setAt, typeOfEvent, type View } from "./view.ts";

type Scalar = string | number | boolean | null;

/** A test of a value: equals this value or one of these, is present or absent, or is none of these. */
export type Test =
  | Scalar
  | readonly Scalar[]
  | { readonly present: boolean }
  | { readonly not: Scalar | readonly Scalar[] };

/**
 * Exactly one of `request`, `response`, `error`, `event`, `header`, `query`, `status`, `media` and `data` selects the values. `response` and
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
  /** Media type of the response, in lower case and without parameters. */
  readonly media?: true;
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

/** A picked value. Its place is only made if it is needed (`spotOf`): most values are fine. */
export interface Picked {
  /** Undefined if the member is missing. */
  readonly value: unknown;
  /** Values of `by`; undefined without `by`. Equal keys of one view are the same object. */
  readonly key: Key | undefined;
  /** Position of the event; -1 outside of streams. */
  readonly event: number;
  /** Position for each `*`. */
  readonly items: readonly number[];
  readonly from: Source;
}

/** The part of an exchange from which a selector picks. */
interface Source {
  readonly side: Side;
  readonly in: Place;
  readonly pointerTo: (items: readonly number[]) => string;
}

export function spotOf({ from, event, items }: Picked): Spot {
  const place = { side: from.side, in: from.in, pointer: from.pointerTo(items) };
  return event < 0 ? place : { ...place, event };
}

export interface Select {
  /** Returns picks in order. Includes places at which only the last member is missing, without a value. */
  readonly all: (view: View) => Picked[];
  /** Returns picks with a value. */
  readonly present: (view: View) => Picked[];
  /** Whether the exchange has the part that the selector reads. */
  readonly hasPart: (view: View) => boolean;
  readonly isOnEvents: boolean;
  /** Whether a value of a wrong shape at this place may change the picks. `tokens` are those of its pointer. */
  readonly touches: (view: View, spot: Spot, tokens: readonly string[]) => boolean;
  readonly selector: Selector;
  /** Sets the key of a picked value. */
  readonly assignKey: (draft: Draft, picked: Picked, key: Key) => void;
}

/** Compiles a test of values. */
export function compileTest(test: Test): (value: unknown) => boolean {
  if (Array.isArray(test)) return (value) => test.includes(value as Scalar);
  if (!isObject(test)) return (value) => value === test;
  if (!("not" in test)) return (value) => (value !== undefined) === test["present"];
  const forbidden = [test["not"]].flat();
  return (value) => !forbidden.includes(value as Scalar);
}

/** Whether a value passes a test. */
export const passes = (test: Test, value: unknown): boolean => compileTest(test)(value);

const every = "*";

/** Budget steps for each value that a selector looks at. */
const stepsPerPick = 10;

type Reader = (root: unknown, items: readonly number[]) => unknown;

const noItems: readonly number[] = [];

/** Compiles a pointer to a function that returns the value there, or undefined. `items` has the position of each `*`. */
function compileReader(tokens: readonly string[]): Reader {
  const [first, second] = tokens as readonly [string, string];
  // Arrays and objects inherit no other name: a lookup finds own members only.
  const isPlain = tokens.every((token) => token !== every && !(token in Array.prototype));
  if (tokens.length === 0) return (root) => root;
  if (isPlain && tokens.length === 1) return (root) => memberOf(root, first);
  if (isPlain && tokens.length === 2) return (root) => memberOf(memberOf(root, first), second);
  if (isPlain)
    return (root) => {
      let value = root;
      for (let i = 0; i < tokens.length; i++) value = memberOf(value, tokens[i]!);
      return value;
    };
  return (root, items) => {
    let value = root;
    let star = 0;
    for (const token of tokens) {
      const name = token === every ? String(items[star++]) : token;
      const isOwn = name in Array.prototype ? isObject(value) && Object.hasOwn(value, name) : true;
      value = isOwn ? memberOf(value, name) : undefined;
    }
    return value;
  };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** Splits a pointer at each `*`. */
function segmentsOf(tokens: readonly string[]): (readonly string[])[] {
  const segments: string[][] = [[]];
  for (const token of tokens)
    if (token === every) segments.push([]);
    else segments.at(-1)!.push(token);
  return segments;
}

/** Whether a pointer and a pattern lie on one path: one of them begins the other. */
function isOnPath(tokens: readonly string[], pattern: readonly string[]): boolean {
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
    touches: (view, spot, tokens) => partFor(view).touches(view, spot, tokens),
    selector,
    assignKey: (draft, picked, key) => partFor(draft).assignKey(draft, picked, key),
  };
}

function compilePart(selector: Selector): Select {
  const { event, at = "", data, header, side = "response", query, status, media, where = {}, by = [] } = selector;
  const types = event === undefined || event === every ? undefined : [...new Set([event].flat())];
  const part = (["request", "response", "error"] as const).find((one) => selector[one] !== undefined);
  const isOnEvents = event !== undefined || data !== undefined;
  const tokens = tokensOf(part ? selector[part]! : at);
  const tests = Object.entries(where).map(([path, test]) => ({ tokens: tokensOf(path), test }));
  const keys = by.map(tokensOf);
  const path = pointer(...tokens);
  const from: Source = {
    side: part === "request" ? "request" : "response",
    in: part ? "body" : "stream",
    pointerTo(items) {
      let star = 0;
      return items.length === 0 ? path : pointer(...tokens.map((one) => (one === every ? String(items[star++]) : one)));
    },
  };

  const segments = segmentsOf(tokens).map((own) => ({
    read: compileReader(own),
    readParent: own.length === 0 ? undefined : compileReader(own.slice(0, -1)),
  }));
  const last = segments.length - 1;
  const filters = tests.map((one) => ({ read: compileReader(one.tokens), isPassed: compileTest(one.test) }));
  const keyReaders = keys.map(compileReader);

  /** Adds the picks of one JSON text, from a value at which `depth` stars are bound. */
  function pickIn(root: unknown, start: unknown, depth: number, items: readonly number[], run: Run): void {
    const { read, readParent } = segments[depth]!;
    const value = read(start, noItems);
    if (depth < last) {
      if (!Array.isArray(value)) return;
      run.view.spend?.(value.length * stepsPerPick);
      for (let i = 0; i < value.length; i++) pickIn(root, value[i], depth + 1, [...items, i], run);
      return;
    }
    if (value === undefined && !(run.withMissing && readParent && isObject(readParent(start, noItems)))) return;
    for (let i = 0; i < filters.length; i++) {
      const { read: readBeside, isPassed } = filters[i]!;
      if (!isPassed(readBeside(root, items))) return;
    }
    const key = keyReaders.length === 0 ? undefined : keyOf(root, items, run);
    run.picked.push({ value, key, event: run.event, items, from });
  }

  /** Neighbouring events mostly have equal keys. */
  function keyOf(root: unknown, items: readonly number[], run: Run): Key {
    const { lastKey } = run;
    if (keyReaders.length === 1) {
      const value = keyReaders[0]!(root, items);
      if (lastKey !== undefined && lastKey.value === value) return lastKey;
      return (run.lastKey = run.view.keys.next(value));
    }
    if (keyReaders.length === 2) {
      const value = keyReaders[0]!(root, items);
      const second = keyReaders[1]!(root, items);
      if (lastKey !== undefined && lastKey.value === second && lastKey.parent!.value === value) return lastKey;
      return (run.lastKey = run.view.keys.next(value).next(second));
    }
    let key = run.view.keys;
    for (const readKey of keyReaders) key = key.next(readKey(root, items));
    return key;
  }

  /** Types in a text: laws on the same types share their list of positions. */
  const typesText = JSON.stringify(types);

  function positionsIn({ json, ofType, ofTypes }: EventIndex): readonly number[] {
    if (types === undefined) return json;
    if (types.length === 1) return ofType.get(types[0]!) ?? [];
    let positions = ofTypes.get(typesText);
    if (!positions) {
      const lists = types.flatMap((type) => (ofType.has(type) ? [ofType.get(type)!] : []));
      positions = lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a - b);
      ofTypes.set(typesText, positions);
    }
    return positions;
  }

  const constant = (ofSide: Side, place: Place, to: string): Source => ({
    side: ofSide,
    in: place,
    pointerTo: () => to,
  });
  const ofHeader = constant(side, "headers", `/${escapeToken(header?.toLowerCase() ?? "")}`);
  const ofQuery = constant("request", "query", `/${escapeToken(query ?? "")}`);
  const ofStatus = constant("response", "status", "");
  const ofMedia = constant("response", "headers", "/content-type");
  const one = (value: unknown, source: Source, position = -1): Picked => ({
    value,
    key: undefined,
    event: position,
    items: noItems,
    from: source,
  });

  function pick(view: View, withMissing: boolean): Picked[] {
    const picked: Picked[] = [];
    const run: Run = { view, withMissing, picked, event: -1, lastKey: undefined };
    if (part) {
      if (view[part] !== undefined) pickIn(view[part], view[part], 0, noItems, run);
    } else if (isOnEvents) {
      const { events = [], index = indexEvents(events) } = view;
      const positions = data === undefined ? positionsIn(index) : index.other;
      view.spend?.(positions.length * stepsPerPick);
      for (let i = 0; i < positions.length; i++) {
        const position = positions[i]!;
        const value = events[position]!.data;
        run.event = position;
        if (data === undefined) pickIn(value, value, 0, noItems, run);
        else if (value === data) picked.push(one(data, from, position));
      }
    } else {
      const value =
        header !== undefined
          ? view.headers[side][header.toLowerCase()]
          : query !== undefined
            ? view.query[query]
            : media
              ? mediaTypeOf(view)
              : view.status;
      const isPicked = value !== undefined || (withMissing && !status);
      const source = header !== undefined ? ofHeader : query !== undefined ? ofQuery : media ? ofMedia : ofStatus;
      if (isPicked) picked.push(one(value, source));
    }
    return picked;
  }

  const patterns = [tokens, ...tests.map((beside) => beside.tokens), ...keys];
  return {
    all: (view) => pick(view, true),
    present: (view) => pick(view, false),
    hasPart: (view) => (part ? view[part] !== undefined : isOnEvents ? view.events !== undefined : true),
    isOnEvents,
    touches(view, { side: of, in: place, event: position, pointer: spot }, spotTokens) {
      if (part)
        return of === from.side && place === "body" && patterns.some((pattern) => isOnPath(spotTokens, pattern));
      if (!isOnEvents) return false;
      if (place !== "stream" || position === undefined) return false;
      if (spot === "" || spot === "/type") return true;
      const misshapen = view.events?.[position];
      if (types !== undefined && misshapen && !types.includes(typeOfEvent(misshapen) ?? "")) return false;
      return data === undefined && patterns.some((pattern) => isOnPath(spotTokens, pattern));
    },
    selector,
    assignKey(draft, picked, key) {
      const values = key.values();
      const spot = spotOf(picked);
      for (const [i, own] of keys.entries()) {
        let star = 0;
        const names = own.map((token) => (token === every ? String(picked.items[star++]) : token));
        setAt(draft, { ...spot, pointer: pointer(...names) }, values[i]);
      }
    },
  };
}

const mediaTypeOf = ({ headers }: View): string | undefined =>
  headers.response["content-type"]?.replace(/;.*$/s, "").trim().toLowerCase();

/** State of one pass of a selector over a view. */
interface Run {
  readonly view: View;
  readonly withMissing: boolean;
  readonly picked: Picked[];
  event: number;
  lastKey: Key | undefined;
}

/** Whether a value is a string, number or boolean. */
export const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Whether two JSON values are equal. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b);

/** Values by key, in order. */
export function byKey(picked: readonly Picked[]): Map<Key | undefined, Picked[]> {
  const groups = new Map<Key | undefined, Picked[]>();
  let key: Key | undefined;
  let group: Picked[] | undefined;
  for (const one of picked) {
    if (one.key !== key || group === undefined) {
      key = one.key;
      group = groups.get(key);
      if (group === undefined) groups.set(key, (group = []));
    }
    group.push(one);
  }
  return groups;
}

/** The first value of each key. */
export function firstByKey(picked: readonly Picked[]): Map<Key | undefined, Picked> {
  const firsts = new Map<Key | undefined, Picked>();
  for (const one of picked) if (!firsts.has(one.key)) firsts.set(one.key, one);
  return firsts;
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
