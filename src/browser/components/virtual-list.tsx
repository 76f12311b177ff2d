/** A list of any length of which only the rows near the window stand in the document. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface VirtualListProps<T> {
  readonly items: readonly T[];
  /** Pixels: all rows are as high. */
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: T, i: number) => string | number;
  readonly children: (item: T, i: number) => ComponentChildren;
}

/** Rows beyond the window, so that scrolling shows no gap. */
const beyond = 12;

/** Rows that go to paper. */
const maxPrinted = 2000;

/** Scrolls with the page. Arrow keys, Home and End move between the links or buttons that rows begin with. */
export function VirtualList<T>({ items, rowHeight, label, keyOf, children }: VirtualListProps<T>): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState<readonly [from: number, to: number]>([0, 60]);
  const wanted = useRef<number | null>(null);

  function measure(): void {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    const from = Math.max(0, Math.floor(-top / rowHeight) - beyond);
    const to = Math.ceil((window.innerHeight - top) / rowHeight) + beyond;
    setRange((known) => (known[0] === from && known[1] === to ? known : [from, to]));
  }

  useEffect(() => {
    const all = (): void => setRange([0, maxPrinted]);
    measure();
    window.addEventListener("scroll", measure, { passive: true });
    window.addEventListener("resize", measure);
    window.addEventListener("beforeprint", all);
    window.addEventListener("afterprint", measure);
    return () => {
      window.removeEventListener("beforeprint", all);
      window.removeEventListener("afterprint", measure);
      window.removeEventListener("scroll", measure);
      window.removeEventListener("resize", measure);
    };
  }, [rowHeight, items.length]);

  /** Whether the row is in the document, and has the focus now. */
  function focusRow(i: number): boolean {
    const row = list.current?.querySelector<HTMLElement>(`:scope > li[aria-posinset="${i + 1}"] :is(a, button)`);
    row?.focus();
    return row != null;
  }

  useLayoutEffect(() => {
    if (wanted.current === null) return;
    focusRow(wanted.current);
    wanted.current = null;
  }, [range]);

  function onKeyDown(event: KeyboardEvent): void {
    const row = (event.target as HTMLElement).closest("li[aria-posinset]");
    const at = Number(row?.getAttribute("aria-posinset")) - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      j: at + 1,
      ArrowUp: at - 1,
      k: at - 1,
      Home: 0,
      End: items.length - 1,
    };
    const to = moves[event.key];
    if (!row || to === undefined || to < 0 || to >= items.length) return;
    event.preventDefault();
    const top = list.current!.getBoundingClientRect().top + to * rowHeight;
    const margin = 3 * rowHeight;
    if (top < margin || top > window.innerHeight - margin) window.scrollBy(0, top - window.innerHeight / 2);
    if (focusRow(to)) return;
    wanted.current = to;
    // The event of the scrolling comes with the next frame; a key may be pressed before.
    measure();
  }

  const [from, to] = range;
  return (
    <ul
      ref={list}
      class="virtual"
      aria-label={label}
      style={{ "--height": `${items.length * rowHeight}px`, "--row": `${rowHeight}px` }}
      onKeyDown={onKeyDown}
    >
      {items.slice(from, to).map((item, k) => (
        <li
          key={keyOf(item, from + k)}
          aria-setsize={items.length}
          aria-posinset={from + k + 1}
          style={{ "--top": `${(from + k) * rowHeight}px` }}
        >
          {children(item, from + k)}
        </li>
      ))}
    </ul>
  );
}
