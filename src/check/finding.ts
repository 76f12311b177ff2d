/** Makes findings of violations: their level under the readings chosen, and their sentences. */
import {
  type Clause,
  type Finding,
  type FindingLevel,
  gradeOf,
  isChosen,
  levelOf,
  type Policy,
  type Violation,
} from "./clause.ts";
import { detach } from "./excerpt.ts";
import { describe } from "./message.ts";
import type { Subject } from "./subject.ts";

/** A clause with basis `field` warns at most, unless the strict option of its reading was asked for. */
export function levelIn({ reading }: Pick<Violation, "reading">, clause: Clause, policy: Policy): FindingLevel | "off" {
  const level = reading ? gradeOf(reading, policy) : levelOf(clause);
  const chosen = reading !== undefined && isChosen(reading, policy);
  return clause.basis === "field" && level === "error" && !chosen ? "warning" : level;
}

export function findingOf(
  violation: Violation,
  clause: Clause,
  level: FindingLevel,
  at: { readonly source: string; readonly exchange: number },
  subject: Pick<Subject, "interface"> & { readonly operation: Pick<Subject["operation"], "name"> },
): Finding {
  const { expected, actual, message } = describe(violation, clause);
  return {
    source: at.source,
    exchange: at.exchange,
    interface: subject.interface,
    operation: subject.operation.name,
    side: violation.side,
    in: violation.in,
    event: violation.event ?? null,
    pointer: detach(violation.pointer),
    clause: clause.id,
    level,
    message,
    expected,
    actual,
    document: clause.document,
    ...(violation.reading && { reading: violation.reading.id }),
  };
}
