/** How it was tested, and what that does not say: the end of the page. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { factRows } from "../../report/outcomes/outline.ts";
import { commandText } from "../components/foot.tsx";
import { useOutcomes } from "./outcomes.ts";

export function About(): JSX.Element {
  const { data, table } = useOutcomes();
  // Facts in which columns differ stand in a table of their own.
  const facts = factRows(table).filter(({ differs }) => !differs);
  return (
    <section class="chapter" id="about" aria-labelledby="about-title">
      <h2 id="about-title" tabIndex={-1}>
        How this was tested
      </h2>
      <dl class="facts">
        {data.command && (
          <div>
            <dt>command</dt>
            <dd class="mono">{printable(shortened(commandText(data.command), 2_000))}</dd>
          </div>
        )}
        {facts.map(({ label, values: [value = ""] }) => (
          <div key={label}>
            <dt>{printable(shortened(label, 80))}</dt>
            <dd class="mono">{printable(shortened(value, 500))}</dd>
          </div>
        ))}
      </dl>
      <p class="soft small">
        touchstone judges what passes over the wire, and what a client hands back. It does not judge the quality,
        safety, price or speed of answers. A row that was not shown is not passed.
      </p>
    </section>
  );
}
