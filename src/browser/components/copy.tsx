/** A button that copies a text. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Copies by way of a selection: what works in pages that may not use the clipboard. */
function copySelected(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "hidden";
  area.setAttribute("aria-hidden", "true");
  document.body.append(area);
  const focused = document.activeElement;
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

interface CopyProps {
  readonly text: string;
  /** The thing that is copied, for those who do not see what stands beside. */
  readonly what: string;
  /** The text of the button. */
  readonly label?: string;
}

export function Copy({ text, what, label }: CopyProps): JSX.Element {
  const [said, setSaid] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  async function onClick(): Promise<void> {
    setSaid((await copy(text)) ? "copied" : "not allowed here: select it, and copy");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(""), 4_000);
  }
  return (
    <span class="copy">
      <button type="button" aria-label={label === undefined ? `copy ${what}` : undefined} onClick={onClick}>
        {label ?? "Copy"}
      </button>
      <span role="status">{said}</span>
    </span>
  );
}
