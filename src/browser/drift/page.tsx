/** The changes between two sides: the conclusion, the two sides, and every change with how sure it is. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import type { DriftPage } from "../../report/drift/page.ts";
import { comparedText, totalText, verdictsTotal } from "../../report/drift/words.ts";
import { Figures } from "../components/figures.tsx";
import { Head } from "../components/head.tsx";
import { Changes } from "./changes.tsx";
import { changeFigures, verdictFigures } from "./figures.ts";
import { Verdicts } from "./verdicts.tsx";

const dateFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

export function Page({ data }: { readonly data: DriftPage }): JSX.Element {
  const { before, after, compared, document, sentences, examples } = data;
  const isVerdicts = "verdicts" in document;
  const { pill, state, figures } = isVerdicts ? verdictFigures(document.verdicts) : changeFigures(document);
  return (
    <>
      <Head title="diff" />
      <main class="drift">
        <div class="title">
          <h1 tabIndex={-1}>What changed</h1>
          <span class={`pill p-${state}`}>{pill}</span>
        </div>
        <p class="sentence">{isVerdicts ? verdictsTotal(document.verdicts.length) : totalText(document.summary)}.</p>
        <p class="meta">
          <span>before: {printable(before)}</span>
          <span>now: {printable(after)}</span>
          <span>compared {dateFormat.format(new Date(compared))} UTC</span>
        </p>
        {figures.length > 0 && <Figures figures={figures} />}
        {isVerdicts ? (
          <Verdicts verdicts={document.verdicts} sentences={sentences} />
        ) : (
          <>
            <ul class="plain soft small">
              {comparedText(document.summary).map((line) => (
                <li key={line}>{printable(line)}.</li>
              ))}
            </ul>
            <Changes changes={document.changes} sentences={sentences} examples={examples} />
          </>
        )}
      </main>
    </>
  );
}
