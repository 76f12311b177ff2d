/** The formats of reports, in one table: commands offer them, folders hold their files, help names both, and a test tries each. */
import type { Clause } from "../check/clause.ts";
import type { DriftDocument, VerdictsDocument } from "../drift/document.ts";
import { isRun, type Results } from "./options.ts";
import type { OutcomesSideBySide } from "./outcomes/side-by-side.ts";
import type { OutcomeTable } from "./outcomes/table.ts";
import type { SideBySide } from "./side-by-side/document.ts";
import type { Times } from "./times.ts";

/** What reports are of: one run or check, several targets, one gateway or client, several of them, or what changed. */
export interface Reported {
  readonly results: Results;
  readonly targets: SideBySide;
  /** The document, and the table with one column that is made of it. */
  readonly outcomes: { readonly document: object; readonly table: OutcomeTable };
  readonly outcomeColumns: OutcomesSideBySide;
  readonly changes: DriftDocument | VerdictsDocument;
}

/** What reports are made of, beside the document. */
export interface ReportSources {
  readonly clauses: readonly Clause[];
  /** How long answers took. */
  readonly times?: Times;
  /** ANSI colours in text; none unless said. */
  readonly color?: boolean;
  /** Whether text lists what it only counts otherwise. */
  readonly verbose?: boolean;
  /** The page, with the exchanges that are kept beside the document. */
  readonly page: () => Iterable<string>;
}

/** Makes a report, whole or in pieces. */
export type Render<Of extends keyof Reported> = (
  document: Reported[Of],
  sources: ReportSources,
) => string | Iterable<string>;

export interface Format<Of extends keyof Reported> {
  /** What `--format` calls it. */
  readonly name: "text" | "json" | "junit" | "markdown" | "html" | "sarif" | "gitlab";
  /** Its file in a folder of `--out`; absent where it is only printed. */
  readonly file?: string;
  /** For trackers of findings: it stands in folders of `report --out` alone. */
  readonly isTracker?: true;
  /** Loads what makes it: most commands need one format. */
  readonly render: () => Promise<Render<Of>>;
}

