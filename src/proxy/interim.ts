/** Passes on interim responses, those with a status of 1xx. */
import type { IncomingMessage, InformationEvent, ServerResponse } from "node:http";
import { responseFields } from "./hop-by-hop.ts";

export type RawInformation = InformationEvent & { readonly rawHeaders: readonly string[] };

/** Interim responses that wait for a client that does not read, in bytes; further ones are left out. */
const maxInterim = 1 << 20;

/** Characters that HTTP does not allow in a line of a head. */
const illegalInHead = /[^\t\x20-\x7e\x80-\xff]/;

/** Passes on responses with a status of 1xx; gives false for one that HTTP does not let pass. */
export function interimRelay(req: IncomingMessage, res: ServerResponse): (information: RawInformation) => boolean {
  /** Behind a pipelined exchange that is not over yet, the socket comes later. */
  let waiting: string | undefined;
  return ({ statusCode, statusMessage, rawHeaders }) => {
    if (req.httpVersion === "1.0") return true;
    const raw = responseFields(rawHeaders, false, false);
    const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
    for (let i = 0; i < raw.length; i += 2) lines.push(`${raw[i]}: ${raw[i + 1]}`);
    if (lines.some((line) => illegalInHead.test(line))) return false;
    const head = `${lines.join("\r\n")}\r\n\r\n`;
    const { socket } = res;
    if (socket) {
      if (socket.writableLength + head.length <= maxInterim) socket.write(head, "latin1");
    } else if (waiting === undefined) {
      waiting = head;
      res.once("socket", (own) => own.write(waiting!, "latin1"));
    } else if (waiting.length + head.length <= maxInterim) waiting += head;
    return true;
  };
}
