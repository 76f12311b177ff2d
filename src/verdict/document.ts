/** The outward shapes of judging, whatever was judged: clauses, findings, expectations, and what `check --format json` prints. */
import type { Finding } from "../check/clause.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import type { GroupCount } from "../check/groups.ts";

/**
 * One clause's outcome over all evidence. `warning`: violated, but at warning level only, which is no pass. `unenforced`: a rule on
 * requests whose violation the target accepts, and nothing worse; it counts in no headline.
 */
export type Verdict = "pass" | "warning" | "fail" | "unenforced" | "untested" | "skipped" | "no-verdict" | "broken";

export interface ClauseVerdict {
  readonly id: string;
  readonly verdict: Verdict;
  /** Exchanges that held what the clause speaks about. */
  readonly exercised: number;
  /** Exchanges in which it failed. */
  readonly failed: number;
  /** Exchanges that did not fail it and violated it at warning level; absent where there are none. */
  readonly warned?: number;
  /** Exchanges in which the target accepted its violation, and nothing worse came; absent where there are none. */
  readonly unenforced?: number;
  /** The first exchange of a run that showed it, where it passed. */
  readonly shownIn?: ExchangePlace;
  /** The evidence that would decide it, the reason why it was skipped, or how we failed; sorted; absent if there is nothing to say. */
  readonly needs?: readonly string[];
  /** The target admits to this failure. */
  readonly expected?: Admission;
  /** How well-known services fail it, too: one sentence, where the preset tells. */
  readonly diverges?: string;
  /** How the same stands in the baseline; only of a clause that is violated, and only where there is a baseline. */
  readonly upstream?: Upstream;
}

/** How a violation, or a request that was not answered as recorded, stands in the baseline. */
export interface Upstream {
  /**
   * `fails`: the same fails there for the same requests; `differs`: it fails there too, but for other requests or in another way;
   * `passes`: it does not fail there; `not-shown`: nothing there shows it.
   */
  readonly outcome: "fails" | "differs" | "passes" | "not-shown";
  /** The first recordings and groups of probes where it fails here and not there; absent where there are none. */
  readonly onlyIn?: readonly string[];
}

/** Why a failure is expected. */
export interface Admission {
  readonly reason: string;
  readonly ticket?: string;
  /** Last day on which the entry counts, `YYYY-MM-DD`. */
  readonly expires?: string;
}

export interface Summary {
  readonly exchanges: number;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Exchanges of which at least a part was not judged. */
  readonly unjudged: number;
}

/** All findings that differ only in positions in lists and streams. */
export interface Group extends GroupCount {
  /** Exchanges that have one. */
  readonly exchanges: number;
  /** Positions in `findings` of the first of them. */
  readonly first: readonly number[];
  /** How well-known services do the same: one sentence, where the preset tells. */
  readonly diverges?: string;
}

/** An exchange of which at least a part was not judged. */
export interface Unjudged {
  readonly source: string;
  readonly exchange: number;
  /** Method and path of the operation; null where none was recognised. */
  readonly operation: string | null;
  /** `too much to judge`, or how judging ended. */
  readonly why: string;
}

/** Neutral names to what messages call them. */
export type InferredNames = Readonly<Record<string, readonly string[]>>;

export interface VerdictDocument {
  /** False in whatever a killed run leaves behind. */
  readonly complete: boolean;
  readonly summary: Summary;
  /**
   * In the order of sources, exchanges and places. They are a hundred of a group and the first of a hundred further exchanges,
   * but at least one of every exchange with an error.
   */
  readonly findings: readonly Finding[];
  /** All findings, listed or not; sorted by clause, level and place. */
  readonly groups: readonly Group[];
  /** The first hundred, in order. */
  readonly unjudged: readonly Unjudged[];
  /** Sorted by id. */
  readonly clauses: readonly ClauseVerdict[];
  /** Vendors' names that messages carried and nobody bound, by the neutral name they count as; sorted; absent where there are none. */
  readonly inferred?: InferredNames;
  /** Absent, or null, where nobody admits to failures. */
  readonly expectations?: ExpectationsOutcome | null;
}

/** Exchanges of one operation, or of one path that no operation owns. */
export interface OperationCount {
  /** Method and path. */
  readonly operation: string;
  readonly exchanges: number;
  /** Whether an operation of the documents owns it. */
  readonly known: boolean;
}

/** The output of `check --format json`. */
export interface CheckDocument extends VerdictDocument {
  readonly operations: readonly OperationCount[];
  /** The part of the recordings that was judged, if `--shard` asked for one. Exchanges then count from where it begins. */
  readonly shard?: CheckShard;
}

/** One of several parts of a whole. */
export interface Shard {
  /** 1-based. */
  readonly index: number;
  readonly of: number;
}

/** A place in a list of recordings: a file by its position, and bytes of it. */
export interface SourcePosition {
  readonly file: number;
  readonly at: number;
}

/** One part of a check. */
export interface CheckShard extends Shard {
  /** Recordings in all, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  readonly from: SourcePosition;
  /** Exclusive: where the next part begins. */
  readonly to: SourcePosition;
  /** The recording in which it begins and ends, where that is within one; null where it is between two. */
  readonly first: string | null;
  readonly last: string | null;
  /** Exchanges that it judged of `last`; 0 where that is null. */
  readonly exchanges: number;
  /** Exchanges at which judging itself failed. */
  readonly broken: number;
  /** SHA-256 of the catalogue and of how it judged. */
  readonly settings: string;
}

/**
 * A failure a target admits to: a clause that fails, everywhere or in one cassette alone, or a cassette it does not answer. A
 * cassette is what findings call their source: a recording, or a group of probes.
 */
export type Expectation = Admission &
  ({ readonly clause: string; readonly cassette?: string } | { readonly cassette: string; readonly clause?: never });

/** Exchanges of one cassette that held what a clause speaks about, and in which it failed. */
export interface SeenIn {
  readonly clause: string;
  readonly cassette: string;
  readonly exercised: number;
  readonly failed: number;
  readonly warned: number;
  /** Absent where there are none. */
  readonly unenforced?: number;
}

export interface ExpectationsOutcome {
  readonly entries: readonly Expectation[];
  /** Names of entries whose failure did not happen although it was looked for: they fail the run. */
  readonly stale: readonly string[];
  /** Names of entries past their day: they excuse nothing any more. */
  readonly expired: readonly string[];
  /** Names of entries whose reason is still to be written: they excuse nothing yet. */
  readonly unreasoned: readonly string[];
  /** Names of entries about which nothing was learned. */
  readonly unobserved: readonly string[];
  /** The failures of clauses in the cassettes that entries name them in. */
  readonly seen: readonly SeenIn[];
}
