/** The output of `touchstone run` besides its report: the plan, and where the evidence lies. */
import { printable } from "../report/clean.ts";
import { plural } from "../report/plural.ts";
import type { OpenedBaseline } from "../run/baseline.ts";
import { rounded, type Spent } from "../run/send/usage-meter.ts";
import { placeholderReason } from "../verdict/expectations.ts";
import { redsOf } from "../verdict/outcome.ts";
import type { Plan, RunResults } from "../verdict/run-results.ts";

/** A plan as lines. @param opened what the run is to be compared with */
export function planText({ cassettes, exchanges, probes = [] }: Plan, opened?: OpenedBaseline): string {
  const lines = cassettes.map(
    ({ source, exchanges: own, skipped }) =>
      `${source}  ${skipped === undefined ? plural(own, "request") : `skipped: the target lacks ${skipped}`}`,
  );
  const sent = cassettes.filter(({ skipped }) => skipped === undefined).length;
  const probed = probes.map(
    ({ interface: of, requests, paid }) =>
      `probes/${of}  ${plural(requests, "request")}, ${paid} of which a service should accept, and may charge for`,
  );
  const total = `${plural(exchanges, "request")} of ${plural(sent, "recording")}`;
  const more =
    probes.length > 0
      ? `, and ${plural(
          probes.reduce((sum, { requests }) => sum + requests, 0),
          "probe",
        )}`
      : "";
  const beside = opened?.kind === "target" ? `; the baseline ${opened.planned.target!.url} is sent the same first` : "";
  return `${[...lines, ...probed, `${total}${more}${printable(beside)}; nothing was sent`].join("\n")}\n`;
}

/** The usage of a run, as far as the answers say. */
function spentText({ input, output, images, cost, uncounted }: Spent): string {
  const used = [`${input} tokens in`, `${output} out`, ...(images > 0 ? [plural(images, "image")] : [])].join(", ");
  const paid = cost === undefined ? "" : `, which cost ${rounded(cost)} by the prices given`;
  const rest =
    uncounted > 0 ? `; ${plural(uncounted, "answer")} with success ${uncounted === 1 ? "does" : "do"} not say` : "";
  return `Used, as the answers count: ${used}${paid}${rest}.`;
}

/** The cost of a run, beside what results say. */
interface Asking {
  readonly spent?: Spent | undefined;
  /** Requests that were sent more than once. */
  readonly repeated?: number;
  /** The file of known failures, if the run wrote it. */
  readonly written?: string | undefined;
}

/** A file of known failures that was written, and what is left to do there; without one, how to start it. */
function expectationsLines(
  { expectations, target }: RunResults,
  fails: boolean,
  written: string | undefined,
): string[] {
  if (written !== undefined && expectations) {
    const { entries, unreasoned } = expectations;
    const open = unreasoned.length > 0 ? `; replace "${placeholderReason}" in ${unreasoned.length} of them` : "";
    return [`Wrote ${printable(written)}: ${plural(entries.length, "known failure")}${open}.`];
  }
  return fails && !expectations && target.url !== null
    ? ["To accept failures for now, add --expectations expectations.json --update-expectations; then write why."]
    : [];
}

/** The last lines of a run for who reads its log: where its evidence lies, and where there is more. */
export function closingText(
  results: RunResults,
  out: string | undefined,
  { spent, repeated = 0, written }: Asking = {},
): string {
  const { failing, incidents } = redsOf(results);
  const fails = failing.length + incidents.length > 0;
  const lines = [
    ...(out !== undefined
      ? [`Kept in ${printable(out)}: report.html to read, results.json for touchstone report.`]
      : fails
        ? ["Nothing was kept: --verbose prints the requests as curl lines, --out DIR keeps reports and every exchange."]
        : []),
    ...expectationsLines(results, fails, written),
    ...(repeated > 0
      ? [
          `${plural(repeated, "request")} had to be sent more than once (429, 503, 529, or a connection that ended); the last answer counts.`,
        ]
      : []),
    ...(spent ? [spentText(spent)] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
