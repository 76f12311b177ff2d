/** A finding: what the document says, what was expected and what came, and what would change the verdict. */
import type { JSX } from "preact";
import type { Finding } from "../../check/clause.ts";
import { printable } from "../../report/clean.ts";
import type { PageClause, PageReading } from "../../report/page/data.ts";
import type { Recheck } from "../../verdict/run-results.ts";
import { Sentence } from "./sentence.tsx";
import { Shown } from "./text.tsx";

export interface FindingProps {
  readonly finding: Finding;
  readonly clause: PageClause | undefined;
  readonly readings: Readonly<Record<string, PageReading>>;
  /** The result of sending it again. */
  readonly again?: Recheck | undefined;
  /** Whether the sentence of the clause, its clients and its readings stand above already. */
  readonly isUnder?: boolean;
  /** The link to the clause in this page. */
  readonly href?: string | undefined;
}

/** The place of a finding, in words. */
export function placeOf({ side, in: place, event, pointer }: Finding): string {
  const named = { headers: "header", path: "path parameter", query: "query parameter", form: "form field" } as const;
  if (pointer !== "" && (place === "headers" || place === "path" || place === "query" || place === "form"))
    return `${side} ${named[place]} ${pointer.slice(1).replaceAll("~1", "/").replaceAll("~0", "~")}`;
  const where =
    place === "stream" ? (event === null ? "the stream" : `event ${event} of the stream`) : `${side} ${place}`;
  return pointer === "" ? where : `${where}, at ${pointer}`;
}

/** The rest of a message beyond the sentence of its clause, the place, and the expected and actual value. */
function restOf({ message, actual }: Finding, clause: PageClause | undefined): string {
  if (!clause || clause.says === "" || !message.startsWith(`${clause.says} `)) return message;
  const rest = message.slice(clause.says.length + 1);
  const came = rest.indexOf(`, got ${actual}`);
  if (!rest.startsWith("In ") || came < 0) return rest;
  return rest.slice(came + 6 + actual.length).replace(/^ \((.*)\)\.$|^\.$/s, "$1");
}

const grades = { must: "must", should: "should", may: "may" } as const;

function ClauseHead({ clause, finding, href }: FindingProps): JSX.Element {
  const { document } = finding;
  return (
    <>
      <h2 class="clause-id">
        {href === undefined ? (
          <code>{finding.clause}</code>
        ) : (
          <a href={href}>
            <code>{finding.clause}</code>
          </a>
        )}
      </h2>
      {clause && clause.says !== "" && (
        <blockquote>
          <Sentence text={printable(clause.says)} />
        </blockquote>
      )}
      <p class="soft">
        {document.name}, <cite>{document.section}</cite>
        {clause && `, ${grades[clause.level]}`}
        {clause?.basis === "field" && "; the documents do not say it, the field agrees on it"}
      </p>
    </>
  );
}

function Tags({ clause, finding, again }: FindingProps): JSX.Element {
  const isFlaky = again !== undefined && again.failed < again.asked;
  return (
    <p class="tags">
      <span class={`tag n-${finding.level}`}>{finding.level}</span>
      {clause?.expected && <span class="tag v-expected">known failure</span>}
      {isFlaky && <span class="tag n-warning">flaky</span>}
    </p>
  );
}

/** Whether the strict option of a reading is another than the default. */
const changes = ({ default: usual, strict }: PageReading): boolean => strict !== usual && !/^Likewise\b/.test(strict);

function Readings({ finding, clause, readings }: FindingProps): JSX.Element | null {
  const ids = [...new Set([...(finding.reading === undefined ? [] : [finding.reading]), ...(clause?.readings ?? [])])];
  const known = ids.flatMap((id) => {
    const reading = readings[id];
    return reading && (id === finding.reading || changes(reading)) ? [[id, reading] as const] : [];
  });
  if (known.length === 0) return null;
  return (
    <details class="aside" open={finding.reading !== undefined}>
      <summary>
        {known.length === 1 ? "A reading" : `${known.length} readings`} of the document that could change this
      </summary>
      <dl class="readings">
        {known.map(([id, { asks, default: usual, strict }]) => (
          <div key={id}>
            <dt>
              <code>{id}</code> {id === finding.reading && <span class="tag">graded this finding</span>}
              <br />
              {asks}
            </dt>
            <dd>
              <b>by default</b> {usual}
            </dd>
            <dd>
              <b>strict</b> {strict} <code class="soft">--reading strict:{id}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Clients({ clause }: Pick<FindingProps, "clause">): JSX.Element | null {
  const clients = clause?.clients ?? [];
  if (clients.length === 0) return null;
  return (
    <div class="aside clients">
      <p>
        <b>Why it matters to official clients</b>
      </p>
      <ul>
        {clients.map(({ name, effect, evidence }) => (
          <li key={name}>
            <code>{name}</code> <b>{effect}</b>: {evidence}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** One finding, whole. */
export function FindingShown(props: FindingProps): JSX.Element {
  const { finding, clause, again, isUnder = false } = props;
  const rest = restOf(finding, clause);
  const diverges = finding.diverges ?? clause?.diverges;
  return (
    <section class={`finding f-${finding.level}`}>
      <Tags {...props} />
      {!isUnder && <ClauseHead {...props} />}
      {rest !== "" && (
        <p>
          <Shown of={{ text: rest }} first={1_500} />
        </p>
      )}
      <dl class="compared">
        <div>
          <dt>expected</dt>
          <dd class="mono">
            <Shown of={{ text: finding.expected }} first={1_000} />
          </dd>
        </div>
        <div>
          <dt>actual</dt>
          <dd class="mono actual">
            <Shown of={{ text: finding.actual }} first={1_000} />
          </dd>
        </div>
        <div>
          <dt>where</dt>
          <dd class="mono">
            <Shown of={{ text: placeOf(finding) }} />
          </dd>
        </div>
      </dl>
      {!isUnder && clause?.expected && (
        <p>
          Expected: <Shown of={{ text: clause.expected.reason }} first={1_000} />
          {clause.expected.ticket !== undefined && <> ({<Shown of={{ text: clause.expected.ticket }} />})</>}
          {clause.expected.expires !== undefined && `, until ${clause.expected.expires}`}
        </p>
      )}
      {again && (
        <p>
          Asked {again.asked} times, it failed {again.failed === again.asked ? "each time" : `${again.failed} times`}.
        </p>
      )}
      {!isUnder && diverges !== undefined && <p class="soft">{diverges}</p>}
      {!isUnder && <Clients clause={clause} />}
      {!isUnder && <Readings {...props} />}
    </section>
  );
}
