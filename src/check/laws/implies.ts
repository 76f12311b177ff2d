/** `implies`: if a value is found in one place, then a value in another. */

import { isObject } from "../../wire/json.ts";
import type { Key } from "./key.ts";
import { type Kind, type LawFault, otherValue } from "./kind.ts";
import {
  byKey,
  type Condition,
  compileSelector,
  compileTest,
  type Picked,
  type Select,
  shown,
  spotOf,
  type Test,
} from "./selector.ts";
import { type Draft, type Spot, setAt, type View } from "./view.ts";

interface Implies {
  readonly if: Condition;
  readonly then: Condition;
  readonly wrong?: unknown;
}

/** The values that a test names, or undefined for other tests. */
const valuesOf = (test: Test): readonly unknown[] | undefined =>
  Array.isArray(test) ? test : isObject(test) ? undefined : [test];

const forbiddenBy = (test: Test): readonly unknown[] => (isObject(test) && "not" in test ? [test["not"]].flat() : []);

const isPresence = (test: Test): boolean => isObject(test) && "present" in test && test["present"] === true;
const isAbsence = (test: Test): boolean => isObject(test) && "present" in test && test["present"] === false;

const inWords = (test: Test): string => {
  const values = valuesOf(test);
  if (isPresence(test)) return "a value";
  if (isAbsence(test)) return "no value";
  if (!values) return `not ${forbiddenBy(test).map(shown).join(" or ")}`;
  return values.map(shown).join(" or ");
};

/** Sets or removes a value where a draft can have it. */
function put(draft: Draft, spot: Spot, value: unknown): void {
  if (spot.in === "status" && typeof value !== "number") return;
  setAt(draft, spot, spot.in === "headers" && value !== undefined ? String(value) : value);
}

/** Values that `then` is about: those that exist, and places at which the member is missing. */
interface Case {
  /** A value that fulfils `if`; undefined if its absence does. */
  readonly cause: Picked | undefined;
  readonly present: readonly Picked[];
  readonly missing: readonly Picked[];
}

