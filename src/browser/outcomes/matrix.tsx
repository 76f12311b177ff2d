/** Several gateways or clients as a table: rows by group, a column each. Rows that agree fold; a row opens to what each column shows. */
import { Fragment, type JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { printable, shortened } from "../../report/clean.ts";
import { extentOf, inOrder, isAlike, isAmiss, toneSigns } from "../../report/outcomes/outline.ts";
import type { OutcomeCell, OutcomeGroup, OutcomeRow } from "../../report/outcomes/table.ts";
import { plural } from "../../report/plural.ts";
import { Nothing } from "../components/filters.tsx";
import { replaceRoute } from "../components/route.ts";
import { Examples } from "./example.tsx";
import { useOutcomes } from "./outcomes.ts";
import { hrefOf, isOpen, isSelected, type Selection } from "./selection.ts";
import { OutcomeChip, outcomeWord, styleOf } from "./signs.tsx";

interface MatrixProps {
  readonly selection: Selection;
}

export function Matrix({ selection }: MatrixProps): JSX.Element {
  const outcomes = useOutcomes();
  const { table, names } = outcomes;
  const groups = table.groups.flatMap((group) => {
    // Rows that agree stand there folded.
    const wanted = selection.show === "differ" ? { ...selection, show: "all" as const } : selection;
    const rows = inOrder(table, group).filter((row) => isSelected(outcomes, wanted, group, row));
    return rows.length > 0 ? [{ group, rows }] : [];
  });
  useLayoutEffect(() => {
    document.querySelector(".matrix tr.open")?.scrollIntoView({ block: "center" });
  }, []);
  if (groups.length === 0) return <Nothing noun="row" all={hrefOf({ show: "all" })} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys too
    <section class="matrix of-outcomes" aria-label="Outcomes" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {names.map((name, i) => (
              <th key={i} scope="col">
                <Breakable text={name} />
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ group, rows }) => (
          <GroupRows key={group.name} group={group} rows={rows} selection={selection} />
        ))}
      </table>
    </section>
  );
}

/** A name that breaks behind a slash. */
function Breakable({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split("/");
  return (
    <>
      {parts.map((part, i) => (
        <Fragment key={i}>
          {part}
          {i < parts.length - 1 && (
            <>
              /<wbr />
            </>
          )}
        </Fragment>
      ))}
    </>
  );
}

interface GroupRowsProps extends MatrixProps {
  readonly group: OutcomeGroup;
  readonly rows: readonly OutcomeRow[];
}

function GroupRows({ group, rows, selection }: GroupRowsProps): JSX.Element {
  const { names } = useOutcomes();
  const alike = selection.show === "differ" ? rows.filter(isAlike) : [];
  const [isUnfolded, setUnfolded] = useState(alike.some((row) => isOpen(selection, group, row)));
  const shown = isUnfolded ? rows : rows.slice(0, rows.length - alike.length);
  return (
    <tbody>
      <tr class="head-row">
        <th scope="rowgroup" colSpan={names.length + 1}>
          <span>
            {printable(shortened(group.title, 200))} <span class="count">{plural(rows.length, group.noun)}</span>{" "}
            {alike.length > 0 && (
              <button type="button" class="quiet" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
                {isUnfolded ? "fold" : "show"} {alike.length.toLocaleString("en")} alike in all columns
              </button>
            )}
          </span>
        </th>
      </tr>
      {shown.map((row) => (
        <MatrixRow key={row.id} group={group} row={row} isOpen={isOpen(selection, group, row)} selection={selection} />
      ))}
    </tbody>
  );
}

interface MatrixRowProps extends MatrixProps {
  readonly group: OutcomeGroup;
  readonly row: OutcomeRow;
  readonly isOpen: boolean;
}

function MatrixRow({ group, row, isOpen: standsOpen, selection }: MatrixRowProps): JSX.Element {
  const { names } = useOutcomes();
  const { row: _row, column: _column, ...rest } = selection;
  const href = (column?: number): string =>
    hrefOf({ ...rest, row: [group.name, row.id], ...(column !== undefined && { column }) });
  return (
    <>
      <tr class={standsOpen ? "open" : undefined}>
        <th scope="row">
          <button
            type="button"
            class="row-name"
            aria-expanded={standsOpen}
            title={printable(shortened(row.says, 300))}
            onClick={() => replaceRoute(standsOpen ? hrefOf(rest) : href())}
          >
            {printable(shortened(row.id, 120))}
          </button>
        </th>
        {row.cells.map((cell, i) => (
          <Cell key={i} cell={cell} href={href(i)} name={names[i]!} />
        ))}
      </tr>
      {standsOpen && (
        <tr class="detail">
          <td colSpan={names.length + 1}>
            <Detail group={group} row={row} column={selection.column} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Whether there is more to tell than the outcome. */
const hasMore = ({ examples, why }: OutcomeCell): boolean => examples.length > 0 || why !== undefined;

interface CellProps {
  readonly cell: OutcomeCell | null;
  readonly href: string;
  readonly name: string;
}

function Cell({ cell, href, name }: CellProps): JSX.Element {
  const { toneOf } = useOutcomes();
  if (cell === null) return <td class="none">–</td>;
  const tone = toneOf(cell);
  const says = (
    <>
      <span aria-hidden="true">{toneSigns[tone].mark}</span> {outcomeWord(cell.outcome)}
      {cell.expected && ", known"}
    </>
  );
  const extent = isAmiss(tone) ? extentOf(cell) : "";
  return (
    <td class={`t-${styleOf[tone]}`}>
      {hasMore(cell) ? (
        <a
          href={href}
          title={printable(shortened(`${name}: ${cell.why ?? outcomeWord(cell.outcome)}`, 300))}
          onClick={(event) => {
            event.preventDefault();
            replaceRoute(href);
          }}
        >
          {says}
        </a>
      ) : (
        says
      )}
      {extent !== "" && <small>{extent}</small>}
    </td>
  );
}

interface DetailProps {
  readonly group: OutcomeGroup;
  readonly row: OutcomeRow;
  /** The one that is looked at. */
  readonly column: number | undefined;
}

/** What columns show of a row: the one that is looked at, or those in which it is amiss. */
function Detail({ group, row, column }: DetailProps): JSX.Element {
  const { names, toneOf } = useOutcomes();
  const telling = row.cells.flatMap((cell, i) => (cell && hasMore(cell) ? [[cell, i] as const] : []));
  const amiss = telling.filter(([cell]) => cell.expected || isAmiss(toneOf(cell)));
  const chosen = telling.filter(([, i]) => i === column);
  const cards = column !== undefined ? chosen : amiss.length > 0 ? amiss : telling;
  const isClause = group.noun === "clause";
  return (
    <div class="row-detail">
      <p>
        {printable(shortened(row.says, 600))}
        {row.basis !== undefined && <span class="soft small"> Rests on {printable(shortened(row.basis, 600))}.</span>}
      </p>
      <div class="cards">
        {cards.map(([cell, i]) => (
          <article key={i}>
            <h3>
              {names[i]} <OutcomeChip cell={cell} /> <span class="extent">{extentOf(cell)}</span>
            </h3>
            <Examples cell={cell} column={i} clause={isClause ? row.id : ""} />
          </article>
        ))}
      </div>
      {cards.length === 0 && <p class="soft">No column has more to show of it.</p>}
    </div>
  );
}
