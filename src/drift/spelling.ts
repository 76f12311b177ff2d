/** Meets how JSON was written, where that is structure: other names of members, members given twice, fractions of whole numbers, bytes. */
import type { Body, StreamEvent } from "../check/body.ts";
import { patternOf } from "../check/groups.ts";
import { tokensOf } from "../wire/pointer.ts";
import { wantsIntegers } from "./document-schema.ts";
import type { Place, Places, Visit } from "./observed-schema.ts";
import { see } from "./occurrence.ts";

/** The number of notes kept for one kind of message. */
const maxNotes = 500;

const byteOrderMark = "\ufeff";

/** The place that a pointer leads to, in whatever variant it was met. */
function placeAt(root: Place, pointer: string): Place | undefined {
  let place: Place | undefined = root;
  for (const token of tokensOf(pointer)) {
    if (!place) return undefined;
    const holders: readonly Place[] = [place, ...place.variants.values()];
    place = holders.map(({ members }) => members.get(token)).find(Boolean) ?? place.items;
  }
  return place;
}

/** The text of a JSON body, or the events of a stream, as they were written. */
type Written = Pick<StreamEvent, "spelling" | "lexicalIssues">;

/**
 * Meets what is to be said of how one JSON value was written.
 * @param notes the place that takes the notes
 * @param values where the value itself was met
 */
export function visitSpelling(places: Places, notes: Place, values: Place, written: Written, visit: Visit): void {
  const note = (label: string, pointer?: string): void => {
    if (!notes.members.has(label) && (notes.members.size >= maxNotes || places.isFull())) return;
    places.observe(places.part(notes, label, undefined, pointer), visit);
  };
  places.observe(notes, visit);
  see(notes.sides[visit.side].objects, visit.exchange);
  const { spelling, lexicalIssues } = written;
  for (const { pointer, camel } of spelling?.aliases ?? []) note(`${patternOf(pointer)} for ${camel}`);
  for (const pointer of spelling?.singles ?? []) note(`${patternOf(pointer)} as an object, without its list`);
  for (const pointer of lexicalIssues?.duplicates ?? [])
    note(`${patternOf(pointer)} more than once in its object`, patternOf(pointer));
  for (const pointer of lexicalIssues?.fractions ?? []) {
    const place = placeAt(values, pointer);
    if (place && wantsIntegers(place.described))
      note(`${patternOf(pointer)} written with a fraction or an exponent`, patternOf(pointer));
  }
}

/** The structural bytes of a body, whatever it says. */
export function* bytesOf(body: Body): Generator<string> {
  if (body.kind === "json" && body.text().startsWith(byteOrderMark)) yield "a byte order mark";
  if ((body.kind === "json" && !body.utf8) || (body.kind === "stream" && body.notUtf8.length > 0))
    yield "bytes that are not UTF-8";
  if (body.kind === "stream" && !body.terminated) yield "no blank line at its end";
}
