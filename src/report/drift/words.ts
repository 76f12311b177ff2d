/** A change in words, the same in every report. */
import { ruleOfThree, surenessOf } from "../../drift/chance.ts";
import type { Change, ChangeKind, DriftSummary, SeenIn, VerdictChange } from "../../drift/document.ts";
import { isEmpty, refusedText } from "../../drift/empty.ts";
import { turnOf } from "../../drift/verdicts.ts";
import type { Verdict } from "../../verdict/document.ts";
import { inferredText } from "../inferred-names.ts";
import { plural } from "../plural.ts";

/** The place of a change: `body /usage/cost (type: text)`. */
export function placeText({ in: place, pointer, where }: Change): string {
  const within = where.length > 0 && pointer !== "" ? ` (${where.join("; ")})` : "";
  if (place === "status") return "status";
  if (pointer === "" && where.length > 0) return `${place}: ${where.join("; ")}`;
  return `${place}${pointer === "" ? "" : ` ${pointer}`}${within}`;
}

const titles: Readonly<Record<ChangeKind, string>> = {
  added: "new",
  removed: "gone",
  type: "other type",
  nullability: "null",
  enum: "other values",
  order: "other order",
  status: "other status",
  header: "header",
};

export const titleOf = ({ kind }: Pick<Change, "kind">): string => titles[kind];

/** The value before, and the value after. */
export function turnText({ before, after }: Change): string {
  if (before === null) return `now ${after}`;
  return after === null ? `was ${before}` : `was ${before}; now ${after}`;
}

const share = ({ in: shown, of }: SeenIn): string => `in ${shown} of ${of}`;

/** How many exchanges show it on each side, and how sure that is. */
export function seenText({ seen: { before, after }, chance }: Change): string {
  const counts = `seen ${share(before)} before, ${share(after)} now`;
  const rest = after.in === 0 && before.in > 0 && before.in < before.of ? ruleOfThree(after.of) : undefined;
  return `${counts}: ${surenessOf(chance, before.of, after.of)}${rest === undefined ? "" : `; ${rest}`}`;
}

const movers = {
  document: "the document would have to describe it",
  vendor: "the target follows the document, the vendor does not",
  target: "the target would have to change",
  nobody: "the document leaves it open",
} as const;

/** The document's word on it, and whose move it is. */
export function allowedText({ kind, allowed, allowedBefore, before, after, clause, move }: Change): string {
  // A side that lacks something and so breaks a clause lacks what the clause demands.
  const verdict =
    allowed === false
      ? kind === "removed" || after === null
        ? "required"
        : "forbidden"
      : allowedBefore === false
        ? kind === "added" || before === null
          ? "required"
          : "allowed; what was there is forbidden"
        : allowed === true
          ? "allowed"
          : "not documented";
  return [`${verdict}${clause === null ? "" : `: ${clause}`}`, ...(move ? [movers[move]] : [])].join("; ");
}

/** The place at which it can be looked at. */
export function exampleText({ seen: { before, after } }: Change): string {
  const at = (word: string, { example }: SeenIn): string[] =>
    example ? [`${word} ${example.source}, exchange ${example.exchange}`] : [];
  return [...at("before:", before), ...at("now:", after)].join("; ");
}

