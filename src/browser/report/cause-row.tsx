/** One cause as a row: what is wrong, how often, and where first. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { standingOf } from "../../verdict/standing.ts";
import { Chip } from "../components/verdicts.tsx";
import type { Cause } from "./causes.ts";
import { clauseHref, exchangeHref, plural } from "./report.ts";

const words = (text: string): string => printable(shortened(text, 300));

/** `response body at /choices/*` */
export const placeOf = ({ side, in: place, pointer }: { side: string; in: string; pointer: string }): string =>
  `${place === "stream" ? "event of the stream" : `${side} ${place}`}${pointer && ` at ${pointer}`}`;

export function CauseRow({ cause }: { readonly cause: Cause }): JSX.Element {
  const { clause, groups, count } = cause;
  const first = groups[0]?.first ?? [];
  const [finding] = first;
  return (
    <li class={`cause cause-${standingOf(clause)}`}>
      <h3>
        <a href={clauseHref(clause.id)}>{words(clause.says || clause.id)}</a>
      </h3>
      <p class="soft small">
        <Chip standing={standingOf(clause)} /> <code>{printable(clause.id)}</code> · {clause.document.section} ·{" "}
        {clause.failed > 0 ? `fails in ${clause.failed} of ${plural(clause.exercised, "exchange")}` : null}
        {clause.failed === 0 && count > 0
          ? `${plural(count, "finding")} in ${plural(
              groups.reduce((most, { exchanges }) => Math.max(most, exchanges), 0),
              "exchange",
            )}`
          : null}
      </p>
      {finding && (
        <dl class="against">
          <dt>{words(placeOf(groups[0]!))}</dt>
          <dd>
            <span class="soft">expected</span> {words(finding.expected)}
          </dd>
          <dd>
            <span class="soft">actual</span> <span class="mono">{words(finding.actual)}</span>
          </dd>
        </dl>
      )}
      {clause.expected && <p class="small">Expected: {words(clause.expected.reason)}</p>}
      {first.length > 0 && (
        <p class="small first">
          <span class="soft">first:</span>
          {first.map(({ source, exchange, event }, i) => (
            <a key={i} href={exchangeHref(source, exchange)}>
              {words(source)} #{exchange}
              {event !== null && `, event ${event}`}
            </a>
          ))}
          {groups.length > 1 && <span class="soft">at {groups.length} places in all</span>}
        </p>
      )}
      {clause.flaky && <p class="small">{clause.flaky}</p>}
      {clause.clients && (
        <p class="small">
          <span class="soft">clients:</span> {clause.clients.map(({ name, effect }) => `${name} ${effect}`).join("; ")}
        </p>
      )}
    </li>
  );
}
