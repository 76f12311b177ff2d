/** How it was judged, and what that does not say: the end of the page. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import { commandText } from "../components/foot.tsx";
import { plural } from "../components/shown.ts";
import { useReport } from "./report.ts";

export function How(): JSX.Element {
  const { data } = useReport();
  const { command, facts, requests, summary, scope, verdict } = data;
  return (
    <section class="chapter" id="how" aria-labelledby="how-title">
      <h2 id="how-title" tabIndex={-1}>
        How this was tested
      </h2>
      <dl class="facts">
        {command && (
          <div>
            <dt>command</dt>
            <dd class="mono">{printable(commandText(command))}</dd>
          </div>
        )}
        {scope.map((sentence) => (
          <div key={sentence}>
            <dt>sent</dt>
            <dd>{printable(sentence)}</dd>
          </div>
        ))}
        {requests.length > 0 && (
          <div>
            <dt>requests</dt>
            <dd>
              <table class="sum">
                <tbody>
                  {requests
                    .filter(([, count]) => count > 0)
                    .map(([says, count]) => (
                      <tr key={says}>
                        <td>{count.toLocaleString("en")}</td>
                        <td>{says}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </dd>
          </div>
        )}
        <div>
          <dt>judged</dt>
          <dd>
            {plural(summary.exchanges, "exchange")}: {plural(summary.errors, "error")},{" "}
            {plural(summary.warnings, "warning")}, {plural(summary.notes, "note")}
          </dd>
        </div>
        <div>
          <dt>covered</dt>
          <dd>
            {verdict.shown.toLocaleString("en")} of {plural(verdict.of, "clause")} that answers can show
          </dd>
        </div>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{printable(name)}</dt>
            <dd class="mono">{printable(value)}</dd>
          </div>
        ))}
      </dl>
      <p class="soft small">
        touchstone judges observable conformance to documents. It does not judge the quality, safety, price or speed of
        answers. A clause that no answer showed is untested, not passed.
      </p>
    </section>
  );
}