/** The two sides, in one sentence. */
export function comparedText({
  exchanges,
  compared,
  alike,
  unmatched,
  unread,
  undocumented,
  refused = [],
  inferred,
  unsent = [],
  incomplete,
}: DriftSummary): string[] {
  const both = (one: { before: number; after: number }): string => `${one.before} and ${one.after}`;
  const left = unmatched.before + unmatched.after;
  const others = undocumented.before + undocumented.after;
  const names = inferredText(inferred);
  return [
    `Exchanges: ${exchanges.before} before, ${exchanges.after} now; answers compared: ${both(compared)}, ${alike} with identical requests`,
    ...(left > 0 ? [`Not compared, since the other side was asked nothing like it: ${both(unmatched)}`] : []),
    ...(unread.before + unread.after > 0
      ? [`Compared by status and headers alone, since the body cannot be read or broke off: ${both(unread)}`]
      : []),
    ...(others > 0 ? [`Of no documented operation: ${both(undocumented)}`] : []),
    ...refused.map(
      (one) =>
        `Not compared: ${refusedText(one, one.side === "before" ? "what was asked before" : "what is asked now")}`,
    ),
    ...(unsent.length > 0 ? [`${plural(unsent.length, "request")} not sent: ${unsent[0]!.why}`] : []),
    ...(names === "" ? [] : [names[0]!.toUpperCase() + names.slice(1)]),
    ...(incomplete ? ["More structure than is kept: what is told is right, and not all"] : []),
  ];
}

/** The conclusion, in one sentence. */
export const totalText = (summary: DriftSummary): string => {
  const { changes, forbidden } = summary;
  if (changes === 0) return isEmpty(summary) ? "Nothing was compared" : "No change";
  return `${plural(changes, "change")}${forbidden > 0 ? `, ${forbidden} of them forbidden by the documents` : ""}`;
};

/** Changes of one operation together, in the order in which they come. */
export function byOperation(changes: readonly Change[]): [operation: string, changes: Change[]][] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const name = `${change.interface}: ${change.operation}, ${change.side}`;
    const group = groups.get(name);
    if (group) group.push(change);
    else groups.set(name, [change]);
  }
  return [...groups];
}

const headings = [
  ["Got worse", 1],
  ["Got better", -1],
  ["Otherwise changed", 0],
] as const;

/** Verdicts that got worse, those that got better, and all others. */
export const verdictGroups = (verdicts: readonly VerdictChange[]): [heading: string, verdicts: VerdictChange[]][] =>
  headings
    .map(([heading, turn]): [string, VerdictChange[]] => [heading, verdicts.filter((one) => turnOf(one) === turn)])
    .filter(([, own]) => own.length > 0);

/** The verb for a clause with a verdict, for one and for several. */
const nowWords: Readonly<Record<Verdict, readonly [one: string, several: string]>> = {
  pass: ["now passes", "now pass"],
  warning: ["now warns", "now warn"],
  fail: ["now fails", "now fail"],
  unenforced: ["is now unenforced", "are now unenforced"],
  untested: ["is no longer tested", "are no longer tested"],
  skipped: ["is now skipped", "are now skipped"],
  "no-verdict": ["now has no verdict", "now have no verdict"],
  broken: ["is now broken", "are now broken"],
};

/** The sentence for verdicts that changed alike: `478 rules are now enforced`. */
export function alikeText(count: number, { before, after }: Pick<VerdictChange, "before" | "after">): string {
  const is = count === 1 ? "is" : "are";
  if (before === "unenforced" && after === "pass") return `${plural(count, "rule")} ${is} now enforced`;
  if (before === "pass" && after === "unenforced") return `${plural(count, "rule")} ${is} no longer enforced`;
  const words = Object.hasOwn(nowWords, after) ? nowWords[after as Verdict] : undefined;
  if (!words)
    return `${plural(count, "row")} now ${after.replaceAll("-", " ")} (before: ${before.replaceAll("-", " ")})`;
  return `${plural(count, "clause")} ${words[count === 1 ? 0 : 1]} (before: ${before})`;
}

/** Verdicts that changed alike together, in the order in which they come. */
export function alikeGroups(verdicts: readonly VerdictChange[]): VerdictChange[][] {
  const groups = new Map<string, VerdictChange[]>();
  for (const one of verdicts) {
    const key = `${one.before} ${one.after}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

/** The conclusion about two results, in one sentence. */
export const verdictsTotal = (changed: number): string =>
  changed === 0 ? "No verdict changed" : `${plural(changed, "verdict")} changed`;
