/** The columns that are compared: what each is, its conclusion, and how it was judged; and in what they are not alike. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import type { Column } from "../../report/side-by-side/document.ts";
import { dateOf, grouped, unlikeSays, unlikeTitle } from "../../report/side-by-side/words.ts";
import { StandingBar } from "../components/verdicts.tsx";
import { ColumnHeads } from "./column-heads.tsx";
import { useComparison } from "./comparison.ts";
import { StateList } from "./states.tsx";

/** Green only for what conforms and admits to nothing. */
const toneOf = ({ standing: { state }, admitted }: Column): string =>
  state === "conforms" ? (admitted > 0 ? "admits" : "conforms") : state;

export function Targets(): JSX.Element {
  const { document, names } = useComparison();
  return (
    <section class="targets" aria-label="Targets">
      {document.columns.map((column, i) => (
        <article key={i}>
          <h2>{names[i]}</h2>
          <p class="soft">
            {column.url === null ? "the embedded reference" : printable(column.url)}
            <br />
            {dateOf(column)}
          </p>
          <p class={`tone-${toneOf(column)}`}>{column.says}</p>
          <StandingBar counts={column.counts} />
          <p>
            <strong>{grouped(column.shown)}</strong> of {grouped(column.clauses)} clauses shown
          </p>
          <StateList counts={column.counts} />
        </article>
      ))}
    </section>
  );
}

/** The differences that may not be laid to the targets; none if the columns are alike. */
export function UnlikeNotes(): JSX.Element | null {
  const { document, names } = useComparison();
  if (document.unlike.length === 0) return null;
  return (
    <section class="unlike" aria-labelledby="unlike">
      <h2 id="unlike">{unlikeTitle}</h2>
      <table class="compare">
        <ColumnHeads first="what" names={names} />
        <tbody>
          {document.unlike.map((one) => (
            <tr key={one.what}>
              <th scope="row">
                {printable(one.what)} <span class="says">{unlikeSays(one)}</span>
              </th>
              {one.values.map((value, i) => (
                <td key={i} data-column={names[i]}>
                  {printable(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
