/** Takes good exchanges out of users' own recordings: what passes proves clauses, what does not is told. */
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import type { Example, OwnRecording } from "../check/example.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";

export interface RecordedExamples {
  /** By interface. */
  readonly recorded: Readonly<Record<string, readonly Example[]>>;
  /** Why others are none, as sentences. */
  readonly left: readonly string[];
}

export function recordedExamples(
  catalogue: Catalogue,
  recordings: Readonly<Record<string, readonly OwnRecording[]>>,
): RecordedExamples {
  const recorded: Record<string, Example[]> = {};
  const left: string[] = [];
  for (const [of, list] of Object.entries(recordings))
    for (const { path, section, name, bindings, violates, exchanges } of list)
      for (const [i, { exchange }] of exchanges.entries()) {
        if (violates.length > 0 || exchange.response === null) continue;
        const at = { source: path, exchange: i };
        const { findings } = judge(exchange, at, catalogue, { names: namesFrom(bindings), policy: lenient });
        const broken = findings.find(({ level }) => level === "error");
        if (broken) left.push(`${path} #${i} breaks ${broken.clause}: nothing is proven on it`);
        else (recorded[of] ??= []).push({ name: `${section}/${name} #${i}`, exchange, recorded: true });
      }
  return { recorded, left };
}
