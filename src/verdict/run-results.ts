/** The outward shape of a run: what `run --format json` prints and `results.json` holds, beside what every judged document does. */
import type { Level } from "../check/clause.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import type { Bindings } from "../check/names.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import type { Admission, ExpectationsOutcome, Shard, Upstream, Verdict, VerdictDocument } from "./document.ts";
import type { Spread } from "./stream-spread.ts";

/** A request that got no answer a clause could speak about. */
export interface Incident {
  readonly source: string;
  readonly exchange: number;
  readonly interface: string;
  readonly operation: string;
  /**
   * `refused`: status 3xx or 4xx, where success was recorded, or a reply that ignores what was asked for; `server-error`: 5xx; `unanswered`: no whole answer came, or none
   * that can be read; `absent`: the target knows no operation of the interface; `rate-limited`: it said "later" however often it
   * was asked, which fails nothing, and leaves the run incomplete.
   */
  readonly kind: "refused" | "server-error" | "unanswered" | "absent" | "rate-limited";
  /** Status of the answer; absent where none came. */
  readonly status?: number;
  /** One sentence: what came, and what was recorded. */
  readonly problem: string;
  /** The features that the cassette needs of a target: one of these may be what the target lacks. */
  readonly needs: readonly string[];
  /** Optional members of the request that the refusal names; absent where there are none. */
  readonly names?: readonly string[];
  /** The answer says that the target does not offer this: 404, 405, 501, "not supported", or what stands in its place. */
  readonly notOffered?: true;
  /**
   * The explanation for it, so that it fails nothing: the target does not offer a feature, a need or a member of requests of
   * the interface as `messages/tools`, or the whole interface.
   */
  readonly explainedBy?: string;
  readonly expected?: Admission;
  /** How the same request stands in the baseline; absent where there is none. */
  readonly upstream?: Upstream;
}

/** A probe that was never answered: the server may have crashed on it, or hangs. It decides nothing and fails nothing, and is a warning. */
export interface UnansweredRequest extends ExchangePlace {
  readonly interface: string;
  /** Method and path. */
  readonly operation: string;
  /** How the last try ended: `the connection was reset`. */
  readonly problem: string;
  /** How often it was sent, if more than once. */
  readonly tries?: number;
}

/** The signs in one answer to a recording, whatever its clauses came to: features are made of it. */
export interface AnswerSigns extends ExchangePlace {
  readonly interface: string;
  /** Method and path; absent in results of earlier versions. */
  readonly operation?: string;
  readonly status: number;
  /** The features that the request needs of a target. */
  readonly asks: readonly string[];
  /** Optional members that the request holds; absent where there are none. */
  readonly members?: readonly string[];
  /** The parts of the reply: `text`, `call`, `thinking`, ...; sorted. */
  readonly holds: readonly string[];
  /** Tokens that it says came in; absent where it does not say. */
  readonly inputTokens?: number;
  /** It is a stream that ends in an error event, or an error object with success. */
  readonly isError?: true;
  /** The clauses that it violates, each once; absent where there are none. */
  readonly violates?: readonly Violated[];
}

/** A clause that an answer violates. */
export interface Violated {
  readonly clause: string;
  /** Whether only notes say so. */
  readonly isNote: boolean;
  /** The kinds of value in place of what the clause wants; sorted. */
  readonly kinds: readonly string[];
  /** In which events of a stream, of those that could violate it; sorted, and absent where it speaks of no single events. */
  readonly spread?: readonly Spread[];
}

/** One cassette of a plan. */
export interface PlannedCassette {
  readonly source: string;
  readonly interface: string;
  readonly section: string;
  readonly exchanges: number;
  /** The features that a target must offer for it; absent if there are none. */
  readonly needs?: readonly string[];
  /** The feature that the target lacks for it; it was then not to be sent. */
  readonly skipped?: string;
}

/** Probes of one interface: requests made from its clauses. */
export interface PlannedProbes {
  readonly interface: string;
  readonly requests: number;
  /** Those that a target should accept, and may charge for. */
  readonly paid: number;
}

export interface Plan {
  /** The filters it was made with, as given; empty lists filter nothing. */
  readonly interfaces: readonly string[];
  readonly sections: readonly string[];
  readonly clauses: readonly string[];
  /** Sources of recordings and of groups of probes that were named one by one; absent where none were. */
  readonly scenarios?: readonly string[];
  readonly lacks: readonly string[];
  /** The most requests that may be sent; null without a bound. */
  readonly limit: number | null;
  readonly cassettes: readonly PlannedCassette[];
  /** Requests of recordings that are to be sent. */
  readonly exchanges: number;
  /** Those made from clauses, in addition; absent where none are. */
  readonly probes?: readonly PlannedProbes[];
  /** The features that the target lacks, to the clauses whose probes all ask for them, and are not sent; absent if there are none. */
  readonly lackedProbes?: Readonly<Record<string, readonly string[]>>;
}

