/** The report as one HTML page: no scripts, nothing fetched, and nothing that a target sent is interpreted. */
import type { Level } from "../check/clause.ts";
import type { ClauseVerdict } from "../verdict/document.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { printable } from "./clean.ts";
import { clientsMissing, fieldTitle, fitnessOf, isOfField, trialLines } from "./fitness.ts";
import { style } from "./html-style.ts";
import { html, Markup, none } from "./markup.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import {
  type ClauseGroups,
  type Clauses,
  clauseTable,
  countVerdicts,
  filtersText,
  groupsByClause,
  openQuestions,
  placeOf,
  placesOf,
  plural,
  sectionsOf,
  sentText,
  standingOf,
  unenforcedRules,
  verdicts,
  waysFound,
} from "./outline.ts";
import { commandsFor, flakyText } from "./reproduce.ts";

const longestCommand = 20_000;

/** Verdict, failures with their evidence, and every clause by section. */
export function formatHtml(results: Results, options: ReportOptions): string {
  const clauses = clauseTable(options.clauses);
  const name = isRun(results) ? (results.target.url ?? "the embedded reference implementation") : "recordings";
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>touchstone: ${name}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header>
<p class="soft">touchstone</p>
<h1>${name}</h1>
${isRun(results) ? scopeOf(results) : none}
${stateOf(results)}
${countsOf(results)}
</header>
<main>
${failures(results, clauses)}
${isRun(results) ? incidents(results) : none}
${sectionTable(results)}
${warned(results, clauses)}
${questions(results)}
${tooMuch(results)}
${every(results, clauses)}
${isRun(results) ? goodFor(results) : none}
${isRun(results) ? used(results) : none}
</main>
<footer class="soft">
<h2>What a pass does not mean</h2>
<p>touchstone judges observable conformance to three documents, not answer quality, safety, price or speed. A clause that was never
exercised is untested, not passed.</p>
${isRun(results) ? provenance(results) : none}
</footer>
</body>
</html>
`;
  return page.source;
}

/** A part with a heading; nothing where it is empty. */
const part = (title: string, content: readonly Markup[]): Markup =>
  content.length > 0 ? html`<section><h2>${title}</h2>\n${content}</section>` : none;

function scopeOf(results: RunResults): Markup {
  const { shard } = results;
  return html`<p class="soft">${sentText(results)}${filtersText(results)}${shard ? `, shard ${shard.index} of ${shard.of}` : ""}</p>${waysFound(results).map((sentence) => html`<p class="soft">Found out: ${sentence}.</p>`)}`;
}

function stateOf(results: Results): Markup {
  const { state, reasons, excused, limited } = standingOf(results);
  const [kind, says] = {
    incomplete: [
      "fail",
      limited > 0
        ? `Incomplete: ${plural(limited, "request")} rate limited to the last`
        : "Incomplete: the run was broken off",
    ],
    broken: ["fail", "Broken: touchstone itself failed"],
    fails: ["fail", `Does not conform: ${reasons.join(", ")}`],
    conforms: [
      "pass",
      `Conforms ${excused > 0 ? `but for ${plural(excused, "expected failure")} ` : ""}as far as tested`,
    ],
  }[state] as [string, string];
  return html`<p class="state ${kind}">${says}</p>`;
}

function countsOf(results: Results): Markup {
  const counts = countVerdicts(results.clauses);
  const shown = verdicts.filter((verdict) => counts[verdict] > 0);
  const { exchanges, errors, warnings, notes } = results.summary;
  return html`<div class="bar" role="img" aria-label="${shown.map((v) => `${counts[v]} ${v}`).join(", ")}">${shown.map(
    (verdict) => html`<span class="${verdict}" style="flex:${counts[verdict]}"></span>`,
  )}</div>
<ul class="legend">${shown.map((verdict) => html`<li><strong class="${verdict}">${counts[verdict]}</strong> ${verdict}</li>`)}</ul>
<p class="soft">${plural(results.clauses.length, "clause")}; ${plural(exchanges, "exchange")} judged, ${plural(errors, "error")}, ${plural(warnings, "warning")}, ${plural(notes, "note")}</p>`;
}

function sectionTable(results: Results): Markup {
  const counts = countVerdicts(results.clauses);
  const shown = verdicts.filter((verdict) => counts[verdict] > 0);
  const rows = sectionsOf(results).map(({ interface: of, section, clauses }) => {
    const mine = countVerdicts(clauses);
    return html`<tr><td><a href="#${of}.${section}">${of}/${section}</a></td>${shown.map((verdict) =>
      mine[verdict] > 0 ? html`<td class="n ${verdict}">${mine[verdict]}</td>` : html`<td class="n zero">0</td>`,
    )}</tr>\n`;
  });
  return part("Sections", [
    html`<div class="scroll"><table><thead><tr><th>section</th>${shown.map((verdict) => html`<th class="n">${verdict}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`,
  ]);
}

