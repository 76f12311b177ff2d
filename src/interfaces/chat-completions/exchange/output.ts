/** Rules that hold the output of a chat reply against the format its request asked for: JSON and audio. */

import { parsed } from "../../../check/budget.ts";
import { type Grade, strictOnly } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { inWords } from "../../../check/unquoted.ts";
import { isObject } from "../../../wire/json.ts";
import { type Match, matchOf } from "../../common/schema-match.ts";
import { editReply, sayInstead } from "../examples/spoil.ts";
import { faultsOf } from "../reading/choice-rule.ts";
import { askedOf, type Choice, faultAt, isAtFault, soundChoices, within } from "../reading/reply.ts";
import { isSpoken, joinedHint, textsOf } from "../reading/reply-parts.ts";
import { id } from "./clause.ts";

interface Format {
  readonly type: unknown;
  readonly strict: boolean;
  readonly schema: unknown;
}

function formatOf(subject: Subject): Format | undefined {
  const format = askedOf(subject)?.["response_format"];
  if (!isObject(format)) return undefined;
  const wanted = isObject(format["json_schema"]) ? format["json_schema"] : {};
  return { type: format["type"], strict: wanted["strict"] === true, schema: wanted["schema"] };
}

/** Text that came to its end: a refusal, a call, speech and what was cut short are no output in the format. */
function finished(choice: Choice): boolean {
  const { content, finish, refusal, calls, functionCall } = choice;
  const isText = typeof content === "string" && !refusal && calls.length === 0 && !functionCall && !isSpoken(choice);
  return finish === "stop" && isText;
}

/** The finish reason is `stop` as well when a stop sequence came, which ends a text wherever it is. */
function mayBeCut(subject: Subject): boolean {
  const { stop } = askedOf(subject) ?? {};
  return (typeof stop === "string" || Array.isArray(stop)) && stop.length > 0;
}

function perText(
  clause: string,
  concerns: (format: Format) => boolean,
  check: (text: string, format: Format, match: Match) => { expected: string; reading?: Grade } | undefined,
  spoil: Rule["spoil"],
): Rule {
  const relevant = (subject: Subject): Format | undefined => {
    const format = formatOf(subject);
    return format && concerns(format) && !mayBeCut(subject) ? format : undefined;
  };
  return {
    clause: id(clause),
    applies: (subject) => relevant(subject) !== undefined && soundChoices(subject).some(finished),
    *check(subject) {
      const format = relevant(subject);
      if (!format) return;
      for (const choice of soundChoices(subject)) {
        if (!finished(choice) || typeof choice.content !== "string") continue;
        const fault = check(choice.content, format, matchOf(subject));
        if (!fault) continue;
        const texts = textsOf(choice);
        const { spot, value } = texts.findLast((text) => text.value !== "") ?? texts[0]!;
        yield faultAt(spot, fault.expected, value, {
          ...joinedHint(texts),
          ...(fault.reading && { reading: fault.reading }),
        });
      }
    },
    spoil,
  };
}

const notJson = (exchange: Parameters<Rule["spoil"]>[0]) => sayInstead(exchange, "Here you are: {");

const jsonMode = perText(
  "json-mode",
  ({ type }) => type === "json_object",
  (text) => (parsed(text).ok ? undefined : { expected: "JSON in JSON mode" }),
  notJson,
);

const jsonModeObject = perText(
  "json-mode-object",
  ({ type }) => type === "json_object",
  (text) => {
    const json = parsed(text);
    return json.ok && !isObject(json.value)
      ? { expected: "a JSON object in JSON mode", reading: strictOnly("C-JSON-MODE") }
      : undefined;
  },
  (exchange) => sayInstead(exchange, "[]"),
);

const schemaOutput = perText(
  "json-schema-output",
  ({ type, strict }) => type === "json_schema" && !strict,
  (text) => (parsed(text).ok ? undefined : { expected: "JSON, as response_format asks for" }),
  notJson,
);

const schemaFollowed = perText(
  "json-schema-followed",
  ({ type, strict }) => type === "json_schema" && strict,
  (text, { schema }, match) => {
    const json = parsed(text);
    if (!json.ok) return { expected: "JSON that follows the schema" };
    const broken = match(schema, json.value);
    return (
      broken && { expected: `JSON that follows the schema: ${broken.pointer || "the whole"} is ${broken.expected}` }
    );
  },
  notJson,
);

