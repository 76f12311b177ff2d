/** The changes between two sides: the conclusion, the two sides, and every change with how sure it is. */
import type { JSX } from "preact";
import type { DriftSummary } from "../../drift/document.ts";
import { printable } from "../../report/clean.ts";
import type { DriftPage } from "../../report/drift/page.ts";
import { comparedText, totalText, verdictsTotal } from "../../report/drift/words.ts";
import { Head } from "../components/head.tsx";
import { Changes } from "./changes.tsx";
import { Verdicts } from "./verdicts.tsx";

const dateFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

const stateOf = ({ changes, forbidden }: DriftSummary): string =>
  changes === 0 ? "pass" : forbidden > 0 ? "fail" : "warning";

export function Page({
  data: { before, after, compared, document, examples },
}: {
  readonly data: DriftPage;
}): JSX.Element {
  const isVerdicts = "verdicts" in document;
  const state = isVerdicts ? (document.verdicts.length > 0 ? "warning" : "pass") : stateOf(document.summary);
  return (
    <>
      <Head title="diff" />
      <main class="drift">
        <h1>What changed</h1>
        <dl class="drift-sides">
          <div>
            <dt>before</dt>
            <dd class="mono">{printable(before)}</dd>
          </div>
          <div>
            <dt>now</dt>
            <dd class="mono">{printable(after)}</dd>
          </div>
          <div>
            <dt>compared</dt>
            <dd>{dateFormat.format(new Date(compared))} UTC</dd>
          </div>
        </dl>
        <p class={`drift-total v-${state}`}>
          {isVerdicts ? verdictsTotal(document.verdicts.length) : totalText(document.summary)}.
        </p>
        {isVerdicts ? (
          <Verdicts verdicts={document.verdicts} />
        ) : (
          <>
            <ul class="plain soft small">
              {comparedText(document.summary).map((line) => (
                <li key={line}>{printable(line)}.</li>
              ))}
            </ul>
            <Changes changes={document.changes} examples={examples} />
          </>
        )}
      </main>
    </>
  );
}