/** One clause with its sentence, its places, and how to see it again. */
function evidence(
  id: string,
  groups: ClauseGroups | undefined,
  level: Level,
  results: Results,
  clauses: Clauses,
  verdict?: ClauseVerdict,
): Markup {
  const clause = clauses.get(id);
  const { places, others } = placesOf(groups ?? { id, groups: [] });
  const first = places[0]?.finding;
  const missing = isRun(results) ? clientsMissing(results, id) : "";
  const flaky = isRun(results) && first ? flakyText(results, first, id) : "";
  const commands = isRun(results) && first ? commandsFor(results, first, longestCommand, id) : [];
  return html`<article class="${level}">
<h3>${printable(id)}</h3>
${clause ? html`<p>${clause.says} <span class="soft">(${clause.document.name}, ${clause.document.section})</span></p>` : none}
${verdict ? html`<p class="soft">fails in ${verdict.failed} of ${plural(verdict.exercised, "exchange")}</p>` : none}
${flaky === "" ? none : html`<p>${flaky}</p>`}
${verdict?.diverges === undefined ? none : html`<p class="soft">${printable(verdict.diverges)}</p>`}
${verdict?.expected ? html`<p>expected: ${printable(verdict.expected.reason)}</p>` : none}
${places.map(
  ({ finding, more }) => html`<dl><dt>at</dt><dd>${printable(placeOf(finding))}</dd>
<dt>expected</dt><dd>${printable(finding.expected)}</dd><dt>actual</dt><dd>${printable(finding.actual)}</dd></dl>
${more === undefined ? none : html`<p class="soft">${more}</p>`}`,
)}
${others === "" ? none : html`<p class="soft">${others}</p>`}
${missing === "" ? none : html`<p>clients: ${printable(missing)}</p>`}
${commands.map(
  ({ says, command }) =>
    html`<details><summary>${says}</summary><pre>${command.split("\n").map(printable).join("\n")}</pre></details>`,
)}
</article>
`;
}

function failures(results: Results, clauses: Clauses): Markup {
  const found = groupsByClause(results);
  const failing = results.clauses.filter(({ verdict }) => verdict === "fail");
  const show = (own: readonly ClauseVerdict[]): Markup[] =>
    own.map((verdict) => evidence(verdict.id, found.get(verdict.id), "error", results, clauses, verdict));
  return html`${part("Failing", show(failing.filter(({ expected }) => !expected)))}
${part("Expected failures", show(failing.filter(({ expected }) => expected)))}`;
}

function warned(results: Results, clauses: Clauses): Markup {
  const failed = new Set(results.clauses.filter(({ verdict }) => verdict === "fail").map(({ id }) => id));
  const rules = [...unenforcedRules(results)];
  const unenforced = new Set(rules.flatMap(([, ids]) => ids));
  const others = [...groupsByClause(results)].filter(([id]) => !failed.has(id) && !unenforced.has(id));
  const rows = rules.map(
    ([section, ids]) =>
      html`<li>${printable(section)} (${ids.length}): ${printable(ids.map((id) => id.slice(section.length + 1)).join(", "))}</li>`,
  );
  const accepted = html`<p>What breaks them was accepted, not refused.</p><ul>${rows}</ul>`;
  const shown = (list: typeof others): Markup[] =>
    list.map(([id, groups]) => evidence(id, groups, groups.groups[0]![0].level, results, clauses));
  return html`${part("Rules on requests that are not enforced", rows.length > 0 ? [accepted] : [])}
${part(fieldTitle, shown(others.filter(([id]) => isOfField(id, clauses))))}
${part("Warnings and notes", shown(others.filter(([id]) => !isOfField(id, clauses))))}`;
}

