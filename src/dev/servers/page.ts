/** The page of results: for each server a link, the date, what it keeps and breaks, and why each failure is one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../home.ts";
import { tableOf } from "./table.ts";
import type { Tried } from "./try-server.ts";

const names = ({ server: { packages, as } }: Tried): string => {
  const [first, ...others] = Object.entries(packages).map(([id, version]) => `${id} ${version}`);
  return `${first}${others.length > 0 ? `, with ${others.join(", ")}` : ""}${as === undefined ? "" : `: ${as}`}`;
};

/** The failures, in the order of the expectations: one row a reason, with what fails for it. */
function reasonRows({ results }: Tried): string[] {
  const byReason = new Map<string, string[]>();
  for (const { clause, cassette, reason } of results.expectations?.entries ?? []) {
    const what = [clause, cassette].filter((one) => one !== undefined).map((one) => `\`${one}\``);
    byReason.set(reason, [...(byReason.get(reason) ?? []), what.join(" in ")]);
  }
  return [...byReason].map(([reason, failing]) => {
    const shown =
      failing.length > maxShown ? [...failing.slice(0, maxShown), `${failing.length - maxShown} more`] : failing;
    return `| ${reason.replaceAll("|", "\\|")} | ${shown.join(", ")} |`;
  });
}

/** Failures that a row names. */
const maxShown = 6;

function sectionOf(one: Tried): string {
  const { server, repository, started, results } = one;
  const rows = reasonRows(one);
  const version = `touchstone ${results.versions.touchstone}`;
  return [
    `## ${server.name}`,
    "",
    `${repository === undefined ? names(one) : `[${names(one)}](${repository})`}. Tested on ${started.slice(0, 10)} with ${version}.`,
    "",
    ...(rows.length > 0 ? ["| why | what fails |", "| --- | --- |", ...rows] : ["Nothing fails."]),
    "",
  ].join("\n");
}

/** Writes `docs/servers.md`. */
export function writePage(tried: readonly Tried[]): void {
  const text = `# Results of servers

\`npm run check:servers -- --write\` installs these servers from their packages, runs the suite and the official clients against each, and writes this
page. Each failure was checked by hand against the documents. Gateways run in front of the reference implementation. A mock has no answer for some
requests, so its counts say little.

${tableOf(tried)}

${tried.map(sectionOf).join("\n")}`;
  writeFileSync(join(home, "docs", "servers.md"), `${text.trimEnd()}\n`);
}
