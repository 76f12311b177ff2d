/** The matrix for people: a row a client, a column a group of cases, and below them why each outcome is amiss. */
import type { CaseResult } from "../../cases/document.ts";
import { isAmiss, type KnownOutcome, knownOf } from "./expected.ts";
import { nameOf, packageOf } from "./list.ts";
import type { TriedClient } from "./try-client.ts";

interface Group {
  readonly title: string;
  readonly holds: (result: CaseResult) => boolean;
}

const under = (folder: string) => (result: CaseResult) => result.kind !== "odd" && result.case.startsWith(`${folder}/`);

/** The columns; every case stands in one. */
const groups: readonly Group[] = [
  { title: "spelling of streams", holds: under("stream") },
  { title: "HTTP", holds: (one) => under("transfer")(one) || one.case === "plain" },
  { title: "legal contents", holds: (one) => one.kind === "legal" && one.case.startsWith(`${one.interface}/`) },
  { title: "odd", holds: ({ kind }) => kind === "odd" },
  { title: "failures", holds: under("failure") },
  { title: "cuts and silence", holds: (one) => under("cut")(one) || under("endless")(one) },
  { title: "redirects", holds: under("redirect") },
];

const isShown = ({ outcome }: CaseResult): boolean => outcome !== "not-shown";

/** How many of the cases that a client shows went amiss. */
const share = (results: readonly CaseResult[]): string =>
  `${results.filter(isAmiss).length}/${results.filter(isShown).length}`;

const anchorOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(" ", "-")
    .replace(/[^\w-]/g, "");

/** @param page the page that holds the reasons; the same one unless said */
function rowOf({ client, results }: TriedClient, page = ""): string {
  const [name, version] = packageOf(client);
  const way = client.driver === name ? "" : ` (${client.driver})`;
  const linked = (cell: string): string =>
    /^0\//.test(cell) ? cell : `[${cell}](${page}#${anchorOf(nameOf(client))})`;
  const cells = groups.map(({ holds }) => {
    const own = results.filter(holds);
    return own.some(isShown) ? linked(share(own)) : "";
  });
  const counted = (level: string): number => results.filter((one) => one.level === level).length;
  return `| ${[`${name} ${version}${way}`.trim(), ...cells, counted("error"), counted("warning")].join(" | ")} |`;
}

const head = `| client | ${groups.map(({ title }) => title).join(" | ")} | errors | warnings |
| --- |${groups.map(() => " --: |").join("")} --: | --: |`;

/** The table. @param page where the reasons stand, if elsewhere */
export const tableOf = (tried: readonly TriedClient[], page?: string): string =>
  [head, ...tried.map((one) => rowOf(one, page))].join("\n");

/** Why a client's outcomes are amiss: a row a reason. */
function sectionOf({ client, results }: TriedClient, known: readonly KnownOutcome[]): string {
  const name = nameOf(client);
  const rows = known.flatMap((entry) => {
    const { outcome, reason, byChance } = entry;
    const own = results.filter((one) => isAmiss(one) && knownOf(known, name, one) === entry);
    const chance = byChance ? " It does so in some runs." : "";
    return (["error", "warning"] as const).flatMap((level) => {
      const cases = own.filter((one) => one.level === level).map((one) => `\`${one.case}\``);
      const why = `${reason.replaceAll("|", "\\|")}${chance}`;
      return cases.length > 0 ? [`| ${outcome.replace("-", " ")} | ${level} | ${why} | ${cases.join(", ")} |`] : [];
    });
  });
  const [, version] = packageOf(client);
  const packages = Object.entries(client.packages).map(([id, exact]) => `${id} ${exact}`);
  const made = version === "" ? `Node ${process.versions.node}` : packages.join(" with ");
  return [
    `### ${name}`,
    "",
    `Made of ${made}.`,
    "",
    ...(rows.length > 0
      ? ["| outcome | level | why | cases |", "| --- | --- | --- | --- |", ...rows]
      : ["Nothing is amiss."]),
  ].join("\n");
}

const begin = "<!-- clients matrix -->";
const end = "<!-- end of clients matrix -->";

/** The page with other text between its markers. @throws Error where it has none */
export function between(page: string, text: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page has no ${begin}`);
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
}

/** The part between the markers of the page. @param day `YYYY-MM-DD` */
export const matrixText = (
  tried: readonly TriedClient[],
  known: readonly KnownOutcome[],
  { day, touchstone }: { readonly day: string; readonly touchstone: string },
): string =>
  [
    `Tested on ${day} with touchstone ${touchstone} and Node ${process.versions.node}.`,
    tableOf(tried),
    "## Why",
    ...tried.map((one) => sectionOf(one, known)),
  ].join("\n\n");
