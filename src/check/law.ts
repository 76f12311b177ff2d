/** A law: a rule over several exchanges that belong together, such as those of one scenario. */
import type { Exchange } from "../wire/exchange.ts";
import type { FindingLevel } from "./clause.ts";
import type { ComparableReply } from "./comparable-reply.ts";
import type { Fault } from "./rule.ts";
import type { Subject } from "./subject.ts";

/** An exchange read, among those it belongs to. */
export interface Member {
  readonly subject: Subject;
  /** Its position in the source, as findings name it. */
  readonly position: number;
  /** Its reply and question in words of no interface, where its interface can say them. */
  readonly comparableReply: () => ComparableReply | undefined;
}

/** An exchange that is no operation of an interface, such as the fetch of an address that a reply handed out. */
export interface Fetched {
  readonly exchange: Exchange;
}

/** A fault of one of the exchanges, held against the others. */
export interface LawFault extends Fault {
  readonly of: Member;
}

/** A value that no other exchange of a session may have. Small, so that it can cross processes. */
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
  /** It looks at the exchanges of all interfaces, not of its own alone. */
  readonly across?: boolean;
  /** Whether these exchanges hold what the clause speaks about; only then it counts as exercised. */
  readonly applies: (members: readonly Member[], fetched: readonly Fetched[]) => boolean;
  /** Yields violations. Called only if `applies` returns true. */
  readonly check: (members: readonly Member[], fetched: readonly Fetched[]) => Iterable<LawFault>;
  /** A mutation: breaks good exchanges to which the law applies, so that exactly this clause fails; undefined where it cannot. */
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
