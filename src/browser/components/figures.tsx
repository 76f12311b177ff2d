/** Figures that are links to what they count. */
import type { JSX } from "preact";

export interface Figure {
  readonly figure: number | string;
  readonly says: string;
  readonly href: string;
  /** The colour of a figure that is not 0: failures alone are red. */
  readonly tone?: "fail" | "warning";
}

export function Figures({ figures }: { readonly figures: readonly Figure[] }): JSX.Element {
  return (
    <ul class="plain counts">
      {figures.map(({ figure, says, href, tone }) => (
        <li key={says}>
          <a href={href}>
            <b class={figure === 0 || tone === undefined ? "" : `v-${tone}`}>{figure.toLocaleString("en")}</b> {says}
          </a>
        </li>
      ))}
    </ul>
  );
}
