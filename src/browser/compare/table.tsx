/** The table: sections that fold, a row a clause, a column a target; a row opens to its evidence. */
import type { JSX, TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import type { Cell, Row, Section } from "../../report/side-by-side/document.ts";
import { extentOf, grouped } from "../../report/side-by-side/words.ts";
import { standingWords } from "../../verdict/standing.ts";
import { replaceRoute } from "../components/route.ts";
import { Sentence } from "../components/sentence.tsx";
import { StandingBar } from "../components/verdicts.tsx";
import { ColumnHeads } from "./column-heads.tsx";
import { hrefOf, type Selection, sectionsOf, useComparison } from "./comparison.ts";
import { Detail } from "./detail.tsx";
import { StateMark } from "./states.tsx";

interface ShownSection extends Section {
  readonly path: string;
}

/** Rows up to which sections stand open by themselves. */
const maxOpen = 120;

export function Table({ selection }: { readonly selection: Selection }): JSX.Element {
  const comparison = useComparison();
  const { names } = comparison;
  const sections = sectionsOf(comparison, selection);
  const rows = sections.reduce((sum, section) => sum + section.rows.length, 0);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = ({ path, rows: own }: ShownSection): boolean =>
    folds.get(path) ?? (rows <= maxOpen || own.some(({ clause }) => clause === selection.clause));
  const setAll = (open: boolean): void => setFolds(new Map(sections.map(({ path }) => [path, open])));
  useLayoutEffect(() => {
    if (selection.clause !== "")
      document.getElementById(`clause-${selection.clause}`)?.scrollIntoView({ block: "start" });
  }, []);
  return (
    <section aria-labelledby="clauses">
      <div class="table-head">
        <h2 id="clauses">
          {grouped(rows)} {rows === 1 ? "clause" : "clauses"}
        </h2>
        <span class="folds">
          <button type="button" class="quiet" onClick={() => setAll(true)}>
            Unfold all
          </button>
          <button type="button" class="quiet" onClick={() => setAll(false)}>
            Fold all
          </button>
        </span>
      </div>
      {rows === 0 ? (
        <p>No clause is as asked for.</p>
      ) : (
        <table class="compare clauses" onKeyDown={moveBetweenRows}>
          <ColumnHeads first="clause" names={names} />
          {sections.map((section) => (
            <SectionRows
              key={section.path}
              section={section}
              selection={selection}
              isOpen={isOpen(section)}
              onFold={(open) => setFolds(new Map(folds).set(section.path, open))}
            />
          ))}
        </table>
      )}
    </section>
  );
}

/** Arrow keys, Home and End move between sections and clauses. */
function moveBetweenRows(event: TargetedKeyboardEvent<HTMLTableElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button.row")];
  const at = buttons.indexOf(event.target as HTMLElement);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: buttons.length - 1,
  };
  const to = moves[event.key];
  if (at < 0 || to === undefined || !buttons[to]) return;
  event.preventDefault();
  buttons[to].focus();
}

interface SectionRowsProps {
  readonly section: ShownSection;
  readonly selection: Selection;
  readonly isOpen: boolean;
  readonly onFold: (open: boolean) => void;
}

function SectionRows({ section, selection, isOpen, onFold }: SectionRowsProps): JSX.Element {
  const { names } = useComparison();
  const { path, rows, counts } = section;
  return (
    <tbody>
      <tr class="section">
        <th scope="rowgroup">
          <button type="button" class="row" aria-expanded={isOpen} onClick={() => onFold(!isOpen)}>
            {printable(section.interface)}/<wbr />
            {printable(section.section)} <span class="count">{grouped(rows.length)}</span>
          </button>
        </th>
        {counts.map((own, i) => (
          <td key={i} data-column={names[i]}>
            <StandingBar counts={own} />
            <span class="hidden">
              {Object.entries(own)
                .filter(([, n]) => n > 0)
                .map(([state, n]) => `${n} ${standingWords[state as Cell["state"]].word}`)
                .join(", ")}
            </span>
          </td>
        ))}
      </tr>
      {isOpen &&
        rows.map((row) => (
          <ClauseRow key={row.clause} row={row} lead={`${path.replace("/", ".")}.`} selection={selection} />
        ))}
    </tbody>
  );
}

interface ClauseRowProps {
  readonly row: Row;
  readonly lead: string;
  readonly selection: Selection;
}

function ClauseRow({ row, lead, selection }: ClauseRowProps): JSX.Element {
  const { names } = useComparison();
  const { clause, says, cells } = row;
  const { column: _column, place: _place, ...rest } = selection;
  const isOpen = selection.clause === clause;
  return (
    <>
      <tr id={`clause-${clause}`} class={isOpen ? "clause open" : "clause"}>
        <th scope="row">
          <button
            type="button"
            class="row"
            aria-expanded={isOpen}
            onClick={() => replaceRoute(hrefOf({ ...rest, clause: isOpen ? "" : clause }))}
          >
            {printable(clause.startsWith(lead) ? clause.slice(lead.length) : clause)}
          </button>
          {says !== null && (
            <span class="says">
              <Sentence text={printable(says)} />
            </span>
          )}
        </th>
        {cells.map((cell, i) => (
          <td key={i} data-column={names[i]} class={`c-${cell.state}`}>
            <span>
              {cell.places && cell.state !== "pass" ? (
                <a href={hrefOf({ ...rest, clause, column: i, place: 0 })}>
                  <StateMark state={cell.state} />
                </a>
              ) : (
                <StateMark state={cell.state} />
              )}{" "}
              <span class="extent">{extentOf(cell)}</span>
            </span>
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr class="detail">
          <td colSpan={cells.length + 1}>
            <Detail row={row} selection={selection} />
          </td>
        </tr>
      )}
    </>
  );
}
