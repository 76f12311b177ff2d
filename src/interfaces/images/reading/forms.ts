/** The forms in which images can be asked for: with a word of one's own in the prompt. They are never streamed. */
import type { RequestForms } from "../../../check/interface-signs.ts";
import { followedBy, withBody } from "../../common/request-forms.ts";

export const forms: RequestForms = {
  streamed: () => undefined,
  whole: () => undefined,
  withWord: (request, word) =>
    withBody(request, (body) =>
      typeof body["prompt"] === "string" ? { ...body, prompt: followedBy(body["prompt"], word) } : undefined,
    ),
};
