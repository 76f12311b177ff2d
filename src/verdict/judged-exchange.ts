/** One exchange and what was found in it, as reports show it. */
import type { Finding } from "../check/clause.ts";
import type { GroupCount } from "../check/groups.ts";
import type { GradedValue } from "../check/law.ts";

export interface JudgedExchange {
  /** `POST /v1/messages`, or method and path of what no operation owns. */
  readonly operation: string;
  /** Whether an operation of the documents owns it; what none owns is not judged. */
  readonly known: boolean;
  /** Method and path, without the query. */
  readonly asked: string;
  /** Null when no response came. */
  readonly status: number | null;
  /** When it began, in milliseconds since 1970. */
  readonly started?: number;
  /** Milliseconds, where a response came. */
  readonly time?: number;
  /** The side that broke it off. */
  readonly aborted?: "client" | "upstream";
  /** Those that a document may list. */
  readonly findings: readonly Finding[];
  /** All findings, counted. */
  readonly groups: readonly GroupCount[];
  /** Values that laws compare with those of other exchanges in the recording. */
  readonly session?: readonly GradedValue[];
  /** A header by which a vendor is known; on the first exchange of a batch that has one. */
  readonly vendorHeader?: string;
  /** Its recording may have dropped its credential, which nothing is held against (reading X-MASKED); on the first of a batch. */
  readonly keyless?: true;
  /** Why there is no verdict on some of it, or on all. */
  readonly unjudged?: string;
  /** The failure of judging itself: our fault, without words of the exchange. */
  readonly broken?: string;
}

/** A judged exchange and its place in its recording, from 0. */
export interface ListedExchange extends JudgedExchange {
  readonly exchange: number;
}
