/** Shows the number of errors in the browser's tab: in its title and its icon. */
import { useEffect } from "preact/hooks";

const drawing = (count: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="10" fill="#c4252b"/><text x="10" y="14.5" font-family="sans-serif" font-size="12" font-weight="700" text-anchor="middle" fill="#fff">${count}</text></svg>`;

/** @param errors all that were found so far */
export function useTab(errors: number): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    document.title = errors > 0 ? `(${errors}) touchstone record` : "touchstone record";
    if (!icon) return;
    icon.dataset["mark"] ??= icon.href;
    icon.href =
      errors > 0
        ? `data:image/svg+xml;base64,${btoa(drawing(errors > 99 ? "99+" : String(errors)))}`
        : icon.dataset["mark"];
  }, [errors]);
}
