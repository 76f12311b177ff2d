/** The parts that work: official clients and features as chips, broken first, each a link to what decided it. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import type { PageData } from "../../report/page/data.ts";
import type { FeatureOutcome } from "../../verdict/run-results.ts";
import { clauseHref, exchangeHref, type Report, titleOf, useReport } from "./report.ts";

interface Chip {
  readonly name: string;
  readonly outcome: FeatureOutcome["outcome"];
  readonly title: string;
  readonly href: string | undefined;
}

/** In the order of a row: broken first. */
const marks: Readonly<Record<FeatureOutcome["outcome"], readonly [mark: string, tone: string]>> = {
  broken: ["✕", "fail"],
  "works, with faults": ["!", "warning"],
  works: ["✓", "pass"],
  "not offered": ["–", "open"],
  "not shown": ["?", "open"],
};
const order = Object.keys(marks);
const byOutcome = (a: Chip, b: Chip): number => order.indexOf(a.outcome) - order.indexOf(b.outcome);

const outcomesOfClients = {
  served: "works",
  "served, with faults": "works, with faults",
  "not served": "broken",
} as const;

const wordsOf = (name: string): string => name.replaceAll("-", " ").replace(/^json\b/, "JSON");

function clientChips({ data, clauses }: Report): Chip[] {
  return data.clients.flatMap(({ name, package: of, version, by, outcome, because }) => {
    if (outcome === "not shown") return [];
    const clause = because.map((reason) => reason.split(": ")[0]!).find((id) => clauses.has(id));
    return {
      name,
      outcome: outcomesOfClients[outcome],
      title: `${outcome} (${by}, ${of} ${version})${because.length > 0 ? `: ${because.join("; ")}` : ""}`,
      href: clause === undefined ? "#/overview/clients" : clauseHref(clause),
    };
  });
}

/** Rows of the offered interfaces of which at least one feature was seen. */
function featureRows({ data, interfaces }: Report): [string, Chip[]][] {
  const offered = interfaces.filter((of) => !data.lacking.includes(of));
  return offered.flatMap((of): [string, Chip[]][] => {
    const own = data.features.filter(({ name }) => name.startsWith(`${of}/`));
    if (own.every(({ outcome }) => outcome === "not shown")) return [];
    const chips = own.map(({ name, outcome, why, decidedBy }) => ({
      name: wordsOf(name.slice(of.length + 1)),
      outcome,
      title: `${outcome}: ${why}`,
      href: decidedBy && exchangeHref(decidedBy.source, decidedBy.exchange, decidedBy.clause),
    }));
    return [[titleOf(of), chips]];
  });
}

/** How the outcomes of clients came about, where that is the same for all. */
function howKnown({ clients }: PageData): string {
  const ways = new Set(clients.filter(({ outcome }) => outcome !== "not shown").map(({ by }) => by));
  return ways.size === 1 ? [...ways][0]! : "seen or predicted";
}

export function Works(): JSX.Element | null {
  const report = useReport();
  const clients = clientChips(report);
  const features = featureRows(report);
  if (clients.length + features.length === 0) return null;
  const known = [...clients, ...features.flatMap(([, chips]) => chips)];
  return (
    <section class="chapter" id="works" aria-labelledby="works-title">
      <h2 id="works-title">
        What works <small>each chip opens what decided it</small>
      </h2>
      <dl class="outcomes">
        {clients.length > 0 && <Row of="Official clients" note={howKnown(report.data)} chips={clients} />}
        {features.map(([of, chips]) => (
          <Row key={of} of={of} chips={chips} />
        ))}
      </dl>
      <p class="key" aria-hidden="true">
        {Object.entries(marks)
          .filter(([outcome]) => known.some((one) => one.outcome === outcome))
          .map(([outcome, [mark]]) => `${mark} ${outcome}`)
          .join(" · ")}
      </p>
    </section>
  );
}

interface RowProps {
  readonly of: string;
  readonly note?: string;
  readonly chips: readonly Chip[];
}

function Row({ of, note, chips }: RowProps): JSX.Element {
  return (
    <div>
      <dt>
        {printable(of)}
        {note !== undefined && <small>{note}</small>}
      </dt>
      <dd>
        <ul class="plain chips">
          {[...chips].sort(byOutcome).map(({ name, outcome, title, href }) => {
            const [mark, tone] = marks[outcome];
            const says = (
              <>
                <span aria-hidden="true">{mark}</span> {printable(name)}
                <span class="hidden">: {outcome}</span>
              </>
            );
            return (
              <li key={name} class={`outcome t-${tone}`} title={printable(title)}>
                {href === undefined ? says : <a href={href}>{says}</a>}
              </li>
            );
          })}
        </ul>
      </dd>
    </div>
  );
}
