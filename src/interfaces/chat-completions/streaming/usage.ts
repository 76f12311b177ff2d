/** Rules on the usage that a streamed chat reply reports, and when (reading C-INCLUDE-USAGE). */

import type { Grade } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { editEvents } from "../../../wire/edit.ts";
import { isObject } from "../../../wire/json.ts";
import { chunkEvents, type Loose } from "../examples/spoil.ts";
import { askedOf, type Chunk, chunksOf, faultAt, isEnded, type Spot } from "../reading/reply.ts";

const id = (name: string): string => `chat-completions.streaming.${name}`;
const grade = (atDefault: Grade["default"]): { reading: Grade } => ({
  reading: { id: "C-INCLUDE-USAGE", default: atDefault, strict: "error" },
});

/** Whether the request asked for usage; undefined where that cannot be known. */
function wanted(subject: Subject): boolean | undefined {
  const asked = askedOf(subject);
  if (!asked || chunksOf(subject).length === 0) return undefined;
  const options = asked["stream_options"];
  if (options === undefined || options === null) return false;
  if (!isObject(options)) return undefined;
  const include = options["include_usage"] ?? false;
  return typeof include === "boolean" ? include : undefined;
}

const at = ({ position }: Chunk, pointer: string): Spot => ({ in: "stream", event: position, pointer });
const reports = ({ value }: Chunk): boolean => isObject(value["usage"]);
const isExtra = ({ value }: Chunk): boolean => Array.isArray(value["choices"]) && value["choices"].length === 0;
const hasChoices = ({ value }: Chunk): boolean => Array.isArray(value["choices"]) && value["choices"].length > 0;

/** The chunk that plays the extra one: the last that reports usage without choices, else the last that reports any. */
const extraOf = (chunks: readonly Chunk[]): Chunk | undefined =>
  chunks.findLast((chunk) => reports(chunk) && isExtra(chunk)) ?? chunks.findLast(reports);

/** Moves the spoilt chunk about: gets all chunks and the position of the extra one. */
const spoilChunks =
  (change: (chunks: { data: Loose }[], extra: { data: Loose }) => void): Rule["spoil"] =>
  (exchange) =>
    editEvents(exchange, (events) => {
      const chunks = chunkEvents(events);
      change(chunks, chunks.at(-1)!);
    });

const totals = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

const onlyWhenAsked: Rule = {
  clause: id("usage-only-when-asked"),
  applies: (subject) => wanted(subject) === false,
  *check(subject) {
    const chunk = chunksOf(subject).find(reports);
    if (chunk) yield faultAt(at(chunk, "/usage"), "no usage, since include_usage is not set", chunk.value["usage"]);
  },
  spoil: spoilChunks((_chunks, last) => void (last.data.usage = totals)),
};

const absentUnlessAsked: Rule = {
  clause: id("usage-absent-unless-asked"),
  applies: (subject) => wanted(subject) === false,
  *check(subject) {
    const chunk = chunksOf(subject).find(({ value }) => value["usage"] === null);
    if (chunk) yield faultAt(at(chunk, "/usage"), "no member usage", null, grade("off"));
  },
  spoil: spoilChunks((_chunks, last) => void (last.data.usage = null)),
};

const nullPresent: Rule = {
  clause: id("usage-null-present"),
  applies: (subject) => wanted(subject) === true,
  *check(subject) {
    const chunk = chunksOf(subject).find((one) => one.value["usage"] === undefined && hasChoices(one));
    if (chunk) yield faultAt(at(chunk, "/usage"), "null", undefined, grade("warning"));
  },
  spoil: spoilChunks(([first]) => void delete first?.data.usage),
};

const nullBeforeLast: Rule = {
  clause: id("usage-null-before-last"),
  applies: (subject) => wanted(subject) === true,
  *check(subject) {
    const chunks = chunksOf(subject);
    const extra = extraOf(chunks);
    const early = chunks.find((chunk) => chunk !== extra && reports(chunk) && hasChoices(chunk));
    if (early) yield faultAt(at(early, "/usage"), "null before the extra chunk", early.value["usage"]);
  },
  spoil: spoilChunks(([first]) => void (first!.data.usage = totals)),
};

const chunkSent: Rule = {
  clause: id("usage-chunk-sent"),
  applies: (subject) => wanted(subject) === true && isEnded(subject),
  *check(subject) {
    const chunks = chunksOf(subject);
    const last = chunks.at(-1)!;
    // A usage of another type is its own fault.
    if (chunks.some(({ value: { usage } }) => usage !== undefined && usage !== null)) return;
    const [pointer, actual] = isExtra(last) ? ["/usage", last.value["usage"]] : ["", last.value];
    yield faultAt(at(last, pointer), "a last chunk with the usage", actual);
  },
  spoil: (exchange) =>
    editEvents(exchange, (events) =>
      events.filter(({ data }) => data === "[DONE]" || !isObject((data as Loose).usage)),
    ),
};

const choicesEmpty: Rule = {
  clause: id("usage-chunk-choices-empty"),
  applies: (subject) => wanted(subject) === true && chunksOf(subject).some(reports),
  *check(subject) {
    const extra = extraOf(chunksOf(subject));
    if (extra && hasChoices(extra)) yield faultAt(at(extra, "/choices"), "[] beside the usage", extra.value["choices"]);
  },
  // The usage moves onto the last chunk that has choices, as some services do it.
  spoil: (exchange) =>
    editEvents(exchange, (events) => {
      const extra = chunkEvents(events).at(-1)!;
      chunkEvents(events).at(-2)!.data.usage = extra.data.usage;
      return events.filter(({ data }) => data !== extra.data);
    }),
};

const chunkOnce: Rule = {
  clause: id("usage-chunk-once"),
  applies: (subject) => wanted(subject) === true && chunksOf(subject).some((one) => reports(one) && isExtra(one)),
  *check(subject) {
    const extras = chunksOf(subject).filter(isExtra);
    const again = extras.filter(reports)[1];
    if (again) yield faultAt(at(again, ""), "one chunk with the usage", again.value);
    const bare = extras.find((chunk) => !reports(chunk));
    if (bare) yield faultAt(at(bare, "/choices"), "choices, since this chunk has no usage", [], grade("warning"));
  },
  spoil: (exchange) =>
    editEvents(exchange, (events) => {
      const extra = chunkEvents(events).at(-1)!;
      events.splice(events.indexOf(extra), 0, structuredClone(extra));
    }),
};

const chunkLast: Rule = {
  clause: id("usage-chunk-last"),
  applies: (subject) => wanted(subject) === true && chunksOf(subject).some((one) => reports(one) && isExtra(one)),
  *check(subject) {
    const chunks = chunksOf(subject);
    const extra = chunks.findIndex((chunk) => reports(chunk) && isExtra(chunk));
    const late = chunks.slice(extra + 1).find(hasChoices);
    if (late) yield faultAt(at(late, ""), "nothing but [DONE] after the chunk with the usage", late.value);
  },
  spoil: (exchange) =>
    editEvents(exchange, (events) => {
      const extra = chunkEvents(events).at(-1)!;
      const others = events.filter((event) => event !== extra);
      const choice = others.findLastIndex(({ data }) => isObject(data));
      return [...others.slice(0, choice), extra, ...others.slice(choice)];
    }),
};

export const rules: readonly Rule[] = [
  onlyWhenAsked,
  absentUnlessAsked,
  nullPresent,
  nullBeforeLast,
  chunkSent,
  choicesEmpty,
  chunkOnce,
  chunkLast,
];
