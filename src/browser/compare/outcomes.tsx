/** Features and clients by column: what works where. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import type { Outcomes } from "../../report/side-by-side/document.ts";
import { grouped, isWorthWhy } from "../../report/side-by-side/words.ts";
import { ColumnHeads } from "./column-heads.tsx";
import { useComparison } from "./comparison.ts";

/** How an outcome is shown: a sign beside its words, and the tone of a state. */
const tones: Readonly<Record<string, readonly [sign: string, state: string]>> = {
  works: ["✓", "pass"],
  served: ["✓", "pass"],
  "works, with faults": ["!", "warning"],
  "served, with faults": ["!", "warning"],
  broken: ["✗", "fail"],
  "not served": ["✗", "fail"],
  "not offered": ["–", "skipped"],
  "not shown": ["–", "untested"],
};

/** Whether columns that offer it differ: that some lack all of an interface is told once, by its name. */
const differsWhereOffered = ({ cells }: Outcomes): boolean => {
  const offered = cells.flatMap((cell) =>
    cell && !/^not (?:offered|shown)$/.test(cell.outcome) ? [cell.outcome] : [],
  );
  return new Set(offered).size > 1;
};

/** On a phone tables are long: there they stand folded. */
const isWide = (): boolean => matchMedia("(min-width: 701px)").matches;

export function Features(): JSX.Element | null {
  const { document, names } = useComparison();
  const groups = new Map<string, Outcomes[]>();
  for (const one of document.features) {
    const of = one.name.slice(0, one.name.indexOf("/"));
    groups.set(of, [...(groups.get(of) ?? []), one]);
  }
  if (document.clients.length > 0) groups.set("clients", [...document.clients]);
  if (groups.size === 0) return null;
  return (
    <section aria-labelledby="features">
      <h2 id="features">What works where</h2>
      <table class="compare">
        <ColumnHeads first="feature or client" names={names} />
        {[...groups].map(([of, rows]) => (
          <Group key={of} of={of} rows={rows} />
        ))}
      </table>
    </section>
  );
}

function Group({ of, rows }: { readonly of: string; readonly rows: readonly Outcomes[] }): JSX.Element {
  const { names } = useComparison();
  const [isOpen, setOpen] = useState(() => isWide() && rows.some(differsWhereOffered));
  const [showsAll, setShowsAll] = useState(false);
  const differing = rows.filter(({ differs }) => differs);
  const shown = showsAll || differing.length === 0 ? rows : differing;
  return (
    <tbody>
      <tr class="section">
        <th scope="rowgroup" colSpan={names.length + 1}>
          <button type="button" class="row" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {printable(of)}{" "}
            <span class="count">
              {grouped(differing.length)} of {grouped(rows.length)} differ
            </span>
          </button>
        </th>
      </tr>
      {isOpen &&
        shown.map(({ name, cells }) => (
          <tr key={name}>
            <th scope="row" class="feature">
              {printable(name.startsWith(`${of}/`) ? name.slice(of.length + 1) : name)}
            </th>
            {cells.map((cell, i) => {
              const [sign, state] = tones[cell?.outcome ?? ""] ?? ["·", "unasked"];
              return (
                <td
                  key={i}
                  data-column={names[i]}
                  class={`c-${state}`}
                  title={cell ? [cell.why, ...cell.because].filter(Boolean).map(printable).join("\n") : undefined}
                >
                  <span class={`state-mark s-${state}`}>
                    <span aria-hidden="true">{sign}</span> {cell ? printable(cell.outcome) : "nobody looked"}
                  </span>
                  {cell && isWorthWhy(cell) && <span class="soft why">{printable(cell.why)}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      {isOpen && shown.length < rows.length && (
        <tr>
          <td colSpan={names.length + 1}>
            <button type="button" class="quiet" onClick={() => setShowsAll(true)}>
              Show {grouped(rows.length - shown.length)} that agree
            </button>
          </td>
        </tr>
      )}
    </tbody>
  );
}
