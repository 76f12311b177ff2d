/** Signs of what requests ask for and replies give, told by the members they hold: tables of an interface, for those who judge nothing. */
import type { Exchange, WireRequest } from "../wire/exchange.ts";

/** A name, and the member that shows it: a pattern over lines such as `messages/*\/role=developer` (see `memberPaths`). */
export type Sign = readonly [name: string, member: RegExp];

/** The features that requests ask of a target beyond plain text. */
export interface RequestSigns {
  /** Features that a target may lack, as recordings and `--lacks` name them. */
  readonly needs?: readonly Sign[];
  /** Features that the target of a request shows, its path and query. */
  readonly needsOfTarget?: readonly Sign[];
  /** How a request binds its model to use tools: parts of the need `tools` that a target may lack. */
  readonly toolChoices?: readonly Sign[];
  /** Members without which there is no request, and those that are features of their own by other signs. */
  readonly essential?: readonly string[];
  /** The member whose own members are options, too. */
  readonly settings?: string;
  /** Options that a request shows otherwise than by the name of a member. */
  readonly options?: readonly Sign[];
  /** A model of no known kind, which recordings ask for, so that probes ask for no other. */
  readonly plainModel?: string;
  /** Members that bound what a reply costs, whatever is left out of a request: without them it may be of any length. */
  readonly replyBounds?: readonly string[];
  /** Further members that nothing is left out of requests without: others name what they hold. */
  readonly referred?: readonly string[];
  readonly cost?: RequestCost;
  /** Places at which another value asks for another thing, as the place of a change: `/messages/0/content/1/type`. */
  readonly otherThings?: RegExp;
  readonly speltTwice?: SpeltTwice;
  /** Set where names may be spelt in snake_case as well: members whose own members clients name. */
  readonly namedByClients?: RegExp;
}

/** The cost of a request for a target that accepts it. */
export interface RequestCost {
  /** Needs of requests whose replies are worth nothing where they are cut; some targets refuse the request then. */
  readonly wholeFor?: readonly string[];
  /** The request with one reply asked for, of so many tokens, or as little as else may be; as it was where that says nothing. */
  readonly bounded: (exchange: Exchange, min: number, max: number) => Exchange;
  /** Whether it has several replies or images, a large or fine image, or a long text made. */
  readonly isCostly: (request: WireRequest) => boolean;
}

/** Names that a document writes in two spellings. */
export interface SpeltTwice {
  /** The clause that says so. */
  readonly clause: string;
  /** The names in snake_case, and those that change along with one of them, wherever they stand. */
  readonly names: ReadonlySet<string>;
  readonly along: Readonly<Record<string, string>>;
}

/** Members whose sums are the tokens that came in and went out, and where the value that holds them stands. */
export interface UsageCounts {
  readonly at: readonly (readonly string[])[];
  readonly input: readonly string[];
  readonly output: readonly string[];
}

/** An action of a model, in the words that say that it did not do it. */
export type ModelAction = "call the tool" | "meet the stop sequence" | "reach the token bound";

/** Signs in a reply of what its model did, and when. Plain data: it crosses to the thread that asks. */
export interface ActionSigns {
  /** Members in which replies hold the next deeper thing that may tell of an action. */
  readonly holders: readonly string[];
  /** Members that are a call, or list calls. */
  readonly calls?: readonly string[];
  /** The type of what is a call. */
  readonly callType?: string;
  /** The member that says why a reply ended, and the values that only such an action has. */
  readonly ending: string;
  readonly endings: Readonly<Record<string, ModelAction>>;
  /** The member that says when the reply was made, in seconds since 1970. */
  readonly created?: string;
}

/** Signs of what replies hold. A reply is JSON, or the data of one event of a stream. */
export interface ReplySigns {
  /** Members of which every whole reply holds one. */
  readonly members?: readonly string[];
  /** The parts of a reply besides plain text, as `schemas/features.json` names them. */
  readonly holds?: readonly Sign[];
  /** The calls of a reply, so that they can be told apart. */
  readonly calls?: (reply: unknown) => readonly unknown[];
  /** The member that lists alternatives. */
  readonly choices?: string;
  /** The member of a request that lists its messages, and what the last of them holds that hands back what a tool gave. */
  readonly answers?: { readonly messages: string; readonly toolResult: RegExp };
  /** Tells what its model did, which a recording may need it to do. */
  readonly actions?: ActionSigns;
  /** Whether a reply continues an answer that its request began. */
  readonly continues?: (asked: unknown, replies: readonly unknown[]) => boolean;
  /** The places of addresses that a reply hands out for its caller to fetch; `*` is every item of a list. */
  readonly addresses?: readonly string[];
  readonly usage?: UsageCounts;
  /** How many images a reply holds, where it counts no tokens. */
  readonly images?: (reply: unknown) => number | undefined;
  /** The feature that a reply with success ignored although its request asked for it. */
  readonly unmetNeed?: (request: WireRequest, replies: readonly unknown[]) => UnmetNeed | undefined;
}

/** One question in other forms. Each is undefined where a request has no such form. */
export interface RequestForms {
  /** The same question, answered as a stream; undefined where it asks for one already. */
  readonly streamed: (request: WireRequest) => WireRequest | undefined;
  /** The same question, answered as a whole; undefined where it asks for that already. */
  readonly whole: (request: WireRequest) => WireRequest | undefined;
  /** The same request with a word behind the last text of its user. */
  readonly withWord: (request: WireRequest, word: string) => WireRequest | undefined;
}

/** A need that a reply ignored. */
export interface UnmetNeed {
  readonly need: string;
  /** The clause that such a reply violates, where the need is offered. */
  readonly clause: string;
  /** The reading that decides between the two: its strict form keeps the violation. */
  readonly reading: string;
  /** The reply, as the end of `POST /v1/images/edits was answered with ...`. */
  readonly came: string;
}