export const implies: Kind = {
  name: "implies",
  says: "If a value fulfils `if`, then the values of `then` that have the same key fulfil `then`: a value is there and all are as it says; `present: false` demands that there is none, and `not` only that none is one of these.",
  parameters: {
    if: "condition",
    // biome-ignore lint/suspicious/noThenProperty: a word of the language of laws.
    then: "condition",
    wrong: { description: "A value for counterexamples to put at `then`." },
  },
  required: ["if", "then"],
  compile(law: Implies) {
    const { is: cause = { present: true }, ...from } = law.if;
    const { is: effect = { present: true }, ...to } = law.then;
    const left = compileSelector(from);
    const right = compileSelector(to);
    const isKeyed = from.by !== undefined && to.by !== undefined;
    const isCause = compileTest(cause);
    const isEffect = compileTest(effect);
    const isAbsentCause = isCause(undefined);
    const needsValue = valuesOf(effect) !== undefined || isPresence(effect);

    function casesIn(view: View): Case[] {
      if (!left.hasPart(view) || !right.hasPart(view)) return [];
      if (view.interrupted && left.isOnEvents && isAbsentCause) return [];
      const causes = byKey(left.all(view));
      const found: { key: Key | undefined; cause: Picked | undefined }[] = [];
      // A test that absence passes holds only if no value of the key fails it.
      for (const [key, group] of causes) {
        const one = isAbsentCause
          ? group.every(({ value }) => value === undefined || isCause(value)) && group[0]
          : group.find(({ value }) => value !== undefined && isCause(value));
        if (one) found.push({ key, cause: one });
      }
      if (causes.size === 0 && !isKeyed && isAbsentCause) found.push({ key: undefined, cause: undefined });
      if (found.length === 0) return [];
      const effects = right.all(view);
      const groups = isKeyed ? byKey(effects) : undefined;
      const cases = groups ? found : found.slice(0, 1);
      return cases.map(({ key, cause: by }) => {
        const group = groups ? (groups.get(key) ?? []) : effects;
        return {
          cause: by,
          present: group.filter(({ value }) => value !== undefined),
          missing: group.filter(({ value }) => value === undefined),
        };
      });
    }
    const isOpen = (view: View): boolean => view.interrupted && right.isOnEvents;
    /** Where a value is missing: its own place in a body or head; in a stream, the last event. */
    function placeOfMissing({ missing, cause: by }: Case, view: View): Spot {
      const own = missing[0] && spotOf(missing[0]);
      if (own && own.in !== "stream") return own;
      if (right.isOnEvents)
        return { side: "response", in: "stream", event: Math.max((view.events?.length ?? 0) - 1, 0), pointer: "" };
      return (
        own ??
        (by && spotOf(by)) ?? { side: to.request === undefined ? "response" : "request", in: "body", pointer: "" }
      );
    }
    function faultsIn(one: Case, view: View): LawFault[] {
      const { present, cause: by } = one;
      const expected = inWords(effect);
      const hint = by && by.value !== undefined ? { hint: `because of ${shown(by.value)}` } : {};
      if (present.length === 0) {
        if (!needsValue || isOpen(view)) return [];
        return [{ spot: placeOfMissing(one, view), expected, actual: undefined, ...hint }];
      }
      return present
        .filter(({ value }) => !isEffect(value))
        .map((bad) => ({ spot: spotOf(bad), expected, actual: bad.value, ...hint }));
    }
    function* changes({ present, missing }: Case): Generator<(draft: Draft) => void> {
      const places = [...present, ...missing].reverse();
      const set = (value: unknown, one: Picked) => (draft: Draft) => put(draft, spotOf(one), value);
      if (law.wrong !== undefined) for (const one of places) yield set(law.wrong, one);
      for (const value of forbiddenBy(effect)) for (const one of places) yield set(value, one);
      if (isAbsence(effect)) for (const one of places) yield set("other", one);
      if (needsValue) yield (draft) => removeAll(draft, present, right);
      if (valuesOf(effect))
        for (const one of present) {
          const other = otherValue(one.value);
          if (other !== undefined) yield set(other, one);
        }
    }
    /** Changes a good exchange so that `if` is fulfilled. */
    function* causesIn(draft: Draft): Generator<(draft: Draft) => void> {
      for (const value of valuesOf(cause) ?? [])
        for (const one of left.all(draft).reverse()) yield (other) => put(other, spotOf(one), value);
      if (isAbsence(cause)) yield (other) => removeAll(other, left.present(other), left);
    }
    return {
      selects: [left, right],
      judge(view) {
        const all = casesIn(view).filter(({ present }) => present.length > 0 || !needsValue || !isOpen(view));
        return all.length === 0 ? undefined : all.flatMap((one) => faultsIn(one, view));
      },
      spoil(draft, attempt) {
        let skips = attempt;
        const take = (ways: Generator<(draft: Draft) => void>): boolean => {
          for (const way of ways) {
            if (skips-- > 0) continue;
            way(draft);
            return true;
          }
          return false;
        };
        return casesIn(draft).some((one) => take(changes(one))) || take(causesIn(draft));
      },
      mend(draft) {
        const [wanted] = valuesOf(effect) ?? [];
        for (const one of casesIn(draft)) {
          if (faultsIn(one, draft).length === 0) continue;
          const bad = one.present.filter(({ value }) => !isEffect(value));
          if (wanted !== undefined && (bad.length > 0 || one.missing.length > 0))
            for (const place of bad.length > 0 ? bad : one.missing.slice(0, 1)) put(draft, spotOf(place), wanted);
          else if (bad.length > 0) removeAll(draft, bad, right);
          else if (one.cause)
            removeAll(
              draft,
              left.present(draft).filter(({ key }) => key === one.cause!.key),
              left,
            );
        }
      },
      // Examples have both sides, and samples that fit.
      ...(left.isOnEvents &&
        right.isOnEvents && {
          order: { ...(needsValue && { with: [[from, to]] as const }), fits: [{ if: from, of: to, is: effect }] },
        }),
    };
  },
};

/** Removes values, the last ones first: items of a list keep their positions. An event that is picked as a whole goes. */
function removeAll(draft: Draft, picked: readonly Picked[], { selector }: Select): void {
  for (const one of [...picked].reverse())
    if (one.from.in === "stream" && (selector.at ?? "") === "") draft.events!.splice(one.event, 1);
    else put(draft, spotOf(one), undefined);
}
