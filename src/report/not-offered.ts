/** Words for what a target does not offer: requests that were refused for that reason fail nothing. */
import type { Incident, RunResults } from "../verdict/run-results.ts";
import { isRun, type Results } from "./options.ts";

/** One thing that a target does not offer, or an interface of which it refused everything. */
export interface NotOffered {
  /** `messages/tools`, or an interface. */
  readonly name: string;
  readonly incidents: readonly [Incident, ...Incident[]];
}

/** The features that a run found not to be offered, by name. */
export function notOffered(results: Results): NotOffered[] {
  const byName = new Map<string, [Incident, ...Incident[]]>();
  for (const incident of isRun(results) ? results.incidents : []) {
    if (incident.explainedBy === undefined || incident.expected) continue;
    const known = byName.get(incident.explainedBy);
    if (known) known.push(incident);
    else byName.set(incident.explainedBy, [incident]);
  }
  return [...byName].map(([name, incidents]) => ({ name, incidents }));
}

/** Whether it is an interface of which every request was refused: perhaps offered, and nothing was shown. */
const isUnshown = ({ name, incidents: [first] }: NotOffered): boolean =>
  name === first.interface && first.kind === "refused";

/** `several choices`; `tools in streams`, where only both together are missing. */
const words = (name: string): string =>
  name
    .slice(name.indexOf("/") + 1)
    .replace(/^streamed-(.*)$/, "$1-in-streams")
    .replaceAll("-", " ");

/** `tools, several choices`; behind its interface where a run asked several. */
function namesOf(list: readonly NotOffered[], plan: RunResults["plan"]): string {
  const asked = new Set(plan.cassettes.map((cassette) => cassette.interface));
  const features = new Map<string, string[]>();
  const whole: string[] = [];
  for (const { name, incidents } of list) {
    const of = incidents[0].interface;
    if (name === of) whole.push(of);
    else features.set(of, [...(features.get(of) ?? []), words(name)]);
  }
  const parts = [...features].map(([of, names]) => `${asked.size > 1 ? `${of}: ` : ""}${names.join(", ")}`);
  return [...parts, ...(whole.length > 0 ? [whole.join(", ")] : [])].join("; ");
}

/** `not offered: tools, several choices`; empty where all is offered. */
export function notOfferedText(results: Results): string {
  if (!isRun(results)) return "";
  const all = notOffered(results);
  const absent = all.filter((one) => !isUnshown(one));
  const unshown = all.filter(isUnshown);
  return [
    ...(absent.length > 0 ? [`not offered: ${namesOf(absent, results.plan)}`] : []),
    ...(unshown.length > 0 ? [`every request refused: ${namesOf(unshown, results.plan)}`] : []),
  ].join("; ");
}

/**
 * A line each: `not offered: messages/tools: 14 requests, first ...`, or for an interface that the target does not have,
 * `not offered: messages: it answered POST /v1/messages with 404`.
 */
export function notOfferedLines(results: Results): { readonly name: string; readonly says: string }[] {
  return notOffered(results).map((one) => {
    const { name, incidents } = one;
    const [{ source, exchange, problem, kind }] = incidents;
    if (kind === "absent" && name === incidents[0].interface)
      return { name, says: `not offered: ${name}: ${problem.replace("the target has no operation of it: ", "")}` };
    const count = incidents.length === 1 ? "1 request" : `${incidents.length} requests`;
    const lead = isUnshown(one) ? "nothing shown of" : "not offered:";
    return { name, says: `${lead} ${name}: ${count}, first ${source} #${exchange}: ${problem}` };
  });
}
