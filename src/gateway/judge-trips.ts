/** Judges both ends of trips: the requests that arrived at the upstream, and the answers that the client got. Pure. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Clause, Level, Policy } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import type { Names } from "../check/names.ts";
import { answersOnly } from "../run/judge/judge-cassette.ts";
import type { VerdictDocument } from "../verdict/document.ts";
import { type Evidence, evidenceOf } from "../verdict/evidence.ts";
import { onAnswers } from "../verdict/results.ts";
import { createTally } from "../verdict/tally.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Route, Trip } from "./trip.ts";

export interface TripJudging {
  readonly catalogue: Catalogue;
  readonly names: Names;
  readonly policy: Policy;
  /** The least level that fails a clause. */
  readonly level: Level;
  /** Whether answers to the client are the gateway's own; what a client library gives back is no answer of an interface. */
  readonly judgesAnswers: boolean;
}

/** Situations in which the upstream itself broke its answer, so that nobody can demand a good one of the gateway. */
const broken: ReadonlySet<string | undefined> = new Set(["stream-error", "cut", "unfinished", "disconnect"]);

/** Whether a clause is one on requests that somebody can see. */
const isOnRequests = ({ on, kind }: Clause): boolean => on === "request" && kind !== "unobservable";

/** The clauses that an exchange violates by itself. */
const clausesOf = (exchange: Exchange | undefined, judged: (exchange: Exchange) => Evidence): ReadonlySet<string> =>
  new Set(exchange ? judged(exchange).groups.map(({ clause }) => clause) : []);

/** Evidence that says nothing of some clauses. */
const without = (clauses: ReadonlySet<string>, evidence: Evidence): Evidence =>
  clauses.size === 0
    ? evidence
    : {
        ...evidence,
        findings: evidence.findings.filter(({ clause }) => !clauses.has(clause)),
        groups: evidence.groups.filter(({ clause }) => !clauses.has(clause)),
        exercised: evidence.exercised.filter((clause) => !clauses.has(clause)),
      };

/** The verdicts on request clauses of `to` and answer clauses of `from`, over all trips; with the findings that led there. */
export function judgeTrips(
  trips: readonly Trip[],
  { from, to }: Route,
  { catalogue, names, policy, level, judgesAnswers }: TripJudging,
  complete: boolean,
): VerdictDocument {
  const answerable = onAnswers(catalogue);
  const requestable = new Set(catalogue.clauses.filter(isOnRequests).map(({ id }) => id));
  const clauses = catalogue.clauses.filter(
    ({ id, interface: of }) =>
      (of === to && requestable.has(id)) || (judgesAnswers && of === from && answerable.has(id)),
  );
  const tally = createTally(clauses, level);
  for (const { id, client, upstream, situation } of trips) {
    const judged = (exchange: Exchange, position: number, side: "request" | "response"): Evidence => {
      const at = { source: id, exchange: position };
      return evidenceOf(judge(exchange, at, catalogue, { names, policy, side }), at, catalogue);
    };
    if (judgesAnswers && client.response && !broken.has(situation)) {
      // The gateway may pass on what the upstream's own answer says.
      const said = clausesOf(upstream.at(-1), (exchange) => judged(exchange, upstream.length, "response"));
      tally.add(without(said, answersOnly(judged(client, 0, "response"), catalogue)));
    }
    if (upstream.length === 0) continue;
    // The gateway may pass on what the client's own request says, too.
    const asked = clausesOf(client, (exchange) => judged({ ...exchange, response: null }, 0, "request"));
    for (const [i, arrived] of upstream.entries()) {
      const evidence = judged({ ...arrived, response: null }, i + 1, "request");
      const isOn = (clause: string): boolean => requestable.has(clause);
      tally.add(
        without(asked, {
          ...evidence,
          exercised: evidence.exercised.filter(isOn),
          undecided: evidence.undecided.filter(({ clause }) => isOn(clause)),
        }),
      );
    }
  }
  return tally.document(complete);
}
