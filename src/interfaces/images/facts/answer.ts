/** Reads what an image reply says. */
import type { Subject } from "../../../check/subject.ts";
import { errorOf } from "../../common/facts/errors.ts";
import type { AnswerFacts, UsageFacts } from "../../common/facts/model.ts";
import { type Json, known, numberAt, objectAt, textAt } from "../../common/facts/read.ts";
import { imagesOf } from "../reading/reply.ts";

function usageOf(usage: Json | undefined): UsageFacts | undefined {
  if (!usage) return undefined;
  return {
    includes: { cached: true, thinking: true },
    ...known({
      input: numberAt(usage, "input_tokens"),
      output: numberAt(usage, "output_tokens"),
      total: numberAt(usage, "total_tokens"),
    }),
  };
}

/** The facts of a reply; undefined if there is none that can be read. */
export function answerFacts(subject: Subject): AnswerFacts | undefined {
  const { response, replyJson } = subject;
  const error = errorOf(subject);
  if (!response || (!replyJson && !error)) return undefined;
  const pictures = [...imagesOf(subject).values()].map((image) =>
    known({ data: textAt(image, "b64_json"), url: textAt(image, "url"), revised: textAt(image, "revised_prompt") }),
  );
  return {
    streamed: false,
    ended: !subject.interrupted,
    choices: [],
    pictures,
    ...known({ usage: usageOf(replyJson && objectAt(replyJson, "usage")), error }),
  };
}
