/** What anyone wants to know first: who was judged, when, how, and what it came to. */
import type { JSX } from "preact";
import type { PageData } from "../../report/page/data.ts";
import { Bar, countStandings } from "../components/verdicts.tsx";

export function Top({ data }: { readonly data: PageData }): JSX.Element {
  const { name, verdict, clauses } = data;
  const interfaces = [...new Set(clauses.map((clause) => clause.interface))];
  return (
    <header class="top">
      <p class="soft">touchstone</p>
      <h1>{name}</h1>
      <p class={`verdict verdict-${verdict.state}`}>{verdict.sentence}</p>
      {interfaces.map((of) => (
        <section key={of}>
          <h2>{of}</h2>
          <Bar counts={countStandings(clauses.filter((clause) => clause.interface === of))} />
        </section>
      ))}
    </header>
  );
}
