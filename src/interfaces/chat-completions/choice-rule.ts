/** Rules of the section response that look at each well-formed choice by itself. */
import type { Grade } from "../../check/clause.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { type Choice, soundChoices } from "./reply.ts";

export const warns = (id: string): Grade => ({ id, default: "warning", strict: "error" });
export const strictOnly = (id: string): Grade => ({ id, default: "off", strict: "error" });

/** One rule of `chat-completions.response`: `concerns` picks the choices, `check` judges one. */
export function perChoice(
  clause: string,
  concerns: (choice: Choice, subject: Subject) => boolean,
  check: (choice: Choice, subject: Subject) => Iterable<Fault>,
  spoil: Rule["spoil"],
): Rule {
  return {
    clause: `chat-completions.response.${clause}`,
    applies: (subject) => soundChoices(subject).some((choice) => concerns(choice, subject)),
    *check(subject) {
      for (const choice of soundChoices(subject)) if (concerns(choice, subject)) yield* check(choice, subject);
    },
    spoil,
  };
}
