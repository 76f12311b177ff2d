/** Reads requests whole before they are forwarded, so that they can be refused. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { WireRequest } from "../wire/exchange.ts";
import { pairsOf } from "../wire/listen.ts";
import { answer, type LocalReply } from "./answer.ts";
import type { BodyLimits, ObservedExchange } from "./observed-exchange.ts";

/** Decides on requests before they are forwarded; their bodies are then read whole. */
export interface Screen {
  /** Bytes of a body beyond which its request passes, as it does beyond `maxBody`. */
  readonly maxBytes: number;
  /** A reply answers the request here. Never rejects. */
  readonly judge: (request: WireRequest) => Promise<LocalReply | undefined>;
  /** Called with a line that says why a request passes unjudged. */
  readonly onSkip: (why: string) => void;
}

/** Reads a request whole before it goes on, so that it can be refused. One beyond the bounds goes on unjudged. */
export function screened(
  req: IncomingMessage,
  res: ServerResponse,
  observed: ObservedExchange,
  { maxBytes, judge, onSkip }: Screen,
  limits: Readonly<BodyLimits>,
  go: (alreadyRead: readonly Uint8Array[]) => void,
): void {
  const pieces: Uint8Array[] = [];
  const maxBody = Math.min(maxBytes, limits.maxBody);
  let length = 0;
  if (req.headers.expect !== undefined) res.writeContinue();
  const take = (bytes: Uint8Array): void => {
    observed.requestBytes(bytes);
    pieces.push(bytes);
    length += bytes.length;
    if (length > maxBody) pass(`its body has more than ${maxBody} bytes`);
    else if (limits.left === 0) pass("the bodies of all requests together take too much memory");
  };
  const whole = (): void => {
    release();
    const { method = "", url = "", rawHeaders } = req;
    const request = { method, target: url, headers: pairsOf(rawHeaders), body: Buffer.concat(pieces) };
    void judge(request).then((reply) => (reply ? answer(req, res, reply, observed) : go(pieces)));
  };
  const pass = (why: string): void => {
    release();
    req.pause();
    onSkip(why);
    go(pieces);
  };
  const release = (): void => {
    req.off("data", take).off("end", whole);
  };
  req.on("data", take).on("end", whole);
  req.on("error", () => {});
}
