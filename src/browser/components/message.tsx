/** The parts of a message: lines and sections that may be marked. */
import type { ComponentChildren, JSX } from "preact";
import type { Side } from "../../check/clause.ts";
import type { ViewedRequest, ViewedResponse } from "../../view/viewed.ts";
import { MarkNotes } from "./mark-notes.tsx";
import { type Mark, marksIn, worstOf } from "./marks.ts";
import { Pairs } from "./pairs.tsx";
import { plural, sized } from "./shown.ts";

export interface SideProps<M> {
  readonly message: M;
  readonly marks: readonly Mark[];
}

/** Names that were taken out of one place of a message, as marks call them. */
export const redactedIn = (redacted: readonly string[] | undefined, place: string): ReadonlySet<string> =>
  new Set(
    (redacted ?? [])
      .filter((one) => one.startsWith(`/${place}/`))
      .map((one) =>
        one
          .slice(place.length + 2)
          .replaceAll("~1", "/")
          .replaceAll("~0", "~"),
      ),
  );

/** A part that opens by itself where something in it is marked. */
export function Part({ title, isOpen, marks, children }: PartProps): JSX.Element {
  return (
    <details class="message-part" open={isOpen || marks.length > 0}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

interface PartProps {
  readonly title: ComponentChildren;
  readonly isOpen: boolean;
  readonly marks: readonly Mark[];
  readonly children: ComponentChildren;
}

export function Headers({
  message,
  marks,
  side,
}: SideProps<ViewedRequest | ViewedResponse> & { readonly side: Side }): JSX.Element {
  const own = marksIn(marks, side, "headers");
  return (
    <Part title={plural(message.headers.length, "header")} isOpen={false} marks={own}>
      <Pairs pairs={message.headers} marks={own} redacted={redactedIn(message.redacted, "headers")} isFolded />
    </Part>
  );
}

/** How large a body is, and what of it is not there. */
function sizesOf({ bytes, unrecorded, redacted = [] }: ViewedRequest | ViewedResponse): string {
  const places = redacted.filter((place) => place.startsWith("/body")).length;
  return [
    sized(bytes),
    ...(unrecorded === undefined ? [] : [`${sized(unrecorded)} more not recorded`]),
    ...(places > 0 ? [`${plural(places, "credential")} taken out`] : []),
  ].join(", ");
}

/** The words for one line of a message that may be marked. */
export function Line({
  marks,
  children,
}: {
  readonly marks: readonly Mark[];
  readonly children: ComponentChildren;
}): JSX.Element {
  const level = worstOf(marks);
  return (
    <div
      class={`first-line mono${level ? ` marked m-${level}` : ""}`}
      data-focus={marks.some(({ isFocus }) => isFocus) ? "" : undefined}
    >
      {children}
      <MarkNotes marks={marks} />
    </div>
  );
}

interface BodyPartProps extends SideProps<ViewedRequest | ViewedResponse> {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function BodyPart({ message, marks, label, children }: BodyPartProps): JSX.Element {
  if (!message.body)
    return (
      <div class={marks.length > 0 ? "marked m-error" : undefined}>
        <p class="soft">{message.unrecorded === undefined ? "no body" : `body not recorded, ${sizesOf(message)}`}</p>
        <MarkNotes marks={marks} />
      </div>
    );
  return (
    <Part title={`${label.replace(/^\w+ /, "")}, ${sizesOf(message)}`} isOpen marks={marks}>
      {children}
    </Part>
  );
}
