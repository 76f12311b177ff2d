/** What judging needs to know of an interface: its operations and its rules. Data and plain functions. */
import type { Finding } from "./clause.ts";
import type { Law } from "./law.ts";
import type { Operation } from "./operation.ts";
import type { ReplyPart } from "./reply-parts.ts";
import type { Rule } from "./rule.ts";
import type { Subject } from "./subject.ts";

/** Why a request is refused. */
export interface RefusalReason {
  /** 401 where its credentials are at fault. */
  readonly status: 400 | 401;
  readonly message: string;
  /** The fault that the message speaks of. */
  readonly finding: Finding;
}

export interface Interface {
  readonly name: string;
  readonly document: string;
  readonly operations: readonly Operation[];
  /** Whether the request asks for a stream. */
  readonly streams: (subject: Subject) => boolean;
  readonly rules: readonly Rule[];
  /** Rules over several exchanges. */
  readonly laws?: readonly Law[];
  /** What a successful reply says, for people who read it. */
  readonly said?: (subject: Subject) => readonly ReplyPart[];
  /** The JSON body with which a request is refused for what was found in it. */
  readonly refusalBody: (refusal: RefusalReason) => object;
}
