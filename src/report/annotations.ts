/** Annotations of GitHub Actions: the few lines of a job that its pages show beside the code. */
import { isInherited } from "../verdict/outcome.ts";
import { printable, shortened } from "./clean.ts";
import { type Issue, issuesOf } from "./issues.ts";
import type { ReportOptions, Results } from "./options.ts";
import { conclusionOf, countVerdicts } from "./outline.ts";
import { plural } from "./plural.ts";
import { ranked } from "./ranking.ts";

/** Annotations of one level: GitHub shows no more of a step. */
const maxOfLevel = 10;
const maxMessageLength = 2000;

/** A file of the user's as the repository knows it, and what it says. */
export interface AnnotatedFile {
  readonly path: string;
  readonly text: string;
}

interface Annotation {
  readonly title: string;
  readonly message: string;
  readonly at?: { readonly file: string; readonly line: number } | undefined;
}

const dataOf = (text: string): string =>
  shortened(text, maxMessageLength)
    .replace(/[%\r\n]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`)
    .replaceAll("##[", "##\\u005b");

const propertyOf = (text: string): string => dataOf(printable(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** One workflow command; what it quotes can neither end it nor add to it. */
export function annotation(level: "error" | "warning", { title, message, at }: Annotation): string {
  const place = at ? `file=${propertyOf(at.file)},line=${at.line},` : "";
  return `::${level} ${place}title=${propertyOf(title)}::${dataOf(message.split("\n").map(printable).join("\n"))}\n`;
}

/**
 * Failures are errors. What also fails upstream is none, and no warning. Expired entries and warnings are warnings. A clause
 * gets one annotation, the most serious first.
 * @param expectations the file in which entries that are stale or have expired stand
 */
export function formatAnnotations(results: Results, options: ReportOptions, expectations?: AnnotatedFile): string {
  const { state } = conclusionOf(results);
  const { issues } = issuesOf(results, options);
  const failing = ranked(results).filter(
    ({ verdict, expected, upstream }) => verdict === "fail" && !expected && upstream?.outcome !== "fails",
  );
  const says = new Map(options.clauses.map((clause) => [clause.id, clause.says]));
  const issuesByRule = new Map<string, Issue[]>(failing.map(({ id }) => [id, []]));
  for (const issue of issues) issuesByRule.get(issue.rule)?.push(issue);
  const milder = new Map<string, Issue[]>();
  for (const issue of issues)
    if (!issue.fails && issue.level === "warning" && !issue.expected && !isInherited(issue)) {
      const rule = issue.rule.startsWith("run.") ? `${issue.rule} ${issue.fingerprint}` : issue.rule;
      if (!issuesByRule.has(rule)) milder.set(rule, [...(milder.get(rule) ?? []), issue]);
    }
  const told = results.expectations;
  const entry = (name: string, message: string): Annotation => ({
    title: "touchstone known failures",
    message: `${name} ${message}`,
    at: expectations && { file: expectations.path, line: lineOf(expectations.text, name) },
  });
  const errors: Annotation[] = [
    ...(state === "incomplete" ? [{ title: "touchstone", message: "The run was broken off: it says nothing." }] : []),
    ...(state === "broken"
      ? [
          {
            title: "touchstone",
            message: `a check itself failed, at ${plural(countVerdicts(results.clauses).broken, "clause")}.`,
          },
        ]
      : []),
    ...(told?.stale ?? []).map((name) => entry(name, "is a known failure, and does not fail: take the entry out.")),
    ...failing.map(({ id }) => annotationOf(id, says.get(id) ?? id, issuesByRule.get(id)!)),
    ...issues
      .filter(({ fails, rule }) => fails && rule === "run.answered")
      .map((issue) => annotationOf(issue.rule, issue.says, [issue])),
  ];
  const warnings: Annotation[] = [
    ...(told?.expired ?? []).map((name) => entry(name, "has passed its day: the entry excuses nothing any more.")),
    ...(told?.unreasoned ?? []).map((name) => entry(name, "is excused only once its reason is written.")),
    ...[...milder.values()].map((of) => annotationOf(of[0]!.rule, of[0]!.says, of)),
  ];
  return annotationLines(errors, warnings);
}

/** One annotation for all issues of a rule; the first of them is quoted. */
function annotationOf(title: string, says: string, [first, ...more]: readonly Issue[]): Annotation {
  const rest = more.length > 0 ? `\nAlso violated in ${plural(more.length, "other place")}.` : "";
  return { title, message: `${says}${first ? `\n${first.message}` : ""}${rest}` };
}

/** Annotations as lines, ten of each level at most. */
export const annotationLines = (errors: readonly Annotation[], warnings: readonly Annotation[]): string =>
  [...bounded("error", errors), ...bounded("warning", warnings)].join("");

function bounded(level: "error" | "warning", all: readonly Annotation[]): string[] {
  const shown = all.length > maxOfLevel ? all.slice(0, maxOfLevel - 1) : all;
  const left = all.slice(shown.length).map(({ title }) => title);
  const rest = {
    title: "touchstone",
    message: `and ${left.length} more, which the summary of the job describes: ${left.join(", ")}`,
  };
  return [...shown, ...(left.length > 0 ? [rest] : [])].map((one) => annotation(level, one));
}

/** The line of a JSON file, from 1, on which a name first stands as a text. */
function lineOf(text: string, name: string): number {
  // A clause in a cassette has its line where the clause is named with it.
  const [first, cassette] = name.split(" in ") as [string, string?];
  const of = cassette === undefined ? -1 : text.indexOf(JSON.stringify(cassette));
  const at = of < 0 ? text.indexOf(JSON.stringify(first)) : of;
  return at < 0 ? 1 : text.slice(0, at).split("\n").length;
}
