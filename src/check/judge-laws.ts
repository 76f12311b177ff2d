/** Judges exchanges that belong together by the laws of their interface; no I/O, the same answer every time. */
import type { Exchange } from "../wire/exchange.ts";
import { isTooMuch, tooMuchToJudge } from "./budget.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Finding, isSilent } from "./clause.ts";
import { findingOf, levelIn } from "./finding.ts";
import { byPlace } from "./finding-order.ts";
import { createGroups, type GroupCount } from "./groups.ts";
import type { JudgeOptions, Undecision } from "./judge.ts";
import type { Law, LawFault, Member } from "./law.ts";
import { routeOfExchange } from "./route.ts";
import { readSubject } from "./subject.ts";

export interface LawsJudged {
  readonly findings: readonly Finding[];
  readonly groups: readonly GroupCount[];
  /** Clause ids. */
  readonly exercised: readonly string[];
  readonly undecided: readonly Undecision[];
}

/** An exchange and its position in its source. */
export interface Placed {
  readonly position: number;
  readonly exchange: Exchange;
}

/** Judges the exchanges of one source, in the order they were sent; one alone says nothing. */
export function judgeLaws(
  exchanges: readonly Placed[],
  source: string,
  catalogue: Pick<Catalogue, "interfaces" | "clauses" | "indexOf">,
  { names, policy }: Pick<JudgeOptions, "names" | "policy">,
): LawsJudged {
  const findings: Finding[] = [];
  const groups = createGroups();
  const exercised: string[] = [];
  const undecided: Undecision[] = [];

  function report(law: Law, { of, ...fault }: LawFault): void {
    if (isSilent(fault.reading, policy)) return;
    const clause = catalogue.clauses[catalogue.indexOf(law.clause)]!;
    const violation = { ...fault, clause: law.clause, pointer: fault.pointer ?? "" };
    const level = levelIn(violation, clause, policy);
    if (level === "off") return;
    const finding = findingOf(violation, clause, level, { source, exchange: of.position }, of.subject);
    findings.push(finding);
    groups.add(finding);
  }

  const all = exchanges.flatMap(({ exchange, position }): Member[] => {
    const route = routeOfExchange(catalogue.interfaces, exchange);
    if (!route) return [];
    const subject = readSubject(exchange, route, names);
    return [{ subject, position, comparableReply: () => route.interface.comparableReply?.(subject) }];
  });
  const fetched = exchanges.filter(({ exchange }) => !routeOfExchange(catalogue.interfaces, exchange));
  for (const one of catalogue.interfaces) {
    const own = all.filter(({ subject }) => subject.interface === one.name);
    for (const law of one.laws ?? [])
      try {
        const members = law.across ? all : own;
        if (own.length === 0 || members.length + fetched.length < 2) continue;
        const run = (): void => {
          if (!law.applies(members, fetched)) return;
          exercised.push(law.clause);
          for (const fault of law.check(members, fetched)) report(law, fault);
        };
        if (one.code) one.code.run(run);
        else run();
      } catch (error) {
        const { clause } = law;
        if (isTooMuch(error)) undecided.push({ clause, needs: tooMuchToJudge });
        else if (!one.code) throw error;
        else undecided.push({ clause, needs: one.code.failure(`the law on ${clause}`, error), code: "rule-failed" });
      }
  }
  return { findings: findings.sort(byPlace), groups: groups.all(), exercised, undecided };
}
