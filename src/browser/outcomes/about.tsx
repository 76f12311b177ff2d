/** How it was tested, and what that does not say: the end of the page. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { factRows } from "../../report/outcomes/outline.ts";
import { useOutcomes } from "./outcomes.ts";

const quoted = (word: string): string => (/^[\w./:=@,+$-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

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
            <dd class="mono">{printable(shortened(data.command.map(quoted).join(" "), 2_000))}</dd>
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

export function Foot(): JSX.Element {
  const { table } = useOutcomes();
  const version = table.columns[0]!.facts.find(([name]) => name === "touchstone")?.[1];
  return (
    <footer class="foot">
      <span>touchstone{version === undefined ? "" : ` ${printable(shortened(version, 40))}`}</span>
      <span>
        Every exchange can be judged again: <code>touchstone verify</code>
      </span>
      <span>
        Keys: <kbd>?</kbd>
      </span>
    </footer>
  );
}