/** How an interface of a target is reached: what differs from its document. */
export interface EndpointOverride {
  /** Base URL, in place of the target's. */
  readonly base?: string;
  /** The version in place of `/v1` or `/v1beta` at the beginning of a path. */
  readonly version?: string;
  /** Header that takes the key: `authorization` behind `Bearer`, any other bare. */
  readonly keyHeader?: string;
}

/** How rules on requests are reported if a target accepts their violation. */
export type Enforcement = "off" | "warning" | "error";

/** The settings that results depend on besides plan, exchanges and catalogue: all that judging them again needs. Without credentials. */
export interface RunSettings {
  /** The least level that fails a clause. */
  readonly level: Level;
  /** The weight of accepted violations of rules on requests. `off`: reports do not mention them; absent: they are `unenforced`. */
  readonly enforcement?: Enforcement;
  /** As `--reading` has them. */
  readonly readings: readonly string[];
  /** The name of one that ships with touchstone, or what the file says; null without one. */
  readonly preset: string | object | null;
  /** The bindings of target file and `--bind`, in layers; later ones win. */
  readonly bindings: readonly Bindings[];
  /** The target's model ids, as a target file has them. */
  readonly models: Readonly<Record<string, string>>;
  /** Headers that were sent with every request; a credential is the variable that stands for it in commands. */
  readonly headers: HeaderPairs;
  /** Interfaces whose key was known, and the variable that stands for it in commands: `$TOUCHSTONE_KEY`; `*` is that of all others. */
  readonly keys: Readonly<Record<string, string>>;
  /** Variables of `keys` that no environment has, since the key itself was given; absent where there are none. */
  readonly unsetKeys?: readonly string[];
  /** How interfaces are reached, as first questions showed, where that is not as documented. */
  readonly ways: Readonly<Record<string, EndpointOverride>>;
  /** How often a request was sent again whose answer lacked what takes a model that plays along. */
  readonly again: number;
  /** Requests made from clauses: `cheap`, `all`, or none. */
  readonly probes: "cheap" | "all" | false;
  /** Whether recordings of one's own were sent, and not those that ship with touchstone. */
  readonly ownRecordings: boolean;
  /** The day for which expectations were read, `YYYY-MM-DD`. */
  readonly today: string;
  /** How the run was started, for the commands that start it again. No verdict depends on it. Absent in results of earlier versions. */
  readonly started?: StartedFrom;
}

/** The options that a command needs to repeat a run, beside those of `RunSettings`. Paths are as they were given. */
export interface StartedFrom {
  /** The target file; absent where an address was given. */
  readonly targetFile?: string;
  /** Options that were given beside a target file, by their names in `RunOptions`; absent without such a file. */
  readonly beside?: readonly string[];
  /** `--documents`, unless the target file names them. */
  readonly documents?: readonly string[];
  /** `--allow-code`, with a target file. */
  readonly allowCode?: true;
  /** `--recordings`, where it is no folder of touchstone. */
  readonly recordings?: string;
  readonly insecure?: true;
  /** `--timeout`, in seconds. */
  readonly timeout?: number;
}

/** Whether a target can do something, as far as it was asked. */
export interface FeatureOutcome {
  /** `<interface>/<name>`. */
  readonly name: string;
  readonly outcome: "works" | "works, with faults" | "broken" | "not offered" | "not shown";
  /** Clauses that were violated, and recordings that were not answered; sorted. */
  readonly faults: readonly string[];
  /** Why, in one phrase. */
  readonly why: string;
  /** The exchange that decided it, with the clause where one did; absent where no exchange did. */
  readonly decidedBy?: ExchangePlace & { readonly clause?: string };
}

/** Whether a client can be used with a target. */
export interface ClientOutcome {
  readonly name: string;
  readonly package: string;
  /** The version that was used, or whose behaviour is known. */
  readonly version: string;
  /** `seen`: the client itself used the target; `predicted`: it follows from clauses that the client cannot do without. */
  readonly by: "seen" | "predicted";
  readonly outcome: "served" | "served, with faults" | "not served" | "not shown";
  /** Features, clauses and scenarios, each with what is the matter. */
  readonly because: readonly string[];
  /** The outcome that would have been predicted for a client that was seen. */
  readonly predicted?: ClientOutcome["outcome"];
}

