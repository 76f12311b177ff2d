/** What anyone wants to know first of one gateway or client: its name and verdict, figures, and outcomes by group; each leads to its rows. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { cellsOf, concluded, inOrder, toneSigns } from "../../report/outcomes/outline.ts";
import type { OutcomeCell, Tone } from "../../report/outcomes/table.ts";
import { type Figure, Figures } from "../components/figures.tsx";
import { useOutcomes } from "./outcomes.ts";
import { hrefOf } from "./selection.ts";
import { outcomeWord, styleOf } from "./signs.tsx";

const dateFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** `22 Nov 2026, 17:19 UTC`; as it stands where it is no date. */
export const dateOf = (iso: string): string =>
  Number.isNaN(Date.parse(iso)) ? printable(iso) : `${dateFormat.format(new Date(iso))} UTC`;

/** Facts of a column that stand below its name. */
const maxFacts = 2;

const sentenceOf = (says: string): string => `${says.slice(0, 1).toUpperCase()}${says.slice(1)}.`;

export function Top(): JSX.Element {
  const { table, names } = useOutcomes();
  const [{ name, facts, started, troubles }] = table.columns as [(typeof table.columns)[number]];
  const { state, headline, says } = concluded(table, 0);
  const isNew = (value: string): boolean => value !== name && !table.title.includes(value);
  const told = [
    printable(shortened(table.title, 200)),
    ...facts
      .map(([, value]) => value)
      .filter(isNew)
      .slice(0, maxFacts)
      .map((value) => printable(shortened(value, 200))),
    ...(started === null ? [] : [dateOf(started)]),
  ];
  return (
    <div class="top">
      <div class="title">
        <h1 tabIndex={-1}>{names[0]}</h1>
        <span class={`pill p-${state}`}>{headline}</span>
      </div>
      <p class="sentence">{sentenceOf(says)}</p>
      <p class="meta">
        {[...new Set(told)].map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        <a href="#/about">How this was tested</a>
      </p>
      <Counts />
      {troubles.length > 0 && (
        <ul class="troubles">
          {troubles.map((trouble) => (
            <li key={trouble}>{printable(shortened(trouble, 1_000))}</li>
          ))}
        </ul>
      )}
      <ByGroup />
    </div>
  );
}

const oneOr = (n: number, one: string, many: string): string => (n === 1 ? one : many);

/** Five figures, each a link to what it counts. */
function Counts(): JSX.Element {
  const { table, toneOf } = useOutcomes();
  const cells = cellsOf(table, 0).map((cell) => ({ cell, tone: toneOf(cell) }));
  const of = (tone: Tone) => cells.filter((one) => one.tone === tone && !one.cell.expected);
  const known = cells.filter(({ cell }) => cell.expected).length;
  const wordsOf = (own: ReturnType<typeof of>, none: string): string =>
    [...new Set(own.map(({ cell }) => outcomeWord(cell.outcome)))].join(", ") || none;
  const [failing, warned] = [of("bad").length, of("warn").length];
  const figures: readonly Figure[] = [
    { figure: failing, says: oneOr(failing, "failure", "failures"), href: hrefOf({ show: "fail" }), tone: "fail" },
    { figure: warned, says: oneOr(warned, "warning", "warnings"), href: hrefOf({ show: "warn" }), tone: "warning" },
    { figure: known, says: oneOr(known, "known failure", "known failures"), href: hrefOf({ show: "known" }) },
    { figure: of("quiet").length, says: wordsOf(of("quiet"), "not shown"), href: hrefOf({ show: "quiet" }) },
    { figure: of("good").length, says: wordsOf(of("good"), "as they should be"), href: hrefOf({ show: "good" }) },
  ];
  return <Figures figures={figures} />;
}

/** A line a group: how many rows came to what, the worst first. */
function ByGroup(): JSX.Element {
  const { table, toneOf } = useOutcomes();
  return (
    <dl class="outcomes">
      {table.groups.map((group) => (
        <div key={group.name}>
          <dt>{printable(shortened(group.title, 200))}</dt>
          <dd>
            <ul class="plain chips">
              {[
                ...chipsOf(
                  inOrder(table, group).flatMap(({ cells: [cell] }) => cell ?? []),
                  toneOf,
                ),
              ].map(([key, { cell, tone, count }]) => (
                <li key={key} class={`outcome t-${styleOf[tone]}`}>
                  <a
                    href={hrefOf({
                      group: group.name,
                      ...(cell.expected ? { show: "known" } : { outcome: cell.outcome }),
                    })}
                  >
                    <span aria-hidden="true">{toneSigns[tone].mark}</span> {count}{" "}
                    {cell.expected ? "known" : outcomeWord(cell.outcome)}
                  </a>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Cells by tone and outcome, in their order. */
function chipsOf(cells: readonly OutcomeCell[], toneOf: (cell: OutcomeCell) => Tone) {
  const chips = new Map<string, { readonly cell: OutcomeCell; readonly tone: Tone; count: number }>();
  for (const cell of cells) {
    const tone = toneOf(cell);
    const key = cell.expected ? "known" : `${tone} ${cell.outcome}`;
    const known = chips.get(key) ?? { cell, tone, count: 0 };
    known.count++;
    chips.set(key, known);
  }
  return chips;
}
