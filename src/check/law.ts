/** A law: a rule over several exchanges that belong together, such as those of one scenario. */
import type { Exchange } from "../wire/exchange.ts";
import type { FindingLevel } from "./clause.ts";
import type { ComparableReply } from "./comparable-reply.ts";
import type { Fault } from "./rule.ts";
import type { Subject } from "./subject.ts";

/** A parsed exchange of a group. */
export interface Member {
  readonly subject: Subject;
  /** Position in the source, used in findings. */
  readonly position: number;
  /** The request and response without details of the interface, if the interface supports this. */
  readonly comparableReply: () => ComparableReply | undefined;
}

/** An exchange outside of all interfaces, such as the download of an image URL. */
export interface Fetched {
  readonly exchange: Exchange;
}

/** A violation by one of the exchanges. */
export interface LawFault extends Fault {
  readonly of: Member;
}

/** A value that is unique in a session. It is sent between processes, so it is small. */
export interface SessionValue extends Omit<Fault, "expected" | "hint"> {
  readonly clause: string;
  readonly pointer: string;
  readonly operation: string;
  /** Digest of the operation and the value. */
  readonly digest: string;
  /** Digests of the exchange: the same request is a retry, and a response with the same texts is a replay. */
  readonly request: string;
  readonly response: string;
}

/** A value and the level of a violation. */
export type GradedValue = SessionValue & { readonly level: FindingLevel };

export interface Law {
  readonly clause: string;
  /** Whether the law applies to exchanges of all interfaces. */
  readonly across?: boolean;
  /** Whether the clause applies to these exchanges. Only then it counts as exercised. */
  readonly applies: (members: readonly Member[], fetched: readonly Fetched[]) => boolean;
  /** Yields violations. Called only if `applies` returns true. */
  readonly check: (members: readonly Member[], fetched: readonly Fetched[]) => Iterable<LawFault>;
  /** Changes valid exchanges so that exactly this clause fails. Returns undefined if it cannot. */
  readonly spoil: (exchanges: readonly Exchange[]) => readonly Exchange[] | undefined;
  /** Set for laws that need only a few values of each exchange: recordings of any length are judged by them. */
  readonly session?: {
    readonly valuesOf: (subject: Subject) => readonly SessionValue[];
    /** Changes the values of an exchange to others, by a number. */
    readonly renew: (exchange: Exchange, number: number) => Exchange;
  };
}

/** How findings name another exchange of the same source. */
export const nameOf = ({ position }: Member): string => `exchange ${position}`;
