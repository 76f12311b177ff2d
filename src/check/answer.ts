/** What an implementation of an interface is handed, and what it makes of it. */
import type { WireRequest } from "../wire/exchange.ts";
import type { Reply } from "../wire/listen.ts";
import type { Finding } from "./clause.ts";
import type { Subject } from "./subject.ts";

export interface IncomingRequest {
  readonly request: WireRequest;
  /** The request as checks see it; undefined for a path that is no operation, e.g. an image's url. */
  readonly subject: Subject | undefined;
  /** Error-level findings on the request; a conformant server refuses it. */
  readonly faults: readonly Finding[];
  /** `http://HOST:PORT` under which this server is reached, for links. */
  readonly base: string;
}

/** Answers requests of one interface; undefined for those of others. */
export type Answer = (asked: IncomingRequest) => Reply | undefined;
