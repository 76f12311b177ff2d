/** What is compared: a line a column with its verdict, and the facts in which columns differ. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { cellsOf, concluded, factRows, outcomeCounts } from "../../report/outcomes/outline.ts";
import type { Tone } from "../../report/outcomes/table.ts";
import { useOutcomes } from "./outcomes.ts";
import { outcomeWord } from "./signs.tsx";
import { dateOf } from "./top.tsx";

const tones: readonly Tone[] = ["bad", "warn", "quiet", "good"];

/** Parts of a bar as verdicts have them. */
const bars: Readonly<Record<Tone, string>> = { bad: "fail", warn: "warning", quiet: "untested", good: "pass" };

function Bar({ column }: { readonly column: number }): JSX.Element {
  const { table, toneOf } = useOutcomes();
  const own = cellsOf(table, column).map(toneOf);
  return (
    <div class="bar" aria-hidden="true">
      {tones.map((tone) => {
        const count = own.filter((one) => one === tone).length;
        return count === 0 ? null : (
          <span key={tone} class={`b-${bars[tone]}`} style={{ flexGrow: count, flexBasis: 0 }} />
        );
      })}
    </div>
  );
}

export function Columns(): JSX.Element {
  const { table, names, toneOf } = useOutcomes();
  const fails = (column: number, outcome: string): boolean =>
    cellsOf(table, column).some((cell) => cell.outcome === outcome && toneOf(cell) === "bad");
  return (
    <ul class="plain columns-compared">
      {table.columns.map((column, i) => {
        const { state, headline, says } = concluded(table, i);
        return (
          <li key={i}>
            <h2>
              {names[i]}
              {column.started !== null && <small>{dateOf(column.started)}</small>}
            </h2>
            <span class={`pill p-${state}`} title={says}>
              {headline}
            </span>
            <Bar column={i} />
            <p class="legend">
              {outcomeCounts(table, i).map(([outcome, count]) => (
                <span key={outcome} class={fails(i, outcome) ? "v-fail" : undefined}>
                  {count.toLocaleString("en")} {outcomeWord(outcome)}
                </span>
              ))}
            </p>
            {column.troubles.map((trouble) => (
              <p key={trouble} class="v-fail small">
                {printable(shortened(trouble, 400))}
              </p>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

/** In what the columns differ besides their outcomes. */
export function Unlike(): JSX.Element | null {
  const { table, names } = useOutcomes();
  const rows = factRows(table).filter(({ differs }) => differs);
  if (rows.length === 0) return null;
  return (
    <details class="unlike">
      <summary>
        What columns are, where they differ <span class="count">{rows.length}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys too */}
      <section class="matrix" aria-label="Facts of the columns" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              {names.map((name, i) => (
                <th key={i} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, values }) => (
              <tr key={label}>
                <th scope="row">{printable(shortened(label, 80))}</th>
                {values.map((value, i) => (
                  <td key={i}>{printable(shortened(value, 200))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