/** Exchanges that were not judged as a whole. */
function tooMuch({ unjudged, summary }: Results): Markup {
  const lines = unjudged.map(
    ({ source, exchange, why }) => html`<li>${printable(`${source}, exchange ${exchange}: ${why}`)}</li>`,
  );
  if (summary.unjudged > lines.length) lines.push(html`<li>and ${summary.unjudged - lines.length} more</li>`);
  return part("Not judged as a whole", lines.length > 0 ? [html`<ul>${lines}</ul>`] : []);
}

function incidents(results: RunResults): Markup {
  const { stale = [], expired = [], unreasoned = [] } = results.expectations ?? {};
  const lines = [
    ...results.incidents.map(
      ({ source, exchange, problem, expected }) =>
        html`<li>${printable(`${source}, exchange ${exchange}: ${problem}`)}${expected ? html` <span class="soft">expected: ${printable(expected.reason)}</span>` : none}</li>`,
    ),
    ...stale.map((one) => html`<li>${printable(one)} is expected to fail, and does not: take the entry out</li>`),
    ...expired.map((one) => html`<li>the entry of ${printable(one)} has passed its day and excuses nothing</li>`),
    ...unreasoned.map(
      (one) => html`<li>the entry of ${printable(one)} excuses nothing until its reason is written</li>`,
    ),
  ];
  return part("Not answered as recorded, and expectations", lines.length > 0 ? [html`<ul>${lines}</ul>`] : []);
}

function questions(results: Results): Markup {
  const lines = (["broken", "no-verdict", "skipped"] as const).flatMap((verdict) =>
    [...openQuestions(results.clauses, verdict)].map(
      ([why, ids]) =>
        html`<tr><td class="${verdict}">${verdict}</td><td>${printable(why)}</td><td>${ids.join(", ")}</td></tr>\n`,
    ),
  );
  return part(
    "What would decide the rest",
    lines.length > 0
      ? [html`<table><thead><tr><th></th><th>why</th><th>clauses</th></tr></thead><tbody>${lines}</tbody></table>`]
      : [],
  );
}

/** Features and clients by outcome. */
function goodFor(results: RunResults): Markup {
  const fitness = fitnessOf(results);
  if (!fitness) return none;
  const row = (name: string, outcomes: ReadonlyMap<string, readonly string[]>): Markup =>
    html`<tr><td>${name}</td><td>${[...outcomes].map(([outcome, names]) => html`<p>${outcome}: ${printable(names.join(", "))}</p>`)}</td></tr>\n`;
  const rows = fitness.features.map((one) => row(one.interface, one.outcomes));
  if (fitness.clients.size > 0) rows.push(row("clients", fitness.clients));
  return part("What it is good for", [html`<table><tbody>${rows}</tbody></table>`]);
}

/** What official clients made of the target. */
function used(results: RunResults): Markup {
  const lines = trialLines(results).map((line) => html`<li>${printable(line)}</li>`);
  return part("Used by official clients", lines.length > 0 ? [html`<ul>${lines}</ul>`] : []);
}

function every(results: Results, clauses: Clauses): Markup {
  return part(
    "Every clause",
    sectionsOf(results).map(
      ({
        interface: of,
        section,
        clauses: own,
      }) => html`<details><summary>${of}/${section} <span class="soft">${plural(own.length, "clause")}</span></summary>
<table id="${of}.${section}"><tbody>${own.map(
        ({ id, verdict, exercised }) =>
          html`<tr><td class="${verdict}">${verdict}</td><td class="id"><code>${id}</code></td><td>${clauses.get(id)?.says ?? ""}</td><td class="n soft">${exercised}</td></tr>\n`,
      )}</tbody></table></details>\n`,
    ),
  );
}

function provenance({ versions, documents, target }: RunResults): Markup {
  const bindings = Object.entries(target.bindings).map(([name, bound]) => `${name} = ${[bound].flat().join(", ")}`);
  return html`<p>touchstone ${versions.touchstone}, Node ${versions.node}${bindings.length > 0 ? `; bound: ${bindings.join("; ")}` : ""}</p>
<p>${Object.entries(documents).map(([name, hash]) => html`${name} <code>${hash.slice(0, 12)}</code> `)}</p>`;
}
