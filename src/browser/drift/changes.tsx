/** Changes of recordings, by operation, narrowed by a search and by what the document says. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { surenessOf } from "../../drift/chance.ts";
import type { Change, SeenIn } from "../../drift/document.ts";
import { printable, shortened } from "../../report/clean.ts";
import type { DriftPage } from "../../report/drift/page.ts";
import { allowedText, byOperation, exampleText, placeText, titleOf } from "../../report/drift/words.ts";
import { Choice, holdsWords, Marked, SearchBox, wordsOf } from "../components/filters.tsx";
import { hrefTo, replaceRoute, useRoute } from "../components/route.ts";
import { ChangeExamples } from "./examples.tsx";
import { sentenceOf, verdictOf } from "./figures.ts";

const shown = (text: string): string => printable(shortened(text, 400));

/** Changes shown before one asks for more. */
const atOnce = 200;

const colors: Readonly<Record<string, string>> = { forbidden: "fail", allowed: "pass", "not documented": "warning" };

/** In how many of all exchanges, as a bar and in words. */
function Share({ label, seen: { in: shown, of } }: { readonly label: string; readonly seen: SeenIn }): JSX.Element {
  return (
    <span class="drift-share">
      <span class="soft">{label}</span>
      <progress max={Math.max(of, 1)} value={shown} aria-hidden="true" />
      <span>
        {shown.toLocaleString("en")} of {of.toLocaleString("en")}
      </span>
    </span>
  );
}

interface ChangeRowProps {
  readonly change: Change;
  readonly sentences: DriftPage["sentences"];
  readonly examples: DriftPage["examples"];
  /** The words that are searched for. */
  readonly words: readonly string[];
}

function ChangeRow({ change, sentences, examples, words }: ChangeRowProps): JSX.Element {
  const { before, after, seen, chance, clause } = change;
  return (
    <li class={`drift-change drift-${colors[verdictOf(change)]}`}>
      <h3>
        <span class={`drift-kind v-${colors[verdictOf(change)]}`}>{titleOf(change)}</span>{" "}
        <code>
          <Marked text={shown(placeText(change))} words={words} />
        </code>
      </h3>
      <p class="drift-turn">
        {before !== null && (
          <>
            <span class="soft">was</span> <span class="mono">{shown(before)}</span>
          </>
        )}
        {before !== null && after !== null && <br />}
        {after !== null && (
          <>
            <span class="soft">now</span> <span class="mono">{shown(after)}</span>
          </>
        )}
      </p>
      <p class="drift-shares small">
        <Share label="before" seen={seen.before} />
        <Share label="now" seen={seen.after} />
        <span>{surenessOf(chance, seen.before.of, seen.after.of)}</span>
      </p>
      {sentenceOf(sentences, clause) !== "" && <p>{shown(sentenceOf(sentences, clause))}</p>}
      <p class="small">{shown(allowedText(change))}</p>
      <p class="small soft">{shown(exampleText(change))}</p>
      <ChangeExamples change={change} examples={examples} />
    </li>
  );
}

interface ChangesProps {
  readonly changes: readonly Change[];
  /** Of clauses, by their ids. */
  readonly sentences: DriftPage["sentences"];
  readonly examples: DriftPage["examples"];
}

export function Changes({ changes, sentences, examples }: ChangesProps): JSX.Element | null {
  const [search, setSearch] = useState("");
  const verdict = useRoute().query.get("show") ?? "";
  const [kind, setKind] = useState("");
  const [count, setCount] = useState(atOnce);
  const kinds = useMemo(() => [...new Set(changes.map(titleOf))].sort().map((one) => [one, one] as const), [changes]);
  if (changes.length === 0) return null;
  const words = wordsOf(search);
  const searchText = (change: Change): string =>
    [
      change.operation,
      placeText(change),
      change.before,
      change.after,
      change.clause,
      sentenceOf(sentences, change.clause),
    ]
      .join(" ")
      .toLowerCase();
  const found = changes.filter(
    (change) =>
      (verdict === "" || verdictOf(change) === verdict) &&
      (kind === "" || titleOf(change) === kind) &&
      (words.length === 0 || holdsWords(searchText(change), words)),
  );
  return (
    <>
      <search class="filters">
        <SearchBox label="Search places, values, clauses" value={search} onValue={setSearch} />
        <Choice
          label="the document"
          value={verdict}
          options={Object.keys(colors).map((one) => [one, one] as const)}
          onValue={(show) => replaceRoute(hrefTo([], { show }))}
        />
        <Choice label="change" value={kind} options={kinds} onValue={setKind} />
      </search>
      <p class="soft small" role="status">
        {found.length === changes.length ? `All ${changes.length}` : `${found.length} of ${changes.length}`}, the most
        telling first
      </p>
      {byOperation(found.slice(0, count)).map(([operation, own]) => (
        <section key={operation} class="drift-group">
          <h2>{shown(operation)}</h2>
          <ul class="plain">
            {own.map((change, i) => (
              <ChangeRow
                key={`${count} ${i} ${placeText(change)}`}
                change={change}
                sentences={sentences}
                examples={examples}
                words={words}
              />
            ))}
          </ul>
        </section>
      ))}
      {found.length > count && (
        <button type="button" onClick={() => setCount(count + atOnce)}>
          Show {Math.min(atOnce, found.length - count)} more
        </button>
      )}
    </>
  );
}
