/** One exchange with what was found in it: the sentences, the places, what is beside them, and how to see it again. */
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Finding } from "../../check/clause.ts";
import type { PageClause, PageEvidence, PageReading } from "../../report/page/data.ts";
import { changesOf, marksOfChanges } from "./changes.ts";
import { Commands, commandsOf } from "./commands.tsx";
import { Exchange, Provenance } from "./exchange.tsx";
import { FindingShown, placeOf } from "./finding.tsx";
import { markOf } from "./marks.ts";
import { counted, visible } from "./shown.ts";
import { Changes } from "./twin.tsx";

export interface EvidenceProps {
  readonly evidence: PageEvidence;
  /** The finding that is looked at: its place is marked and scrolled to. */
  readonly focus?: Finding | undefined;
  /** The good request that a probe was made from, and its answer. */
  readonly twin?: PageEvidence | undefined;
  /** By id. */
  readonly clauses: ReadonlyMap<string, PageClause>;
  readonly readings: Readonly<Record<string, PageReading>>;
  /** The link to a clause in this page. */
  readonly hrefOf?: (clause: string) => string;
  /** The clause whose sentence, clients and readings stand above already. */
  readonly under?: string | undefined;
  /** Whether the marked place is brought into sight where only the page can do that by scrolling; it is unless told. */
  readonly isReached?: boolean;
}

/** Findings that are offered to look at; of more, their number is told. */
const maxListed = 50;

/** Whether two findings are the same one, perhaps read from two places of the data. */
const isSame = (one: Finding, other: Finding): boolean =>
  one === other ||
  (one.clause === other.clause &&
    one.pointer === other.pointer &&
    one.event === other.event &&
    one.in === other.in &&
    one.side === other.side &&
    one.level === other.level);

const nameOf = ({ clause, side, in: place, event, pointer }: Finding): string =>
  [clause, side, place, event, pointer].join(" ");

/** Brings a place into sight of what scrolls beneath the page, and of the page. */
function reach(place: Element, isReached: boolean): void {
  const pane = place.closest(".pane");
  if (pane)
    pane.scrollTop += place.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
  if (isReached) place.scrollIntoView({ block: "center" });
}

interface FindingListProps {
  readonly findings: readonly Finding[];
  readonly chosen: Finding;
  readonly onChoose: (finding: Finding) => void;
}

function FindingList({ findings, chosen, onChoose }: FindingListProps): JSX.Element {
  return (
    <nav class="finding-list" aria-label="findings of this exchange">
      <ul>
        {findings.slice(0, maxListed).map((finding, i) => (
          <li key={i}>
            <button
              type="button"
              aria-current={finding === chosen ? "true" : undefined}
              onClick={() => onChoose(finding)}
            >
              <span class={`tag n-${finding.level}`}>{finding.level}</span> <code>{finding.clause}</code>{" "}
              <span class="soft mono">{visible(placeOf(finding))}</span>
            </button>
          </li>
        ))}
      </ul>
      {findings.length > maxListed && <p class="soft">and {counted(findings.length - maxListed)} more</p>}
    </nav>
  );
}

/** The exchange, and its twin beside it where there is one. */
export function Evidence({
  evidence,
  focus,
  twin,
  clauses,
  readings,
  hrefOf,
  under,
  isReached = true,
}: EvidenceProps): JSX.Element {
  const { findings, exchange, curl, again } = evidence;
  const own = focus && (findings.find((finding) => isSame(finding, focus)) ?? focus);
  const [picked, setPicked] = useState<Finding>();
  const chosen = (picked && findings.find((finding) => isSame(finding, picked))) ?? own ?? findings[0];
  const name = chosen ? nameOf(chosen) : "";
  const root = useRef<HTMLElement>(null);
  const changes = useMemo(
    () => (twin?.exchange && exchange ? changesOf(twin.exchange, exchange) : []),
    [twin?.exchange, exchange],
  );
  const marks = useMemo(() => {
    const all = chosen && !findings.includes(chosen) ? [chosen, ...findings] : findings;
    return [...all.map((finding) => markOf(finding, finding === chosen)), ...marksOfChanges(changes, false)];
  }, [findings, chosen, changes]);

  useLayoutEffect(() => {
    const place = root.current?.querySelector("[data-focus]");
    if (place) reach(place, picked !== undefined || (focus !== undefined && isReached));
  }, [name]);

  return (
    <article ref={root} class="evidence">
      {exchange && <Provenance exchange={exchange} />}
      {findings.length > 1 && chosen && <FindingList findings={findings} chosen={chosen} onChoose={setPicked} />}
      {chosen && (
        <FindingShown
          finding={chosen}
          clause={clauses.get(chosen.clause)}
          readings={readings}
          again={again?.find(({ clause }) => clause === chosen.clause)}
          href={hrefOf?.(chosen.clause)}
          isUnder={chosen.clause === under}
        />
      )}
      {exchange && twin?.exchange && <Changes twin={twin.exchange} probe={exchange} />}
      {exchange ? (
        <Exchange key={name} exchange={exchange} marks={marks} />
      ) : (
        <p class="soft">The exchange itself is not in this page.</p>
      )}
      {twin?.exchange && (
        <details class="twin-whole">
          <summary>The good request and its answer, whole</summary>
          <Exchange exchange={twin.exchange} marks={marksOfChanges(changes, true)} />
        </details>
      )}
      <Commands commands={commandsOf(curl, again)} />
    </article>
  );
}
