/** Light or dark: as the system has it, unless a reader chooses. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";

const themes = ["system", "light", "dark"] as const;

export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState<(typeof themes)[number]>("system");
  function next(): void {
    const chosen = themes[(themes.indexOf(theme) + 1) % themes.length]!;
    if (chosen === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = chosen;
    setTheme(chosen);
  }
  return (
    <button type="button" class="quiet" onClick={next}>
      <span class="wide">Theme: </span>
      {theme}
    </button>
  );
}
