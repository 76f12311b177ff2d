/** `event-line`: `event:` lines that repeat the type in the data. */

import type { Kind, LawFault } from "./kind.ts";
import { compileSelector } from "./selector.ts";
import type { View, ViewEvent } from "./view.ts";

interface EventLine {
  readonly at?: string;
  readonly required?: boolean;
}

const isLine = (type: string): boolean => type !== "" && !/[\r\n\0]/u.test(type);

export const eventLine: Kind = {
  name: "event-line",
  says: "The `event:` line of an event is the type in its data.",
  parameters: {
    at: { type: "string", pattern: "^/", description: "Pointer to the type in the data; /type by default." },
    required: {
      type: "boolean",
      description: "Whether every event that has a type in its data needs an `event:` line.",
    },
  },
  required: [],
  compile({ at = "/type", required = false }: EventLine) {
    const select = compileSelector({ event: "*", at });
    /** Events that have a type in their data, and the type. A line cannot express all strings. */
    const typed = (view: View): { readonly index: number; readonly event: ViewEvent; readonly type: string }[] =>
      select.present(view).flatMap(({ value, spot }) => {
        const event = view.events![spot.event!]!;
        const isJudged = typeof value === "string" && isLine(value) && (required || event.event !== undefined);
        return isJudged ? [{ index: spot.event!, event, type: value }] : [];
      });
    return {
      selects: [select],
      judge(view) {
        const all = typed(view);
        if (all.length === 0) return undefined;
        return all.flatMap(({ index, event, type }): LawFault[] =>
          event.event === type
            ? []
            : [
                {
                  spot: { side: "response", in: "stream", event: index, pointer: "" },
                  expected: `event: ${type}`,
                  actual: event.event,
                },
              ],
        );
      },
      spoil(draft, attempt) {
        const all = typed(draft).reverse();
        const { event, type } = all[attempt % Math.max(all.length, 1)] ?? {};
        if (!event || attempt >= (required ? 2 : 1) * all.length) return false;
        // First lines with another type, then missing ones.
        event.event = attempt < all.length ? `${type}-other` : undefined;
        return true;
      },
      mend(draft) {
        for (const { event, type } of typed(draft)) event.event = type;
      },
    };
  },
};
