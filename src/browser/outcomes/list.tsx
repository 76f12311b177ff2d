/** The rows of one gateway or client, group by group: what is amiss first, by reason, the rest folded. A row opens in place. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { printable, shortened } from "../../report/clean.ts";
import { byReason, extentOf, inOrder, isAmiss, worstTone } from "../../report/outcomes/outline.ts";
import type { OutcomeGroup, OutcomeRow } from "../../report/outcomes/table.ts";
import { plural } from "../../report/plural.ts";
import { Nothing } from "../components/filters.tsx";
import { Examples } from "./example.tsx";
import { useOutcomes } from "./outcomes.ts";
import { hrefOf, isOpen, isSelected, isWide, type Selection } from "./selection.ts";
import { OutcomeChip } from "./signs.tsx";

export function List({ selection }: { readonly selection: Selection }): JSX.Element {
  const outcomes = useOutcomes();
  const { table } = outcomes;
  const groups = table.groups.flatMap((group) => {
    const rows = inOrder(table, group).filter((row) => isSelected(outcomes, selection, group, row));
    return rows.length > 0 ? [{ group, rows }] : [];
  });
  if (groups.length === 0) return <Nothing noun="row" all={hrefOf({})} />;
  // The worst row that is amiss stands open, unless the address names another.
  const all = selection.row ? [] : groups.flatMap(({ rows }) => rows);
  const first = (["bad", "warn"] as const)
    .map((tone) => all.find((row) => worstTone(table, row) === tone))
    .find((row) => row !== undefined);
  return (
    <>
      {groups.map(({ group, rows }) => (
        <Group key={group.name} group={group} rows={rows} first={first} selection={selection} />
      ))}
    </>
  );
}

interface GroupProps {
  readonly group: OutcomeGroup;
  readonly rows: readonly OutcomeRow[];
  /** The row of all groups that stands open by itself. */
  readonly first: OutcomeRow | undefined;
  readonly selection: Selection;
}

function Group({ group, rows, first, selection }: GroupProps): JSX.Element {
  const { toneOf } = useOutcomes();
  const isNamed = (row: OutcomeRow): boolean => isOpen(selection, group, row);
  const told = isWide(selection) ? rows.filter(({ cells: [cell] }) => cell && isAmiss(toneOf(cell))) : rows;
  const rest = rows.slice(told.length);
  const line = (row: OutcomeRow): JSX.Element => (
    <Row key={row.id} group={group} row={row} isNamed={isNamed(row)} isFirst={row === first} />
  );
  return (
    <section class="group" aria-label={printable(group.title)}>
      <h3>
        {printable(shortened(group.title, 200))} <span>{plural(rows.length, group.noun)}</span>
      </h3>
      {byReason(group, told).map((block) =>
        block.length === 1 ? (
          line(block[0]!)
        ) : (
          <Reason
            key={block[0]!.id}
            rows={block}
            group={group}
            standsOpen={block.some((row) => isNamed(row) || row === first)}
          >
            {line}
          </Reason>
        ),
      )}
      {rest.length > 0 && (
        <Rest rows={rest} group={group} standsOpen={rest.some(isNamed)}>
          {line}
        </Rest>
      )}
    </section>
  );
}

interface FoldProps {
  readonly rows: readonly OutcomeRow[];
  readonly group: OutcomeGroup;
  /** Whether one of them stands open. */
  readonly standsOpen: boolean;
  readonly children: (row: OutcomeRow) => JSX.Element;
}

/** Rows that went amiss for one reason. */
function Reason({ rows, group, standsOpen, children: line }: FoldProps): JSX.Element {
  const [wasOpened, setOpened] = useState(standsOpen);
  const cell = rows[0]!.cells[0]!;
  return (
    <details class="reason" open={standsOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary class="line">
        <span class="came-to">
          <OutcomeChip cell={cell} />
        </span>
        <span class="says">{printable(shortened(cell.why!, 300))}</span>
        <span class="extent">{plural(rows.length, group.noun)}</span>
      </summary>
      {wasOpened && rows.map(line)}
    </details>
  );
}

/** Rows that nothing is held against, folded: how many there are of each outcome. */
function Rest({ rows, group, standsOpen, children: line }: FoldProps): JSX.Element {
  const [wasOpened, setOpened] = useState(standsOpen);
  const first = new Map(rows.map(({ cells: [cell] }) => [`${cell!.outcome} ${Boolean(cell!.expected)}`, cell!]));
  return (
    <details class="rest" open={standsOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary class="line">
        <span class="chips">
          {[...first].map(([key, cell]) => (
            <span key={key}>
              <OutcomeChip cell={cell} />{" "}
              {rows.filter(({ cells: [own] }) => `${own!.outcome} ${Boolean(own!.expected)}` === key).length}
            </span>
          ))}
        </span>
        <span class="extent">{plural(rows.length, group.noun)}</span>
      </summary>
      {wasOpened && rows.map(line)}
    </details>
  );
}

interface RowProps {
  readonly group: OutcomeGroup;
  readonly row: OutcomeRow;
  /** Whether the address names it. */
  readonly isNamed: boolean;
  /** Whether it stands open unless somebody closes it. */
  readonly isFirst: boolean;
}

function Row({ group, row, isNamed, isFirst }: RowProps): JSX.Element {
  const cell = row.cells[0]!;
  const standsOpen = isNamed || isFirst;
  const [wasOpened, setOpened] = useState(standsOpen);
  const element = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (!isNamed) return;
    setOpened(true);
    element.current?.scrollIntoView({ block: "start" });
  }, [isNamed]);
  return (
    <details
      ref={element}
      class="cause"
      open={standsOpen}
      onToggle={(event) => event.currentTarget.open && setOpened(true)}
    >
      <summary class="line">
        <span class="came-to">
          <OutcomeChip cell={cell} />
        </span>
        <span class="says">{printable(shortened(row.says, 300))}</span>
        <code class="id">{printable(shortened(row.id, 200))}</code>
        <span class="extent">{extentOf(cell)}</span>
      </summary>
      {wasOpened && (
        <div class="opened">
          <p class="basis">
            <a href={hrefOf({ row: [group.name, row.id] })}>
              <code>{printable(shortened(row.id, 300))}</code>
            </a>
            {row.basis !== undefined && <span class="soft"> rests on {printable(shortened(row.basis, 600))}</span>}
          </p>
          <Examples cell={cell} column={0} clause={group.noun === "clause" ? row.id : ""} />
        </div>
      )}
    </details>
  );
}