/** Whether a request asks for audio and says well which; otherwise it is at fault itself. */
const asksAudio = (subject: Subject): boolean => {
  const modalities = askedOf(subject)?.["modalities"];
  const asked = Array.isArray(modalities) && modalities.includes("audio") && isObject(askedOf(subject)?.["audio"]);
  return asked && !["audio", "modalities"].some((member) => isAtFault(subject, member));
};

/** How audio is streamed is not said, so only whole replies owe it. */
const audioPresent: Rule = {
  clause: id("audio-present"),
  applies: (subject) => asksAudio(subject) && soundChoices(subject).some(({ pieces }) => pieces.length === 0),
  *check(subject) {
    for (const { audio, refusal, calls, functionCall, finish, message, pieces } of soundChoices(subject)) {
      if (audio || pieces.length > 0) continue;
      const excused = Boolean(refusal) || calls.length > 0 || functionCall || finish === "content_filter";
      yield faultAt(
        within(message, "audio"),
        "audio, since the request asks for it",
        undefined,
        excused ? { reading: strictOnly("C-AUDIO-PRESENT") } : {},
      );
    }
  },
  spoil: (exchange) =>
    editReply(
      exchange,
      (body) => {
        for (const { message } of body.choices) delete message.audio;
      },
      undefined,
    ),
};

const audioUnasked: Rule = {
  clause: id("audio-only-when-asked"),
  applies: (subject) => {
    const asked = askedOf(subject);
    if (!asked || soundChoices(subject).length === 0) return false;
    const { modalities = null, audio = null } = asked;
    return audio === null && (modalities === null || (Array.isArray(modalities) && !modalities.includes("audio")));
  },
  check: (subject) =>
    faultsOf(
      soundChoices(subject),
      ({ audio }) => audio && [faultAt(audio.spot, "no audio, since the request does not ask for it", audio.value)],
    ),
  spoil: (exchange) =>
    editReply(
      exchange,
      (body) => {
        for (const { message } of body.choices)
          message.audio = { id: "audio_1", data: "UklGRg==", transcript: "Hello.", expires_at: 1_735_693_200 };
      },
      undefined,
    ),
};

/** First bytes that belong to one format only; pcm16 has none, and mp3 often none. */
const signatures: readonly [format: string, signature: RegExp][] = [
  ["wav", /^RIFF.{4}WAVE/s],
  ["flac", /^fLaC/],
  ["opus", /^OggS/],
  ["mp3", /^ID3/],
];

function audioAsked(subject: Subject): string | undefined {
  const audio = askedOf(subject)?.["audio"];
  const format = isObject(audio) ? audio["format"] : undefined;
  return typeof format === "string" ? format : undefined;
}

const audioFormat: Rule = {
  clause: id("audio-format"),
  applies: (subject) =>
    audioAsked(subject) !== undefined &&
    soundChoices(subject).some(({ audio, pieces }) => typeof audio?.value["data"] === "string" && pieces.length === 0),
  *check(subject) {
    const asked = audioAsked(subject);
    for (const { audio, pieces } of soundChoices(subject)) {
      const data = audio?.value["data"];
      if (!audio || typeof data !== "string" || pieces.length > 0) continue;
      const start = Buffer.from(data.slice(0, 16), "base64").toString("latin1");
      const [format] = signatures.find(([, signature]) => signature.test(start)) ?? [];
      if (format && format !== asked)
        yield faultAt(within(audio.spot, "data"), `${asked} audio`, inWords(`${format} audio`));
    }
  },
  spoil: (exchange) =>
    editReply(
      exchange,
      (body) => {
        for (const { message } of body.choices)
          message.audio.data = Buffer.from(message.audio.data, "base64").toString("latin1").startsWith("fLaC")
            ? Buffer.from("RIFF....WAVE").toString("base64")
            : Buffer.from("fLaC....").toString("base64");
      },
      undefined,
    ),
};

export const rules: readonly Rule[] = [
  jsonMode,
  jsonModeObject,
  schemaOutput,
  schemaFollowed,
  audioPresent,
  audioUnasked,
  audioFormat,
];
