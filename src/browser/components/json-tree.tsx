/** JSON that folds, with marked places; however much there is, a bounded part of it stands in the document. */
import type { JSX, TargetedKeyboardEvent, TargetedMouseEvent } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ViewedText } from "../../view/viewed.ts";
import { jsonNodes } from "./json-nodes.ts";
import { Row } from "./json-row.tsx";
import { isOpenFirst, type JsonRow, opened, rowsOf } from "./json-rows.ts";
import { MarkNotes } from "./mark-notes.tsx";
import { type Mark, type PlacedMarks, placed } from "./marks.ts";
import { counted } from "./shown.ts";

interface JsonTreeProps {
  readonly of: ViewedText;
  readonly label: string;
  readonly marks?: readonly Mark[];
}

/** Lines that stand there at first, and that each further look adds. */
const page = 200;
/** Lines before the place that is looked at. */
const before = 20;
const marksOf = (row: JsonRow, { at }: PlacedMarks): readonly Mark[] =>
  row.kind === "missing" ? [row.mark] : row.kind === "value" ? (at.get(row.position) ?? []) : [];

/** Arrow keys move between lines and fold; Home and End go to the ends of what is shown. */
export function JsonTree({ of, label, marks = [] }: JsonTreeProps): JSX.Element {
  const json = useMemo(() => jsonNodes(of.text), [of]);
  const places = useMemo(() => placed(json, marks), [json, marks]);
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [current, setCurrent] = useState(0);
  const tree = useRef<HTMLDivElement>(null);
  const wanted = useRef(false);
  const forced = useMemo(() => opened(json, places), [json, places]);
  const isOpen = (position: number): boolean =>
    folds.get(position) ?? (forced.has(position) || isOpenFirst(json, position));
  const rows = useMemo(() => rowsOf(json, places, isOpen), [json, places, folds]);
  const focus = rows.findIndex((row) => marksOf(row, places).some(({ isFocus }) => isFocus));
  const [range, setRange] = useState<readonly [number, number]>(() => {
    const from = Math.max(0, focus - before);
    return [from < page / 2 ? 0 : from, Math.max(0, from) + page];
  });
  const [from, to] = [Math.min(range[0], Math.max(0, rows.length - 1)), Math.min(range[1], rows.length)];

  useLayoutEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [current, folds]);

  const isItem = (i: number): boolean => rows[i] !== undefined && rows[i].kind !== "close";
  const inRange = (i: number): boolean => i >= from && i < to && isItem(i);
  // The line that the keyboard moves to when the line it was on is folded away.
  const active = inRange(current) ? current : from + rows.slice(from, to).findIndex(({ kind }) => kind !== "close");

  function go(i: number, step: number): void {
    let line = i;
    while (rows[line]?.kind === "close") line += step;
    if (!inRange(line)) return;
    wanted.current = true;
    setCurrent(line);
  }
  function fold(row: JsonRow | undefined, open: boolean): boolean {
    const node = row?.kind === "value" ? json.nodes[row.position]! : undefined;
    if (row?.kind !== "value" || !node || node.size === 0 || row.isOpen === open) return false;
    wanted.current = true;
    setFolds(new Map(folds).set(row.position, open));
    return true;
  }
  function parentOf(row: JsonRow | undefined): number {
    const parent = row?.kind === "missing" ? row.position : row && json.nodes[row.position]!.parent;
    return rows.findIndex((one) => one.kind === "value" && one.position === parent);
  }
  function onKeyDown(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    if (event.target instanceof HTMLButtonElement) return;
    const row = rows[active];
    if (event.key === "ArrowDown") go(active + 1, 1);
    else if (event.key === "ArrowUp") go(active - 1, -1);
    else if (event.key === "Home") go(from, 1);
    else if (event.key === "End") go(to - 1, -1);
    else if (event.key === "ArrowRight") fold(row, true) || go(active + 1, 1);
    else if (event.key === "ArrowLeft") fold(row, false) || go(parentOf(row), -1);
    else if (event.key === "Enter" || event.key === " ") {
      if (row?.kind === "value") fold(row, !row.isOpen);
    } else return;
    event.preventDefault();
  }
  function onClick(event: TargetedMouseEvent<HTMLDivElement>): void {
    const target = event.target as HTMLElement;
    const line = target.closest<HTMLElement>("[data-row]");
    if (!line || target.closest("button, a, img")) return;
    const i = Number(line.dataset["row"]);
    setCurrent(i);
    // Text that is being selected is no click on the line.
    if (target.closest(".twisty, .bracket, .soft, .key") && String(getSelection()) === "") {
      const row = rows[i];
      if (row?.kind === "value") fold(row, !row.isOpen);
    }
  }

  return (
    <div class="json">
      {from > 0 && (
        <button type="button" class="more" onClick={() => setRange([Math.max(0, from - page), range[1]])}>
          show {counted(Math.min(page, from))} of {counted(from)} lines before
        </button>
      )}
      <div ref={tree} role="tree" aria-label={label} onKeyDown={onKeyDown} onClick={onClick}>
        {rows.slice(from, to).map((row, k) => {
          const node = json.nodes[row.position]!;
          const container = json.nodes[node.parent];
          return (
            <Row
              key={`${row.kind}${row.position}${row.kind === "missing" ? row.name : ""}`}
              row={row}
              of={of}
              node={node}
              marks={marksOf(row, places)}
              at={from + k}
              isCurrent={from + k === active}
              isLast={row.kind === "missing" || !container || node.index === container.size - 1}
            />
          );
        })}
      </div>
      {to < rows.length && (
        <button type="button" class="more" onClick={() => setRange([from, range[1] + page])}>
          show {counted(Math.min(page, rows.length - to))} of {counted(rows.length - to)} more lines
        </button>
      )}
      {json.stopped !== undefined && <p class="soft">What follows is not in this page, or is no JSON.</p>}
      {places.lost.length > 0 && <MarkNotes marks={places.lost} of="at a place that this page does not hold" />}
    </div>
  );
}
