/** The evidence of one clause: of each column what came, its first places, and the exchange where one is looked at. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import { placeOf } from "../../report/outline.ts";
import { plural } from "../../report/plural.ts";
import type { Cell, Row } from "../../report/side-by-side/document.ts";
import { grouped } from "../../report/side-by-side/words.ts";
import { replaceRoute } from "../components/route.ts";
import { Sentence } from "../components/sentence.tsx";
import { hrefOf, type Selection, useComparison } from "./comparison.ts";
import { ExchangeOf } from "./exchange.tsx";
import { StateMark } from "./states.tsx";

interface DetailProps {
  readonly row: Row;
  readonly selection: Selection;
}

export function Detail({ row, selection }: DetailProps): JSX.Element {
  const { clause, says, document, cells } = row;
  const { names } = useComparison();
  const { column } = selection;
  const place = column === undefined ? undefined : cells[column]?.places?.[selection.place ?? 0];
  return (
    <div class="clause-evidence">
      <p>
        <code>{printable(clause)}</code>
        {says !== null && (
          <>
            {" "}
            <Sentence text={printable(says)} />
          </>
        )}
        {document && (
          <span class="soft">
            {" "}
            ({printable(document.name)}, {printable(document.section)})
          </span>
        )}
      </p>
      <ul class="quiet-cells">
        {cells.map((cell, i) =>
          hasMore(cell) ? null : (
            <li key={i}>
              <strong>{names[i]}</strong> <StateMark state={cell.state} /> <span class="soft">{saysOf(cell)}</span>
            </li>
          ),
        )}
      </ul>
      <div class="cell-cards">
        {cells.map((cell, i) => (hasMore(cell) ? <Card key={i} cell={cell} column={i} selection={selection} /> : null))}
      </div>
      {column !== undefined && place && <ExchangeOf column={column} place={place} clause={clause} />}
    </div>
  );
}

interface CardProps {
  readonly cell: Cell;
  readonly column: number;
  readonly selection: Selection;
}

/** Whether there is more to tell than a line. */
const hasMore = ({ state, places, why, diverges }: Cell): boolean =>
  state !== "pass" && (places !== undefined || why !== undefined || diverges !== undefined || state === "unasked");

/** How often, in words. */
function saysOf({ state, exercised = 0, failed = 0, warned = 0, findings = 0 }: Cell): string {
  const parts = [
    ...(failed > 0 ? [`fails in ${grouped(failed)} of ${plural(exercised, "exchange")}`] : []),
    ...(warned > 0 ? [`warned about in ${grouped(warned)} of ${plural(exercised, "exchange")}`] : []),
    ...(exercised > 0 && failed + warned === 0 ? [`in ${plural(exercised, "exchange")}`] : []),
    ...(findings > 0 && state !== "pass" ? [plural(findings, "finding")] : []),
  ];
  return parts.join(", ");
}

function Card({ cell, column, selection }: CardProps): JSX.Element {
  const { names, document, rowOf } = useComparison();
  const { state, places = [], why = [], findings = 0, diverges } = cell;
  const shown = state === "pass" ? [] : places;
  return (
    <article class={`cell-card c-${state}`}>
      <h3>{names[column]}</h3>
      <p>
        <StateMark state={state} /> <span class="soft">{saysOf(cell)}</span>
      </p>
      {why.map((one) => (
        <p key={one}>
          {state === "expected" ? "Known failure: " : ""}
          {printable(one)}
        </p>
      ))}
      {diverges !== undefined && <p class="soft">{printable(diverges)}</p>}
      {state === "unasked" && (
        <p class="soft">
          No part of that run: its filters, its probes, or the version that judged it leave it out
          {document.columns[column]!.terms.filters.length > 0 && (
            <> ({printable(document.columns[column]!.terms.filters.join(", "))})</>
          )}
          .
        </p>
      )}
      {shown.map((place, i) => {
        const isLooked = selection.column === column && (selection.place ?? 0) === i;
        const known = rowOf(column, place.source, place.exchange) !== undefined;
        const { column: _column, place: _place, ...rest } = selection;
        return (
          <dl key={i} class="cell-place">
            <dt>at</dt>
            <dd>
              {printable(placeOf(place))}
              {known && (
                <>
                  {" "}
                  <button
                    type="button"
                    class="link"
                    aria-pressed={isLooked}
                    onClick={() => replaceRoute(hrefOf(isLooked ? rest : { ...rest, column, place: i }))}
                  >
                    {isLooked ? "hide the exchange" : "show the exchange"}
                  </button>
                </>
              )}
            </dd>
            <dt>expected</dt>
            <dd>{printable(place.expected)}</dd>
            <dt>actual</dt>
            <dd class="actual">{printable(place.actual)}</dd>
          </dl>
        );
      })}
      {findings > shown.length && shown.length > 0 && <p class="soft">and {grouped(findings - shown.length)} more</p>}
    </article>
  );
}
