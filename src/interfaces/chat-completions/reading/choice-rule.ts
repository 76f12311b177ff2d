/** Rules of the section response that look at each well-formed choice by itself. */
import type { Fault, Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { type Choice, soundChoices } from "./reply.ts";

/** All faults of all choices; undefined where there are none. */
export function faultsOf(
  choices: readonly Choice[],
  check: (choice: Choice) => Iterable<Fault> | undefined,
): Fault[] | undefined {
  let all: Fault[] | undefined;
  for (const choice of choices) {
    const faults = check(choice);
    if (faults) for (const fault of faults) (all ??= []).push(fault);
  }
  return all;
}

/** One rule of `chat-completions.response`: `concerns` picks the choices, `check` judges one. */
export function perChoice(
  clause: string,
  concerns: (choice: Choice, subject: Subject) => boolean,
  check: (choice: Choice, subject: Subject) => Iterable<Fault> | undefined,
  spoil: Rule["spoil"],
): Rule {
  return {
    clause: `chat-completions.response.${clause}`,
    applies(subject) {
      for (const choice of soundChoices(subject)) if (concerns(choice, subject)) return true;
      return false;
    },
    check: (subject) =>
      faultsOf(soundChoices(subject), (one) => (concerns(one, subject) ? check(one, subject) : undefined)),
    spoil,
  };
}
