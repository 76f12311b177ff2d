/** Keys that work on every page: `/` searches, `j` and `k` move between rows, `?` lists them. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

const keys: readonly (readonly [key: string, does: string])[] = [
  ["/", "search"],
  ["j", "next row"],
  ["k", "previous row"],
  ["Enter", "open the row"],
  ["?", "these keys"],
];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, select, textarea");

/** Moves the focus among rows that stand in the page; lists that hold a part of theirs do so themselves. */
function moveBy(step: 1 | -1): void {
  const rows = [
    ...document.querySelectorAll<HTMLElement>("main :is(summary.line, button.row-name, .virtual li :is(a, button))"),
  ];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? rows[0] : rows[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

export function Keys(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (event.key === "/") document.querySelector<HTMLElement>("input[type=search]")?.focus();
      else if (event.key === "j") moveBy(1);
      else if (event.key === "k") moveBy(-1);
      else if (event.key === "?") dialog.current?.showModal();
      else return;
      event.preventDefault();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <dialog ref={dialog} class="keys" aria-label="Keys">
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