/** In the order in which commands offer them. */
export const formats: { readonly [Of in keyof Reported]: readonly Format<Of>[] } = {
  results: [
    {
      name: "text",
      async render() {
        const { formatText } = await import("./text.ts");
        return (results, { clauses, color = false, verbose = false }) =>
          formatText(results, { clauses, color, verbose });
      },
    },
    {
      name: "json",
      async render() {
        const { gathered, growingJson, jsonPieces } = await import("./json.ts");
        return (results) => {
          if (isRun(results)) return gathered(jsonPieces(results));
          // As a check prints it: findings first, since they come first.
          const { findings, ...rest } = results;
          const json = growingJson("findings");
          return gathered(
            (function* () {
              for (const finding of findings) yield json.item(finding);
              yield* json.end(rest);
            })(),
          );
        };
      },
    },
    {
      name: "junit",
      file: "junit.xml",
      async render() {
        const { formatJunit } = await import("./junit.ts");
        return (results, { clauses, times }) => formatJunit(results, { clauses }, times);
      },
    },
    {
      name: "markdown",
      file: "summary.md",
      async render() {
        const { formatMarkdown } = await import("./markdown.ts");
        return (results, { clauses }) => formatMarkdown(results, { clauses });
      },
    },
    {
      name: "html",
      file: "report.html",
      render:
        async () =>
        (_results, { page }) =>
          page(),
    },
    {
      name: "sarif",
      file: "results.sarif",
      isTracker: true,
      async render() {
        const { formatSarif } = await import("./sarif.ts");
        return (results, { clauses }) => formatSarif(results, { clauses });
      },
    },
    {
      name: "gitlab",
      file: "gl-code-quality-report.json",
      isTracker: true,
      async render() {
        const { formatGitlab } = await import("./gitlab.ts");
        return (results, { clauses }) => formatGitlab(results, { clauses });
      },
    },
  ],
  targets: [
    {
      name: "text",
      async render() {
        const { formatSideBySide } = await import("./side-by-side/text.ts");
        return (document) => formatSideBySide(document);
      },
    },
    {
      name: "json",
      file: "side-by-side.json",
      async render() {
        const { gathered, jsonPieces } = await import("./json.ts");
        return (document) => gathered(jsonPieces(document));
      },
    },
    {
      name: "html",
      file: "side-by-side.html",
      render:
        async () =>
        (_document, { page }) =>
          page(),
    },
    {
      name: "markdown",
      file: "side-by-side.md",
      async render() {
        const { formatSideBySideMarkdown } = await import("./side-by-side/markdown.ts");
        return (document) => formatSideBySideMarkdown(document);
      },
    },
  ],
  outcomes: [
    {
      name: "text",
      async render() {
        const { formatOutcomes } = await import("./outcomes/text.ts");
        return ({ table }, { color = false, verbose = false }) => formatOutcomes(table, { color, verbose });
      },
    },
    {
      name: "json",
      async render() {
        const { gathered, jsonPieces } = await import("./json.ts");
        return ({ document }) => gathered(jsonPieces(document));
      },
    },
    {
      name: "junit",
      file: "junit.xml",
      async render() {
        const { formatOutcomesJunit } = await import("./outcomes/junit.ts");
        return ({ table }) => formatOutcomesJunit(table);
      },
    },
    {
      name: "markdown",
      file: "summary.md",
      async render() {
        const { formatOutcomesMarkdown } = await import("./outcomes/markdown.ts");
        return ({ table }) => formatOutcomesMarkdown(table);
      },
    },
    {
      name: "html",
      file: "report.html",
      render:
        async () =>
        (_document, { page }) =>
          page(),
    },
    {
      name: "sarif",
      file: "results.sarif",
      async render() {
        const { formatOutcomesSarif } = await import("./outcomes/sarif.ts");
        return ({ table }) => formatOutcomesSarif(table);
      },
    },
  ],
  outcomeColumns: [
    {
      name: "text",
      async render() {
        const { formatOutcomes } = await import("./outcomes/text.ts");
        return (table, { color = false, verbose = false }) => formatOutcomes(table, { color, verbose });
      },
    },
    {
      name: "json",
      file: "side-by-side.json",
      async render() {
        const { gathered, jsonPieces } = await import("./json.ts");
        return (table) => gathered(jsonPieces(table));
      },
    },
    {
      name: "html",
      file: "side-by-side.html",
      render:
        async () =>
        (_table, { page }) =>
          page(),
    },
    {
      name: "markdown",
      file: "side-by-side.md",
      async render() {
        const { formatOutcomesMarkdown } = await import("./outcomes/markdown.ts");
        return (table) => formatOutcomesMarkdown(table);
      },
    },
  ],
  changes: [
    {
      name: "text",
      file: "diff.txt",
      async render() {
        const { formatDriftText, formatVerdictsText } = await import("./drift/text.ts");
        return (document, { color }) =>
          "verdicts" in document ? formatVerdictsText(document, color) : formatDriftText(document, color);
      },
    },
    {
      name: "json",
      file: "diff.json",
      render: async () => (document) => `${JSON.stringify(document, null, 2)}\n`,
    },
    {
      name: "markdown",
      file: "diff.md",
      async render() {
        const { formatDriftMarkdown, formatVerdictsMarkdown } = await import("./drift/markdown.ts");
        return (document) =>
          "verdicts" in document ? formatVerdictsMarkdown(document) : formatDriftMarkdown(document);
      },
    },
    {
      name: "html",
      file: "diff.html",
      render:
        async () =>
        (_document, { page }) =>
          page(),
    },
  ],
};

/** The report of a document in one format. */
export async function rendered<Of extends keyof Reported>(
  of: Of,
  name: string,
  document: Reported[Of],
  sources: ReportSources,
): Promise<Iterable<string>> {
  const render = await formats[of].find((format) => format.name === name)!.render();
  const report = render(document, sources);
  return typeof report === "string" ? [report] : report;
}

/** Format to the file that a folder holds, the JSON first: it is written first, and says by its beginning whose the folder is. */
export function filesOf(of: "targets" | "outcomeColumns" | "changes"): ReadonlyMap<string, string> {
  const files = formats[of].flatMap(({ name, file }) => (file === undefined ? [] : [[name, file] as const]));
  return new Map(files.sort(([a], [b]) => Number(b === "json") - Number(a === "json")));
}
