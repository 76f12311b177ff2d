/** Refused requests of chat-completions. */

import type { Example } from "../../../check/example.ts";
import { editHeader } from "../../../wire/edit.ts";
import { whole } from "./response.ts";

/** Good replies to requests that are not: what shows that a rule of requests is enforced. */
export const refusals: readonly Example[] = [
  {
    ...whole(
      "a request without messages refused",
      { messages: undefined },
      { error: { message: "messages is missing.", type: "invalid_request_error", param: "messages", code: null } },
      400,
    ),
    probe: true,
  },
  {
    name: "no key, refused",
    exchange: editHeader(
      whole(
        "",
        {},
        { error: { message: "No key was given.", type: "invalid_request_error", param: null, code: "missing_key" } },
        401,
      ).exchange,
      "request",
      "Authorization",
      undefined,
    ),
    probe: true,
  },
];
