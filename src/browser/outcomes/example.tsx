/** Places where an outcome was seen: excerpts of what passed, links to whole exchanges, and commands. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import type { OutcomeCell, OutcomeExample } from "../../report/outcomes/table.ts";
import { Copy } from "../components/copy.tsx";
import { Shown } from "../components/text.tsx";
import { useOutcomes } from "./outcomes.ts";
import { exchangeHref } from "./selection.ts";
import { styleOf } from "./signs.tsx";

interface ExamplesProps {
  readonly cell: OutcomeCell;
  readonly column: number;
  /** The clause that the row is about, where it is one. */
  readonly clause: string;
}

const words = (text: string): string => printable(shortened(text, 1_000));

/** The first example, and the others folded. */
export function Examples({ cell, column, clause }: ExamplesProps): JSX.Element {
  const [first, ...others] = cell.examples;
  const one = (example: OutcomeExample, i: number): JSX.Element => (
    <Example key={i} example={example} cell={cell} column={column} clause={clause} />
  );
  return (
    <>
      {cell.why !== undefined && <p class="why">{words(cell.why)}</p>}
      {cell.expected && (
        <p class="why">
          Known failure: {words(cell.expected.reason)}
          {cell.expected.ticket !== undefined && ` (${words(cell.expected.ticket)})`}
          {cell.expected.expires !== undefined && `, until ${words(cell.expected.expires)}`}
        </p>
      )}
      {first && one(first, 0)}
      {others.length > 0 && (
        <details class="ids">
          <summary>
            {others.length} more {others.length === 1 ? "example" : "examples"}
          </summary>
          {others.map(one)}
        </details>
      )}
    </>
  );
}

interface ExampleProps extends ExamplesProps {
  readonly example: OutcomeExample;
}

function Example({ example, cell, column, clause }: ExampleProps): JSX.Element {
  const { toneOf, rowOf } = useOutcomes();
  const { title, why, excerpts, exchanges, commands } = example;
  const links = exchanges.filter(({ source, exchange }) => rowOf(column, source, exchange) !== undefined);
  return (
    <div class="example">
      <p class="trip">
        <code>{words(title)}</code>
        {why !== undefined && why !== cell.why && <span> {words(why)}</span>}
      </p>
      <dl class="against">
        {excerpts.map(({ label, text, isAmiss }, i) => (
          <div key={i}>
            <dt>{words(label)}</dt>
            <dd>
              <span class={isAmiss ? `came d-${styleOf[toneOf(cell)]}` : undefined}>
                {/* Where lines end may be what it is about. */}
                <Shown of={{ text }} lines={!text.includes("\r")} first={600} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
      {(links.length > 0 || commands.length > 0) && (
        <p class="acts">
          {links.map(({ says, source, exchange }, i) => (
            <a key={i} class="button" href={exchangeHref(column, source, exchange, clause)}>
              {words(says)}
            </a>
          ))}
          {commands.map(({ says, command }) => (
            <Copy key={says} text={command} what={`the ${says} command`} label={`Copy ${words(says)}`} />
          ))}
        </p>
      )}
    </div>
  );
}
