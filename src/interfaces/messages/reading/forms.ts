/** The forms in which a message can be asked for: as a stream, as a whole, with a word of one's own. */
import type { RequestForms } from "../../../check/interface-signs.ts";
import { withBody, wordInMessages } from "../../common/request-forms.ts";

export const forms: RequestForms = {
  streamed: (request) => withBody(request, (body) => (body["stream"] === true ? undefined : { ...body, stream: true })),
  whole: (request) => withBody(request, ({ stream, ...body }) => (stream === true ? body : undefined)),
  withWord: wordInMessages,
};
