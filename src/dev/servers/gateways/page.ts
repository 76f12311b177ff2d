/** Writes what gateways of others keep: the tables of the documentation and of the README, and the page with every reason. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FactSide, factOutcomes } from "../../../gateway/trip.ts";
import { home } from "../../../home.ts";
import { type LossReason, lossesOf, lostOutcomes } from "./expected.ts";
import { type GatewayRoute, shortNames } from "./list.ts";
import type { TriedRoute } from "./try-route.ts";

/** The reasons of all routes, by their names. */
export type Reasons = Readonly<Record<string, readonly LossReason[]>>;

const gatewayOf = ({ name }: GatewayRoute): string => name.split(":")[0]!;
const wayOf = ({ from, to }: GatewayRoute): string => `${shortNames[from]} → ${shortNames[to]}`;
const versionOf = ({ packages }: GatewayRoute): string => Object.entries(packages)[0]!.join(" ");

interface Row {
  readonly side: FactSide;
  readonly fact: string;
  /** What became of it on each route. */
  readonly cells: readonly string[];
  readonly isLost: boolean;
  readonly isShown: boolean;
}

const words: Readonly<Record<string, string>> = { "no-counterpart": "no word", "not-shown": "" };

function rowsOf(tried: readonly TriedRoute[]): readonly Row[] {
  const order = new Map<string, { readonly side: FactSide; readonly fact: string }>();
  for (const { document } of tried)
    for (const { side, fact } of document.facts) order.set(`${side} ${fact}`, { side, fact });
  const rows = [...order.values()].map(({ side, fact }): Row => {
    const found = tried.map(({ document }) => document.facts.find((one) => one.side === side && one.fact === fact));
    const lost = found.map((one) => lostOutcomes.filter((outcome) => (one?.outcomes[outcome] ?? 0) > 0));
    const cells = found.map((one, i) => {
      if (lost[i]!.length > 0) return lost[i]!.join(", ");
      const rest = factOutcomes.filter((outcome) => (one?.outcomes[outcome] ?? 0) > 0);
      const said = rest.find((outcome) => outcome !== "not-shown") ?? "not-shown";
      return words[said] ?? said;
    });
    return {
      side,
      fact,
      cells,
      isLost: lost.some(({ length }) => length > 0),
      isShown: cells.some((one) => one !== ""),
    };
  });
  const rank = ({ side }: Row): number => (side === "request" ? 0 : 1);
  return rows.sort((a, b) => rank(a) - rank(b) || a.fact.localeCompare(b.fact));
}

/** The facts that are lost somewhere as rows, and the routes as columns. */
export function routeTable(tried: readonly TriedRoute[]): string {
  const rows = rowsOf(tried);
  const lost = rows.filter(({ isLost }) => isLost);
  const title = { request: "asked", answer: "answered" };
  return [
    `| fact | ${tried.map(({ route }) => `${gatewayOf(route)}<br>${wayOf(route)}`).join(" | ")} |`,
    `| --- |${" --- |".repeat(tried.length)}`,
    ...lost.map(({ side, fact, cells }) => `| ${title[side]}: \`${fact}\` | ${cells.join(" | ")} |`),
    "",
    `Kept, refused or without a word on every route: ${rows
      .filter(({ isLost, isShown }) => !isLost && isShown)
      .map(({ fact }) => `\`${fact}\``)
      .join(", ")}.`,
  ].join("\n");
}

/** How many facts each translating route keeps and loses. */
function briefTable(tried: readonly TriedRoute[]): string {
  const chosen = tried.filter(({ route }) => route.isBrief);
  return [
    "| gateway | route | kept | no word there | lost | for example |",
    "| --- | --- | --: | --: | --: | --- |",
    ...chosen.map(({ route, document }) => {
      const count = (...outcomes: readonly string[]): number =>
        document.facts.filter(({ outcome }) => outcomes.includes(outcome)).length;
      const [first, second] = document.facts.filter(({ outcome }) => outcome === "dropped");
      const example = [first, second].flatMap((one) => (one ? [`\`${one.fact}\``] : [])).join(", ");
      const numbers = [count("kept"), count("no-counterpart", "refused"), count(...lostOutcomes)];
      return `| ${versionOf(route)} | ${wayOf(route)} | ${numbers.join(" | ")} | ${example} |`;
    }),
  ].join("\n");
}

const markers = (name: string): readonly [string, string] => [
  `<!-- ${name}: written by check:servers -->`,
  `<!-- end of ${name} -->`,
];

/** Puts a text between the markers of a file. @throws Error where it has none */
function writeBetween(file: string, name: string, text: string): void {
  const [begin, end] = markers(name);
  const path = join(home, file);
  const before = readFileSync(path, "utf8");
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for ${name}: ${begin} ... ${end}`);
  writeFileSync(path, `${before.slice(0, from + begin.length)}\n${text}\n${before.slice(to)}`);
}

function sectionOf({ route }: TriedRoute, reasons: readonly LossReason[]): string {
  const rows = reasons.map((one) => `| ${one.reason.replaceAll("|", "\\|")} | ${lossesOf(one).join(", ")} |`);
  return [
    `## ${gatewayOf(route)}, ${wayOf(route)}`,
    "",
    ...(rows.length > 0 ? ["| what it does | what is lost |", "| --- | --- |", ...rows] : ["Nothing is lost."]),
    "",
  ].join("\n");
}

const dayOf = ([first]: readonly TriedRoute[]): string => (first?.started ?? "").slice(0, 10);

/** Writes the tables, and `docs/gateway-results.md`. */
export function writeRoutes(tried: readonly TriedRoute[], reasons: Reasons): void {
  const versions = [...new Set(tried.map(({ route }) => versionOf(route)))].join(", ");
  const made = `Measured on ${dayOf(tried)} with touchstone ${tried[0]!.document.versions.touchstone}: ${versions}.`;
  writeBetween("docs/gateways.md", "gateways", `${made}\n\n${routeTable(tried)}`);
  writeBetween("README.md", "gateways", briefTable(tried));
  const text = `# Results of gateways

\`npm run check:servers -- --write\` installs these gateways from their packages, measures each route with \`touchstone gateway\`, and writes this page.
Each loss was checked by hand against the bytes of all four messages. [Test a gateway](gateways.md) says what the facts and outcomes mean.

${made}

${tried.map((one) => sectionOf(one, reasons[one.route.name] ?? [])).join("\n")}`;
  writeFileSync(join(home, "docs", "gateway-results.md"), `${text.trimEnd()}\n`);
}
