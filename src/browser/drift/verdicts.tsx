/** Verdicts that two results give differently: lost, won, and the others. */
import type { JSX } from "preact";
import type { VerdictChange } from "../../drift/document.ts";
import { printable } from "../../report/clean.ts";
import { verdictGroups } from "../../report/drift/words.ts";

export function Verdicts({ verdicts }: { readonly verdicts: readonly VerdictChange[] }): JSX.Element {
  return (
    <>
      {verdictGroups(verdicts).map(([heading, own]) => (
        <section key={heading} class="drift-group">
          <h2>
            {heading} <span class="soft drift-count">{own.length}</span>
          </h2>
          <ul class="plain">
            {own.map(({ clause, before, after }) => (
              <li key={clause} class="drift-verdict">
                <code>{printable(clause)}</code>{" "}
                <span>
                  <span class={`v-${before}`}>{before}</span> <span aria-hidden="true">→</span>
                  <span class="hidden"> now </span> <span class={`v-${after}`}>{after}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
