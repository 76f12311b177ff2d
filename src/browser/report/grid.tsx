/** Interface × section: where the findings are. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import type { PageClause } from "../../report/page/data.ts";
import { type StandingCounts, standings, standingWords } from "../../verdict/standing.ts";
import { hrefTo } from "../components/route.ts";
import { countsOf } from "../components/verdicts.tsx";
import { interfacesIn, titleOf, useReport } from "./report.ts";

export function Grid(): JSX.Element {
  const report = useReport();
  const { data } = report;
  const { shown: interfaces } = interfacesIn(report);
  const cells = new Map<string, PageClause[]>();
  const keyOf = (of: string, section: string): string => JSON.stringify([of, section]);
  for (const clause of data.clauses) {
    const key = keyOf(clause.interface, clause.section);
    const own = cells.get(key);
    if (own) own.push(clause);
    else cells.set(key, [clause]);
  }
  const told = data.clauses.filter((clause) => interfaces.includes(clause.interface));
  const sections = [...new Set(told.map(({ section }) => section))].sort();
  return (
    <table class="grid">
      <thead>
        <tr>
          <th scope="col">section</th>
          {interfaces.map((of) => (
            <th key={of} scope="col">
              {printable(titleOf(of))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sections.map((section) => (
          <tr key={section}>
            <th scope="row">{printable(section)}</th>
            {interfaces.map((of) => {
              const own = cells.get(keyOf(of, section));
              return (
                <td key={of}>{own && <Cell of={of} section={section} counts={countsOf(own)} all={own.length} />}</td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  readonly of: string;
  readonly section: string;
  readonly counts: StandingCounts;
  readonly all: number;
}

/** The figures of a cell: the worst first. */
function Cell({ of, section, counts, all }: CellProps): JSX.Element {
  const shown = standings.filter((one) => counts[one] > 0);
  const said = shown.map((one) => `${counts[one]} ${standingWords[one].word}`).join(", ");
  const worst = (
    ["fail", "broken", "expected", "warning", "pass", "no-verdict", "skipped", "untested", "unenforced"] as const
  ).find((one) => counts[one] > 0)!;
  return (
    <a class={`cell cell-${worst}`} href={hrefTo(["clauses"], { interface: of, section })} title={said}>
      <span class="hidden">
        {of}, {section}:{" "}
      </span>
      <span class={`v-${worst}`}>
        <strong>{counts[worst]}</strong> {standingWords[worst].word}
      </span>
      <span class="soft of"> of {all}</span>
      <span class="bar" aria-hidden="true">
        {shown.map((one) => (
          <span key={one} class={`b-${one}`} style={{ flexGrow: counts[one], flexBasis: 0 }} />
        ))}
      </span>
    </a>
  );
}
