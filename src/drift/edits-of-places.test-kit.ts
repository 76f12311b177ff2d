/** Makes edits of every kind at every place of a JSON value. */

import { replaceText } from "../replace-text.test-kit.ts";
import { isObject } from "../wire/json.ts";
import { pointer, resolvePointer } from "../wire/pointer.ts";
import type { Amount } from "./an-edit.test-kit.ts";

/** The parts of the documents that decide how many changes an edit is, by names of members. */
export interface Oracle {
  /** Members whose values the documents list. */
  readonly listed: ReadonlySet<string>;
  /** Objects of which the documents name no member. */
  readonly maps: ReadonlySet<string>;
  /** Places of listed members at which the documents list no value. */
  readonly open: RegExp;
}

export type Path = readonly (string | number)[];

/** A place in a JSON value. */
export interface Found {
  readonly path: Path;
  readonly value: unknown;
  readonly parent: unknown;
  readonly isInMap: boolean;
}

/** Every place of a value but its root; of lists the first item. */
export function* placesIn(value: unknown, oracle: Oracle, path: Path = [], isInMap = false): Generator<Found> {
  if (typeof value !== "object" || value === null) return;
  const { maps } = oracle;
  const children: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.slice(0, 1).map((one) => [0, one])
    : Object.entries(value);
  for (const [step, child] of children) {
    const name = String(path.findLast((one) => typeof one === "string") ?? "");
    const isContent = isInMap || (maps.has(name) && path.at(-1) === name);
    const own = [...path, step];
    yield { path: own, value: child, parent: value, isInMap: isContent };
    yield* placesIn(child, oracle, own, isContent);
  }
}

type Change = (parent: Record<string | number, unknown>, name: string | number) => void;

const put =
  (value: unknown): Change =>
  (parent, name) => {
    parent[name] = value;
  };

/** Edits of a place of JSON: what, how, and how many changes that is where no map of a client's is around it. */
export function* editsAt(
  { path, value, parent }: Found,
  { listed, maps, open }: Oracle,
): Generator<[string, Change, Amount]> {
  const name = String(path.at(-1));
  const isItem = Array.isArray(parent);
  const isOneOfMany = path.some((step) => typeof step === "number");
  if (isItem) {
    yield ["again in its list", (list, i) => void (list as unknown as unknown[]).push(structuredClone(list[i])), 0];
  } else {
    yield ["away", (object, key) => void delete object[key], 1];
    yield [
      "by another name",
      (object, key) => {
        const own = object[key];
        delete object[key];
        put(own)(object, `${key}_renamed`);
      },
      listed.has(name) ? [1, 2] : 2,
    ];
  }
  if (value !== null) yield ["null", put(null), 1];
  if (typeof value === "string") {
    yield ["a number", put(7), 1];
    if (value !== "" && !listed.has(name)) yield ["another text", put("Something else was said."), 0];
    if (listed.has(name) && !isItem)
      yield ["another of its values", put("zzz"), open.test(pointer(...path)) ? [0, 1] : 1];
  }
  if (typeof value === "number") {
    yield ["a string", put(String(value)), 1];
    yield ["another number", put(Number.isInteger(value) ? value + 1 : value / 2), 0];
  }
  if (typeof value === "boolean") yield ["a string", put(String(value)), 1];
  if (Array.isArray(value)) {
    if (value.length > 0) yield ["an empty list", put([]), isOneOfMany ? [0, 1] : 1];
    if (value.length === 1 || !isObject(value[0]))
      yield ["an object in place of a list", put(isObject(value[0]) ? value[0] : { of: 1 }), 1];
  } else if (isObject(value)) {
    yield ["a list in place of an object", put([value]), 1];
    yield [
      "with one more member",
      (object, key) => put(1)(object[key] as Record<string, unknown>, "more_of_it"),
      maps.has(name) ? 0 : 1,
    ];
  }
}

export function edited(root: unknown, path: Path, change: Change): void {
  change(resolvePointer(root, pointer(...path.slice(0, -1))) as Record<string, unknown>, path.at(-1)!);
}

/** The text of a value in which the member at a path stands twice. */
export function withRepeated(root: unknown, path: Path): string {
  const marker = "\u0001again";
  const copy = structuredClone(root);
  edited(copy, path, (parent, name) => {
    const value = parent[name];
    delete parent[name];
    parent[name] = value;
    parent[marker] = value;
  });
  return replaceText(JSON.stringify(copy), JSON.stringify(marker), () => JSON.stringify(path.at(-1)));
}