/** The result of sending a failure again. No verdict depends on it, and no exchange of the run shows it. */
export interface Recheck {
  /** The failing clause; absent if the request was not answered as recorded, as `problem` says. */
  readonly clause?: string;
  readonly problem?: string;
  readonly source: string;
  readonly exchange: number;
  /** How often it was asked in all, and how often it failed: fewer is a failure that comes and goes. */
  readonly asked: number;
  readonly failed: number;
  /** The smallest request that broke no rule of its own and failed alike; absent where none smaller did. */
  readonly smallest?: {
    readonly curl: string;
    /** Bytes of its body, and of the recorded one. */
    readonly bytes: number;
    readonly from: number;
    /** Requests that it took. */
    readonly requests: number;
  };
}

/** The experience of an official client that was driven through a target. */
export interface ClientTrial {
  readonly client: string;
  readonly scenario: string;
  readonly outcome:
    | "fine"
    | "throws"
    | "drops"
    | "mixes"
    | "waits"
    | "asks again"
    | "refused"
    | "not shown"
    | "not installed";
  /** One line; empty where all is well. */
  readonly detail: string;
  /** Version of the package that was used; absent where it is not installed. */
  readonly version?: string;
}

/** The results of another run with which a run is compared: those of the upstream behind its target. */
export interface Baseline {
  /** Whether results were given, or the upstream was sent the same requests by this run. */
  readonly kind: "results" | "target";
  /** The name that the upstream's owner gives it; absent if nobody named it. */
  readonly name?: string;
  /** Base URL of the upstream; null for the embedded reference implementation. */
  readonly url: string | null;
  /** When it was asked, ISO 8601; absent where nothing says it. */
  readonly started?: string;
  /** SHA-256 of its `results.json`; of several where shards were compared with results of their own. */
  readonly sha256: readonly string[];
  /** Recordings that it was sent; sorted. */
  readonly recordings: readonly string[];
  readonly probes: readonly PlannedProbes[];
  /** Clauses that it was shown to keep; sorted. */
  readonly passes: readonly string[];
  /** Clauses that it violates; sorted by id. */
  readonly violates: readonly BaselineClause[];
  /** Requests that it did not answer as recorded. */
  readonly incidents: readonly Pick<Incident, "source" | "exchange" | "kind" | "explainedBy">[];
  /** Clients that it does not serve; absent where shards were compared with results of their own. */
  readonly unserved?: readonly Pick<ClientOutcome, "name" | "because">[];
}

/** A clause that the baseline violates. */
export interface BaselineClause {
  readonly id: string;
  readonly verdict: Verdict & ("fail" | "warning");
  /** Recordings and groups of probes in which it does; sorted. */
  readonly sources: readonly string[];
  /** There are more of them than results list. */
  readonly isListedInPart?: true;
}

/** The output of `run --format json`, and the content of `results.json`. */
export interface RunResults extends VerdictDocument {
  readonly target: {
    readonly kind: "reference" | "url";
    /** The name that its owner gives it; absent if nobody named it. */
    readonly name?: string;
    /** Base URL without credentials; null for the embedded reference implementation. */
    readonly url: string | null;
    /** Neutral names to what they are called there, as far as bound. */
    readonly bindings: Readonly<Record<string, string | readonly string[]>>;
  };
  readonly plan: Plan;
  readonly shard: Shard | null;
  readonly options: RunSettings;
  readonly incidents: readonly Incident[];
  /** Probes that were never answered; by source and exchange. Absent if there are none. */
  readonly unanswered?: readonly UnansweredRequest[];
  /** Answers to recordings, as far as they are no incidents; by source and exchange. Absent in results of earlier versions. */
  readonly answers?: readonly AnswerSigns[];
  readonly expectations: ExpectationsOutcome | null;
  /** How to send again what a finding or an incident is about; credentials stand as environment variables. */
  readonly reproduce: readonly { readonly source: string; readonly exchange: number; readonly curl: string }[];
  readonly versions: { readonly touchstone: string; readonly node: string };
  /** Document name to the SHA-256 of the clauses and schemas that restate it. */
  readonly documents: Readonly<Record<string, string>>;
  /** The features of the target; absent only as long as nobody has looked. */
  readonly features?: readonly FeatureOutcome[];
  readonly clients?: readonly ClientOutcome[];
  /** The experience of the official clients; only if they were driven through it. */
  readonly trials?: readonly ClientTrial[];
  /** The results of sending failures again; by source and exchange; absent if nothing was sent again. */
  readonly again?: readonly Recheck[];
  /** The problem, if the target could not be reached any more, and the requests that were in flight. The results are then incomplete. */
  readonly lost?: {
    readonly problem: string;
    readonly inFlight: readonly ExchangePlace[];
    /** The request that stops the target when sent alone; absent if unknown. */
    readonly endedBy?: ExchangePlace;
    /** Set if the target restarted and answered each of them when sent alone. */
    readonly survived?: true;
  };
  /** What the run was compared with; absent if it was compared with nothing. */
  readonly baseline?: Baseline;
}
