/** Rules on the citations and the audio of a chat reply. */

import { strictOnly, warns } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import { base64Blemish, base64Problem } from "../../../wire/base64.ts";
import { characters } from "../../../wire/characters.ts";
import { isObject } from "../../../wire/json.ts";
import { editReply } from "../examples/spoil.ts";
import { perChoice } from "../reading/choice-rule.ts";
import { type Choice, faultAt, type Placed, within } from "../reading/reply.ts";
import { isSpoken } from "../reading/reply-parts.ts";

const citation = (annotation: Placed): { start: number; end: number } | undefined => {
  const cited = annotation.value["url_citation"];
  const { start_index: start, end_index: end } = isObject(cited) ? cited : {};
  return Number.isInteger(start) && Number.isInteger(end) ? { start: start as number, end: end as number } : undefined;
};

const editCitations = (exchange: Parameters<Rule["spoil"]>[0], change: (cited: Record<string, number>) => void) =>
  editReply(
    exchange,
    (body) => {
      for (const { message } of body.choices)
        for (const { url_citation: cited } of message.annotations ?? []) change(cited);
    },
    undefined,
  );

const citationOrder = perChoice(
  "citation-order",
  ({ annotations }) => annotations.some(citation),
  function* ({ annotations }) {
    for (const annotation of annotations) {
      const at = citation(annotation);
      if (at && at.start > at.end)
        yield faultAt(within(annotation.spot, "url_citation/end_index"), `at least start_index ${at.start}`, at.end);
    }
  },
  (exchange) => editCitations(exchange, (cited) => void (cited["start_index"] = cited["end_index"]! + 1)),
);

/** Reading C-CITE-INDEX: unit and base are open, so only what no unit allows is wrong by default. */
const citationWithin = perChoice(
  "citation-within-text",
  (choice) => typeof choice.content === "string" && !isSpoken(choice) && choice.annotations.some(citation),
  function* ({ annotations, content }) {
    const bytes = Buffer.byteLength(content ?? "");
    let points: number | undefined;
    for (const annotation of annotations) {
      const at = citation(annotation);
      if (!at || at.start > at.end) continue;
      const end = within(annotation.spot, "url_citation/end_index");
      if (at.end > bytes) yield faultAt(end, `at most ${bytes}, the length of the message`, at.end);
      else {
        points ??= characters(content ?? "");
        const reading = strictOnly("C-CITE-INDEX");
        if (at.end >= points) yield faultAt(end, `the position of a character, below ${points}`, at.end, { reading });
        if (at.start < 0)
          yield faultAt(within(annotation.spot, "url_citation/start_index"), "at least 0", at.start, { reading });
      }
    }
  },
  (exchange) => editCitations(exchange, (cited) => void (cited["end_index"] = 1e6)),
);

const soundsOf = (choice: Choice): string | undefined => {
  const data = choice.audio?.value["data"];
  return choice.pieces.length === 0 && typeof data === "string" && !base64Problem(data) ? data : undefined;
};

/** Reading X-BASE64: odd base64 that decodes all the same. */
const audioCanonical = perChoice(
  "audio-data-canonical",
  (choice) => soundsOf(choice) !== undefined,
  function* (choice) {
    const data = soundsOf(choice) ?? "";
    const [blemish, strictly] = [base64Blemish(data), base64Blemish(data, true)];
    if (choice.audio && strictly)
      yield faultAt(within(choice.audio.spot, "data"), "base64 of the standard alphabet with padding", data, {
        hint: strictly,
        reading: blemish ? warns("X-BASE64") : strictOnly("X-BASE64"),
      });
  },
  (exchange) =>
    editReply(
      exchange,
      (body) => {
        for (const { message } of body.choices) message.audio.data = message.audio.data.replace(/=*$/, "=");
      },
      undefined,
    ),
);

export const rules: readonly Rule[] = [citationOrder, citationWithin, audioCanonical];
