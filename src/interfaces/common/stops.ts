/** The rule that a reply ends where a stop sequence comes, where no document says so outright. */
import { spend } from "../../check/budget.ts";
import { warns } from "../../check/clause.ts";
import { quoted } from "../../check/format-list.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { holds } from "../../wire/find.ts";
import type { PlacedValue } from "./plausible.ts";

/** The stop sequences of a request; a value that is no text, or is empty, stops nothing. */
export const stopsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((stop): stop is string => typeof stop === "string" && stop !== "") : [];

/** The rest of a token may stand behind a stop sequence that was found in its middle. */
const isRestOfToken = (rest: string): boolean => rest.length <= 16 && !/\s/u.test(rest.trimEnd());

/** Text does not go on behind a stop sequence. Whether it holds the sequence itself is left open. */
export const endsAtStop = (
  clause: string,
  stopsOf: (subject: Subject) => readonly string[],
  textsOf: (subject: Subject) => readonly PlacedValue<string>[],
  spoil: Rule["spoil"],
): Rule => ({
  clause,
  applies: (subject) => stopsOf(subject).length > 0 && textsOf(subject).some(({ value }) => value !== ""),
  *check(subject) {
    const stops = stopsOf(subject);
    for (const { value, spot } of textsOf(subject)) {
      const found = stops.find((stop) => {
        spend(subject.budget, value.length + stop.length);
        return holds(value, stop) && !isRestOfToken(value.slice(value.indexOf(stop) + stop.length));
      });
      if (found === undefined) continue;
      yield {
        side: "response",
        ...spot,
        expected: `text that ends at the stop sequence ${quoted(found)}`,
        actual: value,
        reading: warns("X-CLIENTS"),
      };
      return;
    }
  },
  spoil,
});
