/** `count`: how often something comes. */
import { tokensOf } from "../../wire/pointer.ts";

import type { Kind, LawFault } from "./kind.ts";
import { byKey, compileSelector, type Picked, type Selector, spotOf } from "./selector.ts";
import { type Draft, type Spot, setAt, type View } from "./view.ts";

/** Examples and counterexamples have at most this many copies. */
const maxMade = 1000;

interface Count {
  readonly of: Selector;
  readonly min?: number;
  readonly max?: number;
  /** The number, or where it is; `default` if nothing is there. */
  readonly is?: number | Selector;
  readonly default?: number;
}

/** The place at which something is missing: the last event, or the whole body. */
function endOf(view: View, select: { readonly isOnEvents: boolean; readonly selector: Selector }): Spot {
  if (select.isOnEvents)
    return { side: "response", in: "stream", event: Math.max((view.events?.length ?? 0) - 1, 0), pointer: "" };
  return { side: select.selector.request === undefined ? "response" : "request", in: "body", pointer: "" };
}

export const count: Kind = {
  name: "count",
  says: "`of` comes exactly `is` times, at least `min` times or at most `max` times; with `by`, this holds for each key that comes.",
  parameters: {
    of: "selector",
    min: { type: "integer", minimum: 1 },
    max: { type: "integer", minimum: 0 },
    is: { description: "The number, or a selector of it.", anyOf: [{ type: "integer", minimum: 0 }, "selector"] },
    default: { type: "integer", description: "The number if the selector of `is` picks nothing." },
  },
  required: ["of"],
  needsOne: ["is", "min", "max"],
  compile({ of, min, max, is, default: usual }: Count) {
    const select = compileSelector(of);
    const number = typeof is === "object" ? compileSelector(is) : undefined;
    const what = of.data ?? (of.event === undefined ? "value" : `${[of.event].flat().join(" or ")} event`);
    function bounds(view: View): { readonly least: number; readonly most: number } | undefined {
      const sent = number ? (number.present(view)[0]?.value ?? usual) : is;
      if (is !== undefined)
        return Number.isInteger(sent) && (sent as number) >= 0
          ? { least: sent as number, most: sent as number }
          : undefined;
      return { least: min ?? 0, most: max ?? Number.POSITIVE_INFINITY };
    }
    const isKeyed = (of.by ?? []).length > 0;
    const groupsOf = (view: View): Picked[][] => {
      const picked = select.present(view);
      return isKeyed || picked.length > 0 ? [...byKey(picked).values()] : [[]];
    };
    return {
      selects: number ? [select, number] : [select],
      judge(view) {
        const limit = select.hasPart(view) ? bounds(view) : undefined;
        if (!limit) return undefined;
        const { least, most } = limit;
        const groups = groupsOf(view);
        const canMiss = least > 0 && !(select.isOnEvents && view.interrupted);
        if (!canMiss && most > 0 && groups.every((group) => group.length === 0)) return undefined;
        const expected =
          least === most
            ? `${least} of: ${what}`
            : least > 0
              ? `at least ${least} of: ${what}`
              : `at most ${most} of: ${what}`;
        return groups.flatMap((group): LawFault[] => {
          if (group.length > most) {
            const one = group[most]!;
            return [{ spot: spotOf(one), expected, actual: one.value, hint: `number ${most + 1} of ${group.length}` }];
          }
          if (!canMiss || group.length >= least) return [];
          const late = group.at(-1);
          return [{ spot: late ? spotOf(late) : endOf(view, select), expected, actual: group.length }];
        });
      },
      spoil(draft, attempt) {
        const limit = bounds(draft);
        const group = groupsOf(draft).find((one) => one.length > 0);
        if (!limit || !group) return false;
        // Adds one too many in the first attempts, and removes all in the others.
        const adds = limit.most < maxMade ? [group.at(-1)!, group[0]!] : [];
        const one = adds[attempt];
        if (one) {
          for (let have = group.length; have <= limit.most; have++) addAfter(draft, spotOf(one));
          return true;
        }
        if (limit.least === 0 || attempt > adds.length) return false;
        for (const gone of [...group].reverse()) removeAt(draft, spotOf(gone));
        return true;
      },
      mend(draft) {
        const limit = bounds(draft);
        if (!limit) return;
        for (const group of groupsOf(draft)) {
          for (const gone of group.slice(limit.most).reverse()) removeAt(draft, spotOf(gone));
          if (!select.isOnEvents && limit.least <= maxMade)
            for (let have = group.length; have > 0 && have < limit.least; have++) addAfter(draft, spotOf(group[0]!));
        }
      },
      ...(select.isOnEvents &&
        !isKeyed &&
        ((min ?? 0) > 0 || (typeof is === "number" && is > 0)) && { order: { needs: [of] } }),
    };
  },
};

/** Adds a copy of an event, or of an item of a list, right after it. */
function addAfter(draft: Draft, { in: place, event, side, pointer }: Spot): void {
  if (place === "stream") {
    const one = draft.events![event!]!;
    draft.events!.splice(event! + 1, 0, structuredClone(one));
    return;
  }
  const slash = pointer.lastIndexOf("/");
  const at = Number(pointer.slice(slash + 1));
  const list = listAt(draft, { side, in: place, pointer: pointer.slice(0, slash) });
  if (list) list.splice(at + 1, 0, structuredClone(list[at]));
}

function removeAt(draft: Draft, spot: Spot): void {
  if (spot.in === "stream") draft.events!.splice(spot.event!, 1);
  else setAt(draft, spot, undefined);
}

function listAt(draft: Draft, { side, pointer }: Spot): unknown[] | undefined {
  const root = side === "request" ? draft.request : draft.response;
  let value: unknown = root;
  for (const token of tokensOf(pointer)) value = (value as Record<string, unknown> | undefined)?.[token];
  return Array.isArray(value) ? value : undefined;
}
