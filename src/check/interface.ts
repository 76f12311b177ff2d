/** Description of an interface: its operations, its rules and the settings of its clients. Data and plain functions. */
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

/** Reason for rejecting a request. */
export interface RefusalReason {
  /** 401 for invalid credentials, 400 for all other violations. */
  readonly status: 400 | 401;
  readonly message: string;
  /** The violation that the message describes. */
  readonly finding: Finding;
}

/** Location of the key in requests. */
export interface KeyPlace {
  /** Name of the documented header, in lower case. Absent if the key is in the query or in a cookie. */
  readonly header?: string;
  /** Name of the documented query parameter. */
  readonly query?: string;
  /** Name of the documented cookie. */
  readonly cookie?: string;
  /** Undocumented headers that clients may use for the key, in lower case. The most likely one is first. */
  readonly otherHeaders?: readonly string[];
}

/** Returns the key of a request, including its scheme. Returns undefined if `place` contains no key. */
export function keyAt({ query, request, exchange }: Subject, place: KeyPlace): string | undefined {
  if (place.header !== undefined) return request.headers[place.header];
  return place.cookie === undefined ? query[place.query ?? ""] : cookieValue(exchange.request.headers, place.cookie);
}

/** Location of the model in requests. Plain data, because it is sent to worker threads. */
export interface ModelPlace {
  /** JSON Pointer into the body. A pointer with a single token is also the name of a form field. */
  readonly body?: string;
  /** Matches request targets that contain the model. Group 1 is the text before the model, group 2 the model. */
  readonly target?: RegExp;
}

/** Ids of the clauses about the key of a request. Probes, smoke tests and the reference server use them. */
export interface KeyClauses {
  /** Names of the operations that require a key. Default: all operations. */
  readonly operations?: readonly string[];
  /** Clauses that a request violates if its key is missing, misplaced or malformed. */
  readonly onRequests: readonly string[];
  /** Clause on the response to a request without a key. */
  readonly missing?: string;
  /** Clause on the response to a request with an invalid key. */
  readonly unknown?: string;
  /** Clause on the scheme before the key, such as `Bearer`. */
  readonly scheme?: string;
  /**
   * Clause on the place of the key. Requests to a target with another key place always violate it, although the target may accept
   * both places.
   */
  readonly place?: string;
  /** Names of the cookies that can contain the key. */
  readonly cookies?: readonly string[];
}

/** Settings that clients use to reach a service of the interface. */
export interface ClientSettings {
  /** Origin of the service that clients use by default. */
  readonly service: string;
  /** Hosts of other well-known services. `*` matches a part of a name. */
  readonly hosts?: readonly string[];
  /** Version prefix of the paths, e.g. `/v1`. */
  readonly version: string;
  /** Environment variables that contain a base URL, each with the path of this URL, e.g. `/v1`. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** Environment variables that contain a key. */
  readonly keys: readonly string[];
  /** Environment variables that make clients use other credentials or another service. */
  readonly conflicting?: readonly string[];
}

/** Runs code of a user and describes its errors. */
export interface OwnCode {
  /** Calls `work` with a time limit. The code cannot end the process or print to standard output. */
  readonly run: <T>(work: () => T) => T;
  /**
   * Runs work that calls user code many times, under the time limit of a single call: limiting a call costs more than most calls.
   * Returns undefined if the work exceeds the limit. The caller then repeats the work with a limit on each call, to find the
   * call that does not end.
   */
  readonly runWhole: <T>(work: () => T) => { readonly value: T } | undefined;
  /** Returns the error message. @param what name of the failed part: `the rule on things.request.name-short` */
  readonly failure: (what: string, error: unknown) => string;
}

export interface Interface {
  readonly name: string;
  readonly document: string;
  readonly operations: readonly Operation[];
  /** Returns the indexes of the operations that may match a path. If absent, all operations are tried. */
  readonly operationsAt?: ((path: string) => readonly number[]) | undefined;
  /** Whether the request demands a streamed response. */
  readonly streams: (subject: Subject) => boolean;
  readonly rules: readonly Rule[];
  /** Rules about several exchanges. */
  readonly laws?: readonly Law[];
  /** Returns the request and its complete reply in terms common to all interfaces. Returns undefined for other exchanges. */
  readonly comparableReply?: (subject: Subject) => ComparableReply | undefined;
  /** Returns the parts of a successful reply for display. */
  readonly replyParts?: (subject: Subject) => readonly ReplyPart[];
  /** Patterns that recognize the features of requests. */
  readonly requests?: RequestSigns;
  /** Conversions of requests to other forms, such as streamed. If absent, requests are sent only as recorded. */
  readonly forms?: RequestForms;
  /** Patterns that recognize the content of replies. */
  readonly replies?: ReplySigns;
  /** Set if the document specifies the status of rejected requests. */
  readonly namesRefusals?: true;
  /** Location of the key in requests. If absent, keys stay where they were recorded. */
  readonly key?: KeyPlace;
  /** Names of the documented cookies. No other cookies are sent to a target. */
  readonly cookies?: readonly string[];
  /** Location of the model in requests. Default: the member `model` of the body. */
  readonly model?: ModelPlace;
  /** Settings of clients. Absent if unknown. */
  readonly client?: ClientSettings;
  /** Ids of the clauses about keys. Absent if there are none. */
  readonly keyClauses?: KeyClauses;
  /** Returns the JSON error body for a rejected request. */
  readonly refusalBody: (refusal: RefusalReason) => object;
  /** Reference implementation. If absent, responses of valid exchanges are served. */
  readonly answer?: Answer;
  /** Separator between the name of an implementor and a type: with `:`, an object of the type `acme:note` is an extension. */
  readonly extensions?: string;
  /** Set if the rules are code of a user. */
  readonly code?: OwnCode;
}

/** Returns the interface with this name. */
export const interfaceNamed = (interfaces: readonly Interface[], name: string): Interface | undefined =>
  interfaces.find((one) => one.name === name);

/** Returns the ids of the clauses about keys in all `interfaces`. */
export function keyClausesOf(interfaces: readonly Pick<Interface, "keyClauses">[]): ReadonlySet<string> {
  return new Set(
    interfaces.flatMap(({ keyClauses: { onRequests = [], missing, unknown } = { onRequests: [] } }) => [
      ...onRequests,
      ...[missing, unknown].filter((one) => one !== undefined),
    ]),
  );
}
