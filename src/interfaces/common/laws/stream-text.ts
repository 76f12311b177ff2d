/** The law that a stream, put together, says what the whole reply to the same question says. */
import type { Grade } from "../../../check/clause.ts";
import { type Law, nameOf } from "../../../check/law.ts";
import { inWords } from "../../../check/unquoted.ts";
import { type Facts, faultOf, type ReadFacts } from "./facts.ts";
import { commonEnds, mechanicalForm } from "./mechanical.ts";
import { calls, perPair } from "./twins.ts";

/** Other words are no violation of anything: a model chose them. */
const reading = (isMechanical: boolean): Grade => ({
  id: "X-STREAM-TEXT",
  default: isMechanical ? "warning" : "note",
  strict: "error",
});

/** Whether a text is another with one piece missing. */
function lacksPiece(text: string, whole: string): boolean {
  const { head, tail } = commonEnds(text, whole);
  return text.length < whole.length && head + tail === text.length;
}

/** Whether both count as many tokens, and show them all. */
const sameCount = (a: Facts, b: Facts): boolean =>
  a.generated !== undefined && a.generated.value === b.generated?.value && !a.thinks && !b.thinks;

/** The sign that a difference was not chosen by a model; undefined if there is none. */
function mechanics(whole: Facts, stream: Facts): string | undefined {
  const [one, other] = [whole.text.value, stream.text.value];
  const isCounted = sameCount(whole, stream);
  // Fewer words of as many tokens are no other choice of the model.
  if (isCounted && lacksPiece(other, one)) return "a piece is missing, though as many tokens are counted";
  return mechanicalForm({
    pieces: stream.pieces.map((piece) => piece.text),
    streamed: other,
    whole: one,
    sameCount: isCounted,
  });
}

/** At temperature 0 both say the same words. */
export const sameText = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law =>
  perPair(
    clause,
    read,
    (whole, stream) => whole.cold && !calls(whole) && !calls(stream) && whole.text.value !== "",
    ({ whole: first, again, stream }) => {
      const { text } = stream.facts;
      const whole = again?.facts.text.value === text.value ? again : first;
      const hint = mechanics(whole.facts, stream.facts);
      if (hint === undefined && whole.facts.text.value === text.value) return undefined;
      return faultOf(
        stream,
        { value: text.value || inWords("no text"), spot: text.spot },
        {
          expected: `the text of the whole reply of ${nameOf(whole.member)}, ${JSON.stringify(whole.facts.text.value.slice(0, 200))}`,
          ...(hint !== undefined && { hint }),
          reading: reading(hint !== undefined),
        },
      );
    },
    spoil,
  );
