/** The table of servers: what each keeps, breaks and does not enforce. */
import type { Tried } from "./try-server.ts";

function rowOf({ server: { packages, as, byChance = {} }, results }: Tried): string {
  const lucky = ({ id, verdict }: { readonly id: string; readonly verdict: string }): boolean =>
    verdict === "pass" && id in byChance;
  const verdicts = results.clauses.map((one) => (lucky(one) ? "warning" : one.verdict));
  const count = (verdict: string): number => verdicts.filter((one) => one === verdict).length;
  // An interface that is not offered is none that fails to answer.
  const failed = results.incidents.filter(({ kind }) => kind !== "absent");
  const unanswered = new Set(failed.map(({ source }) => source)).size;
  const name = Object.entries(packages)
    .map(([id, version]) => `${id} ${version}`)
    .join(", ");
  const cells = [count("pass"), count("fail"), unanswered, count("unenforced"), count("warning")];
  return `| ${name}${as === undefined ? "" : `: ${as}`} | ${cells.join(" | ")} |`;
}

const head = `| server | keeps | breaks | requests not answered | does not enforce | warned about |
|---|--:|--:|--:|--:|--:|`;

/** One line a server. */
export const tableOf = (tried: readonly Tried[]): string => [head, ...tried.map(rowOf)].join("\n");
