/** All that judging needs to know of an interface: its operations and its rules. Data and plain functions. */
import { cookieValue } from "../wire/cookies.ts";
import type { Answer } from "./answer.ts";
import type { Finding } from "./clause.ts";
import type { ComparableReply } from "./comparable-reply.ts";
import type { ReplySigns, RequestForms, RequestSigns } from "./interface-signs.ts";
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

/** The place of the key in requests. */
export interface KeyPlace {
  /** The documented header, in lower case; absent if the key is in the query or in a cookie. */
  readonly header?: string;
  /** The documented parameter of the query. */
  readonly query?: string;
  /** The documented cookie. */
  readonly cookie?: string;
  /** Headers in which clients send a key that the document puts elsewhere, likely ones first. */
  readonly otherHeaders?: readonly string[];
}

/** Returns the key of a request in one place, with its scheme; undefined if there is none. */
export function keyAt({ query, request, exchange }: Subject, place: KeyPlace): string | undefined {
  if (place.header !== undefined) return request.headers[place.header];
  return place.cookie === undefined ? query[place.query ?? ""] : cookieValue(exchange.request.headers, place.cookie);
}

/** The place of the model in requests. Plain data: it crosses to the thread that asks. */
export interface ModelPlace {
  /** JSON Pointer into the body. One of a single step names a field of a form as well. */
  readonly body?: string;
  /** For a model in the target of a request: what stands before it, and the model itself, as two groups. */
  readonly target?: RegExp;
}

/** The clauses of an interface on the key of a request, by their ids, for those who act on what became of it. */
export interface KeyClauses {
  /** Names of the operations that demand a key; all by default. */
  readonly operations?: readonly string[];
  /** Broken by requests that lack their key or carry it in another way. */
  readonly onRequests: readonly string[];
  /** Says how a request without a key is answered. */
  readonly missing?: string;
  /** Says how a key that nobody gave out is answered. */
  readonly unknown?: string;
  /** Says which scheme stands before the key. */
  readonly scheme?: string;
  /** Broken by every request to a target that takes its key elsewhere, though it may take it in both places. */
  readonly place?: string;
  /** Cookies of which one may carry the key. */
  readonly cookies?: readonly string[];
}

/** How clients find a service of an interface. */
export interface ClientSettings {
  /** The origin of the service that clients use unless told otherwise. */
  readonly service: string;
  /** Hosts of well-known services beside it; `*` stands for a part of a name. */
  readonly hosts?: readonly string[];
  /** The version its paths begin with: `/v1`. */
  readonly version: string;
  /** Variables of the environment that clients read a base URL from, each with the path that it has behind its origin. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** Variables that clients read a key from. */
  readonly keys: readonly string[];
  /** Variables that make clients use other credentials, or another service. */
  readonly conflicting?: readonly string[];
}

/** How code is run that a user brings, and how its failures are told. */
export interface OwnCode {
  /** Runs it for a bounded time, without ending the process or printing to standard output. */
  readonly run: <T>(work: () => T) => T;
  /**
   * Runs work that calls such code many times, in the time of one call: bounding a call costs more than most calls. Undefined if it
   * takes longer; the work is then to be done again, so that each call is bounded and the one that does not end is found.
   */
  readonly runWhole: <T>(work: () => T) => { readonly value: T } | undefined;
  /** @param what in words: `the rule on things.request.name-short` */
  readonly failure: (what: string, error: unknown) => string;
}

export interface Interface {
  readonly name: string;
  readonly document: string;
  readonly operations: readonly Operation[];
  /** Positions of the operations that a path may be of, where not all have to be tried. */
  readonly operationsAt?: ((path: string) => readonly number[]) | undefined;
  /** Whether the request asks for a stream. */
  readonly streams: (subject: Subject) => boolean;
  readonly rules: readonly Rule[];
  /** Rules over several exchanges. */
  readonly laws?: readonly Law[];
  /** A whole reply and its question, so that laws can compare interfaces; undefined for any other exchange. */
  readonly comparableReply?: (subject: Subject) => ComparableReply | undefined;
  /** The parts of a successful reply, for people who read it. */
  readonly replyParts?: (subject: Subject) => readonly ReplyPart[];
  /** Signs of what requests ask for, if there are any. */
  readonly requests?: RequestSigns;
  /** The forms in which a question may be asked; without them, it is asked as it was recorded. */
  readonly forms?: RequestForms;
  /** Signs of what replies hold, if there are any. */
  readonly replies?: ReplySigns;
  /** Whether the document names the status of a refused request. */
  readonly namesRefusals?: true;
  /** The place of the key in requests; without it, requests stay as they were recorded. */
  readonly key?: KeyPlace;
  /** Names of cookies that the document describes; others are never sent to a target. */
  readonly cookies?: readonly string[];
  /** The place of the model in requests; the member `model` of the body by default. */
  readonly model?: ModelPlace;
  /** How clients find a service; without it, nothing is known of them. */
  readonly client?: ClientSettings;
  /** Clauses on keys; without them no clause is about a key. */
  readonly keyClauses?: KeyClauses;
  /** Returns the JSON error body for a rejected request. */
  readonly refusalBody: (refusal: RefusalReason) => object;
  /** How the reference implementation answers; without it, as good exchanges were answered. */
  readonly answer?: Answer;
  /** Separates the name of an implementor from its own types: with `:`, an object of the type `acme:note` is an extension. */
  readonly extensions?: string;
  /** Set where its rules are code of a user's own. */
  readonly code?: OwnCode;
}

/** The interface of a name among several. */
export const interfaceNamed = (interfaces: readonly Interface[], name: string): Interface | undefined =>
  interfaces.find((one) => one.name === name);

/** The clauses on keys of several interfaces, put together. */
export function keyClausesOf(interfaces: readonly Pick<Interface, "keyClauses">[]): ReadonlySet<string> {
  return new Set(
    interfaces.flatMap(({ keyClauses: { onRequests = [], missing, unknown } = { onRequests: [] } }) => [
      ...onRequests,
      ...[missing, unknown].filter((one) => one !== undefined),
    ]),
  );
}
