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
    /** Visits events that have a type in their data. A line cannot express all strings. */
    function eachTyped(view: View, visit: (event: ViewEvent, type: string, position: number) => void): void {
      for (const { value, event: position } of select.present(view)) {
        const event = view.events![position]!;
        if (typeof value !== "string" || (!required && event.event === undefined)) continue;
        if (value !== "" && (event.event === value || isLine(value))) visit(event, value, position);
      }
    }
    function typed(view: View): { readonly event: ViewEvent; readonly type: string }[] {
      const all: { readonly event: ViewEvent; readonly type: string }[] = [];
      eachTyped(view, (event, type) => all.push({ event, type }));
      return all;
    }
    return {
      selects: [select],
      judge(view) {
        const faults: LawFault[] = [];
        let applies = false;
        eachTyped(view, ({ event: line }, type, event) => {
          applies = true;
          if (line === type) return;
          const spot = { side: "response", in: "stream", event, pointer: "" } as const;
          faults.push({ spot, expected: `event: ${type}`, actual: line });
        });
        return applies ? faults : undefined;
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
