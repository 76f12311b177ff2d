/** A badge for a README, as SVG: the conclusion of a run, and how much of the plan it covers. It is green only if nearly all was sent. */
import stringWidth from "string-width";
import { countedClauses } from "../verdict/offered.ts";
import { isInherited } from "../verdict/outcome.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { printable, shortened, xmlText } from "./clean.ts";
import type { ReportOptions } from "./options.ts";
import { conclusionOf, exceptionsOf } from "./outline.ts";
import { plural } from "./plural.ts";
import { grouped } from "./side-by-side/words.ts";

export type BadgeColor = "green" | "amber" | "blue" | "red" | "grey";

export interface Badge {
  readonly label: string;
  readonly message: string;
  readonly color: BadgeColor;
}

/** The share of the clauses of what it names that a run must have shown, for green. */
const minShown = 0.75;
/** Characters of what the target is called, and of the interfaces that are named. */
const maxNameLength = 40;

/**
 * Says what a run came to. Interfaces of which nothing was shown are left out, and the others named then. Green: it conforms,
 * admits to no failure, and showed three quarters of all clauses of these interfaces. Blue: it conforms, and showed less.
 * Amber: it conforms apart from known failures. Red: it does not. Grey: it has no verdict.
 * @param name what the target is called; none by default
 */
export function badgeOf(results: RunResults, { clauses }: ReportOptions, name?: string): Badge {
  const { state, reasons, excused, inherited, warned, unjudged } = conclusionOf(results);
  const interfaceOf = (id: string): string => id.slice(0, id.indexOf("."));
  const decided = results.clauses.filter(({ verdict }) => ["pass", "warning", "fail"].includes(verdict));
  const shown = new Set(decided.map(({ id }) => interfaceOf(id)));
  const all = new Set([...clauses.map((clause) => clause.interface), ...shown]);
  const own = countedClauses(results).filter(({ id }) => shown.has(interfaceOf(id)));
  const unenforced = new Set(results.clauses.filter(({ verdict }) => verdict === "unenforced").map(({ id }) => id));
  const decidable = clauses.filter(
    ({ id, kind, interface: of }) => kind !== "unobservable" && shown.has(of) && !unenforced.has(id),
  );
  // A run that was to ask for a part only, or without probes, is measured by all there is.
  const of = isWhole(results) ? own.length : Math.max(own.length, decidable.length);
  const extent = `${grouped(decided.length)} of ${grouped(of)} clauses`;
  const scope = shown.size < all.size && shown.size > 0 ? [[...shown].sort().join(", ")] : [];
  const label = ["touchstone", ...(name === undefined ? [] : [name]), ...scope]
    .map((part) => printable(shortened(part, maxNameLength)))
    .join(" · ");
  if (state === "broken") return { label, message: "no verdict · a check itself failed", color: "grey" };
  if (state === "incomplete") return { label, message: `incomplete · ${extent}`, color: "grey" };
  if (decided.length === 0) return { label, message: "nothing was shown", color: "grey" };
  if (state === "fails")
    return { label, message: `does not conform · ${reasons.join(" · ")} · ${extent}`, color: "red" };
  const unanswered = results.incidents.filter((incident) => !isInherited(incident)).length;
  const admitted = [
    ...exceptionsOf({ excused, inherited }),
    ...(unanswered > 0 ? [plural(unanswered, "unanswered request")] : []),
  ];
  const message = [
    `conforms${admitted.length > 0 ? ` but for ${admitted.join(" and ")}` : ""}`,
    extent,
    // Errors that it admits to are counted as the failures they make.
    ...(admitted.length > 0 ? [] : [plural(results.summary.errors, "error")]),
    ...(warned > 0 ? [plural(warned, "warning")] : []),
    ...(unjudged > 0 ? [`${grouped(unjudged)} too much to judge`] : []),
  ].join(" · ");
  const isMuch = decided.length >= minShown * of && unjudged === 0;
  return { label, message, color: admitted.length > 0 ? "amber" : isMuch ? "green" : "blue" };
}

const isWhole = ({ plan, options, shard }: RunResults): boolean =>
  plan.sections.length === 0 &&
  plan.clauses.length === 0 &&
  !plan.scenarios &&
  plan.limit === null &&
  shard === null &&
  options.probes !== false &&
  !options.ownRecordings;

/** White on each has a contrast of 4.5 at least. */
const colors: Readonly<Record<BadgeColor, string>> = {
  green: "#1a7f37",
  amber: "#8a5a00",
  blue: "#0b5cad",
  red: "#c4231c",
  grey: "#57606a",
};

/** Pixels of a text of 11 pixels in the fonts named below; the text is set to this width whichever there is. */
function widthOf(text: string): number {
  const ascii = [...text].reduce(
    (sum, c) => sum + (/[ijlt.,:;'!|()fIr ·]/.test(c) ? 4.3 : /[mwMW%@]/.test(c) ? 10 : 6.9),
    0,
  );
  // Characters that are as wide as two.
  return Math.round(ascii + Math.max(0, stringWidth(text) - [...text].length) * 5);
}

/** The badge as SVG: no script, no font and nothing else is fetched; names are text. */
export function formatBadge(results: RunResults, options: ReportOptions, name?: string): string {
  const { label, message, color } = badgeOf(results, options, name);
  const [left, right] = [label, message].map((text) => widthOf(text)) as [number, number];
  const pad = 7;
  const split = left + 2 * pad;
  const width = split + right + 2 * pad;
  const says = xmlText(`${label}: ${message}`);
  const text = (x: number, length: number, content: string): string =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${xmlText(content)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${says}">
<title>${says}</title>
<clipPath id="round"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)">
<rect width="${split}" height="20" fill="#24292f"/>
<rect x="${split}" width="${width - split}" height="20" fill="${colors[color]}"/>
</g>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
${text(pad, left, label)}
${text(split + pad, right, message)}
</g>
</svg>
`;
}
