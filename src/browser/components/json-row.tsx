/** One line of JSON. */
import type { JSX } from "preact";
import type { ViewedText } from "../../view/viewed.ts";
import { ImageShown } from "./image.tsx";
import type { JsonNode } from "./json-nodes.ts";
import type { JsonRow } from "./json-rows.ts";
import { MarkNotes } from "./mark-notes.tsx";
import { type Mark, worstOf } from "./marks.ts";
import { plural, visible } from "./shown.ts";
import { Shown } from "./text.tsx";

/** Levels that are indented; deeper ones say how deep they are. */
const maxIndented = 16;

const brackets = { object: ["{", "}"], array: ["[", "]"] } as const;

function summary({ kind, size }: JsonNode): string {
  return kind === "object" ? plural(size, "member") : plural(size, "item");
}

export interface RowProps {
  readonly row: JsonRow;
  readonly of: ViewedText;
  readonly node: JsonNode;
  readonly marks: readonly Mark[];
  /** Its position among all lines. */
  readonly at: number;
  readonly isCurrent: boolean;
  /** Whether no comma follows. */
  readonly isLast: boolean;
}

function Key({ node }: Pick<RowProps, "node">): JSX.Element | null {
  if (node.key === undefined) return null;
  return (
    <>
      <span class="key">
        <Shown of={{ text: node.key }} first={120} />
      </span>
      {": "}
    </>
  );
}

function Value({ of, node, isOpen }: { readonly isOpen: boolean } & Pick<RowProps, "of" | "node">): JSX.Element {
  if (node.kind === "object" || node.kind === "array") {
    const [open, close] = brackets[node.kind];
    if (isOpen) return <span class="bracket">{open}</span>;
    return (
      <>
        <span class="bracket">
          {open}
          {node.size > 0 ? " … " : ""}
          {close}
        </span>
        {node.size > 0 && <span class="soft"> {summary(node)}</span>}
      </>
    );
  }
  const image = node.kind === "string" ? of.images?.find(({ at }) => at === node.start) : undefined;
  return (
    <>
      <span class={node.kind}>
        <Shown of={of} from={node.start} to={node.end} />
      </span>
      {image && <ImageShown image={image} />}
    </>
  );
}

export function Row({ row, of, node, marks, at, isCurrent, isLast }: RowProps): JSX.Element {
  const level = worstOf(marks);
  const style = { "--depth": Math.min(node.depth + (row.kind === "missing" ? 1 : 0), maxIndented) };
  if (row.kind === "close")
    return (
      <div class="json-row" aria-hidden="true" style={style}>
        <span class="bracket">{brackets[node.kind as "object" | "array"][1]}</span>
        {isLast ? "" : ","}
      </div>
    );
  const isContainer = row.kind === "value" && node.size > 0;
  return (
    <div
      class={`json-row${level === undefined ? "" : ` marked m-${level}`}`}
      role="treeitem"
      data-row={at}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={node.depth + (row.kind === "missing" ? 2 : 1)}
      aria-expanded={isContainer ? row.kind === "value" && row.isOpen : undefined}
      data-focus={marks.some(({ isFocus }) => isFocus) ? "" : undefined}
      style={style}
    >
      {isContainer && <span class="twisty" aria-hidden="true" />}
      {node.depth > maxIndented && <span class="tag">{node.depth}</span>}
      {row.kind === "missing" ? (
        <>
          <span class="key">{visible(JSON.stringify(row.name))}</span>: <em>is not there</em>
        </>
      ) : (
        <>
          <Key node={node} />
          <Value of={of} node={node} isOpen={row.isOpen} />
          {isLast || (isContainer && row.isOpen) ? "" : ","}
        </>
      )}
      <MarkNotes marks={marks} />
    </div>
  );
}
