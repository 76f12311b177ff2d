/** Makes edits in a recording, and gives those that are not told as often as they change structure. */
import { drift, entriesOf, lineOf } from "./drift.test-kit.ts";
import { documents } from "./edited-recordings.test-kit.ts";
import { editsOf } from "./edits.test-kit.ts";

/** @param stride which edits of all recordings are made: 1 is every one, 10 every tenth */
export async function toldOtherwise(recordings: readonly string[], stride: number): Promise<string[]> {
  const wrong: string[] = [];
  let number = 0;
  for (const recording of recordings)
    for (const entry of await entriesOf(recording))
      for (const { what, change, changes: amount } of editsOf(entry.exchange, documents)) {
        if (number++ % stride !== 0) continue;
        const { changes } = await drift([entry], [{ ...entry, exchange: change(entry.exchange) }]);
        const [least, most] = typeof amount === "number" ? [amount, amount] : amount;
        if (changes.length < least || changes.length > most)
          wrong.push([`${recording} ${entry.position} ${what}`, ...changes.map(lineOf)].join("\n  "));
      }
  return wrong;
}
