/** The forms in which content can be generated: as a stream, as a whole, with a word of one's own. */
import type { RequestForms } from "../../../check/interface-signs.ts";
import { followedBy, withBody, withLast } from "../../common/request-forms.ts";

const whole = /:generateContent(?=$|\?)/;
const streamed = /:streamGenerateContent(?=$|\?)/;

/** A target with the parameter that asks for server-sent events. */
const asEvents = (target: string): string => `${target}${target.includes("?") ? "&" : "?"}alt=sse`;

/** A target without it. */
const withoutEvents = (target: string): string =>
  target.replace(/([?&])alt=sse(&|$)/, (_, before: string, after: string) => (after === "" ? "" : before));

export const forms: RequestForms = {
  streamed: (request) =>
    whole.test(request.target)
      ? { ...request, target: asEvents(request.target.replace(whole, ":streamGenerateContent")) }
      : undefined,
  whole: (request) =>
    streamed.test(request.target)
      ? { ...request, target: withoutEvents(request.target.replace(streamed, ":generateContent")) }
      : undefined,
  withWord: (request, word) =>
    withBody(request, (body) => {
      const contents = withLast(body["contents"], (content) => {
        if ((content["role"] ?? "user") !== "user") return undefined;
        const parts = withLast(content["parts"], (part) =>
          typeof part["text"] === "string" ? { ...part, text: followedBy(part["text"], word) } : undefined,
        );
        return parts && { ...content, parts };
      });
      return contents && { ...body, contents };
    }),
};
