/** What the page of changes says first: a verdict in two words, and figures that are links to what they count. */
import type { Change, DriftDocument, VerdictChange } from "../../drift/document.ts";
import { verdictGroups } from "../../report/drift/words.ts";
import type { Figure } from "../components/figures.tsx";
import { hrefTo } from "../components/route.ts";

interface Opening {
  readonly pill: string;
  readonly state: "fails" | "conforms" | "incomplete";
  readonly figures: readonly Figure[];
}

/** What the documents say of a change, in the words of the filter. */
export const verdictOf = ({ allowed }: Change): "forbidden" | "allowed" | "not documented" =>
  allowed === false ? "forbidden" : allowed === true ? "allowed" : "not documented";

/** The sentence of a clause; empty if the documents at hand have none of that id. */
export const sentenceOf = (sentences: Readonly<Record<string, string>>, clause: string | null): string =>
  clause !== null && Object.hasOwn(sentences, clause) ? sentences[clause]! : "";

/** The link to what a figure counts. */
const shown = (what: string): string => hrefTo([], { show: what });

export function changeFigures({ changes, summary }: DriftDocument): Opening {
  if (changes.length === 0) return { pill: "No change", state: "conforms", figures: [] };
  const count = (verdict: string): number => changes.filter((one) => verdictOf(one) === verdict).length;
  return {
    ...(summary.forbidden > 0
      ? { pill: "Forbidden changes", state: "fails" }
      : { pill: "Changed", state: "incomplete" }),
    figures: [
      { figure: count("forbidden"), says: "forbidden by the documents", href: shown("forbidden"), tone: "fail" },
      { figure: count("not documented"), says: "not documented", href: shown("not documented"), tone: "warning" },
      { figure: count("allowed"), says: "allowed", href: shown("allowed") },
      { figure: changes.length, says: "changes in all", href: shown("") },
    ],
  };
}

export function verdictFigures(verdicts: readonly VerdictChange[]): Opening {
  if (verdicts.length === 0) return { pill: "No change", state: "conforms", figures: [] };
  const groups = new Map(verdictGroups(verdicts));
  const count = (heading: string): number => groups.get(heading)?.length ?? 0;
  const worse = count("Got worse");
  return {
    ...(worse > 0
      ? { pill: "Got worse", state: "fails" }
      : count("Got better") > 0
        ? { pill: "Got better", state: "conforms" }
        : { pill: "Changed", state: "incomplete" }),
    figures: [
      { figure: worse, says: "got worse", href: shown("Got worse"), tone: "fail" },
      { figure: count("Got better"), says: "got better", href: shown("Got better") },
      { figure: count("Otherwise changed"), says: "otherwise changed", href: shown("Otherwise changed") },
      { figure: verdicts.length, says: "changes in all", href: shown("") },
    ],
  };
}
