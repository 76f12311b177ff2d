/** The forms in which chat completions can be asked for: in chunks, as a whole, with a word of one's own. */
import type { RequestForms } from "../../../check/interface-signs.ts";
import { withBody, wordInMessages } from "../../common/request-forms.ts";

export const forms: RequestForms = {
  streamed: (request) =>
    withBody(request, (body) =>
      "messages" in body && body["stream"] !== true ? { ...body, stream: true } : undefined,
    ),
  whole: (request) =>
    withBody(request, ({ stream, stream_options: _, ...body }) => (stream === true ? body : undefined)),
  withWord: wordInMessages,
};
