/** Requests that were not answered as recorded, by operation and column. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import { plural } from "../../report/plural.ts";
import { ColumnHeads } from "./column-heads.tsx";
import { useComparison } from "./comparison.ts";
import { ExchangeOf } from "./exchange.tsx";

export function UnansweredRequests(): JSX.Element | null {
  const { document, names, rowOf } = useComparison();
  const [open, setOpen] = useState<readonly [row: number, column: number]>();
  if (document.unanswered.length === 0) return null;
  const shown = open && document.unanswered[open[0]]?.cells[open[1]];
  return (
    <section aria-labelledby="unanswered">
      <h2 id="unanswered">Not answered as recorded</h2>
      <table class="compare">
        <ColumnHeads first="operation" names={names} />
        <tbody>
          {document.unanswered.map(({ operation, cells }, i) => (
            <tr key={i}>
              <th scope="row">{printable(operation)}</th>
              {cells.map((cell, column) => {
                const isOpen = open?.[0] === i && open[1] === column;
                return cell ? (
                  <td key={column} data-column={names[column]} class={`c-${cell.expected ? "expected" : "fail"}`}>
                    <span class={`state-mark s-${cell.expected ? "expected" : "fail"}`}>
                      <span aria-hidden="true">✗</span> {plural(cell.requests, "request")}
                      {cell.expected ? ", expected" : ""}
                    </span>{" "}
                    {rowOf(column, cell.source, cell.exchange) !== undefined && (
                      <button
                        type="button"
                        class="link"
                        aria-expanded={isOpen}
                        onClick={() => setOpen(isOpen ? undefined : [i, column])}
                      >
                        the first
                      </button>
                    )}
                  </td>
                ) : (
                  <td key={column} data-column={names[column]} class="c-unasked">
                    <span class="soft">none</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {open && shown && (
        <div class="clause-evidence">
          <p>{printable(shown.first)}</p>
          <ExchangeOf column={open[1]} place={shown} />
        </div>
      )}
    </section>
  );
}
