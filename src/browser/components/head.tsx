/** The head that all pages share: the mark, their views, a search, and the theme. */
import type { ComponentChildren, JSX } from "preact";
import { ThemeButton } from "./theme.tsx";

/** A tick in a cut stone. */
export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path
        d="M4 2.5h12l2.5 5L10 18 1.5 7.5z"
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        stroke-linejoin="round"
      />
      <path
        class="tick"
        d="M6.2 9.2l2.7 2.7 5-5.2"
        fill="none"
        stroke-width="2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

interface HeadProps {
  /** The kind of page, if it has no views. */
  readonly title?: string;
  /** Views by their addresses, in order. */
  readonly views?: readonly (readonly [href: string, name: string])[];
  /** The address of the view that is shown. */
  readonly current?: string | undefined;
  readonly children?: ComponentChildren;
}

export function Head({ title, views = [], current, children }: HeadProps): JSX.Element {
  return (
    <header class="head">
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <span class="brand">
        <Mark />
        <span class="wide">touchstone</span>
        {title !== undefined && <span class="soft">{title}</span>}
      </span>
      {views.length > 0 && (
        <nav aria-label="Views">
          {views.map(([href, name]) => (
            <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
      )}
      <span class="head-tools">
        {children}
        <ThemeButton />
      </span>
    </header>
  );
}

/** Moves the focus; a link would change the address, which names views here. */
function skip(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  if (heading) heading.tabIndex = -1;
  heading?.focus();
}
