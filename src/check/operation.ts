/** An operation of an interface as judging knows it: its path, its schemas by place, how its JSON is spelt. */
import type { FormPart } from "../wire/multipart.ts";
import type { Budget } from "./budget.ts";
import type { Grade, Side } from "./clause.ts";

/** A member that was written under another name than the document's own. */
export interface Alias {
  /** Its place, as sent. */
  readonly pointer: string;
  readonly name: string;
  readonly camel: string;
  /** Whether its object carries the camelCase name too, which then counts. */
  readonly both: boolean;
}

/** How a JSON text's spelling differs from the document's own. */
export interface Spelling {
  readonly aliases: readonly Alias[];
  /** Places, as sent, at which a single object stands for a list of one. */
  readonly singles: readonly string[];
}

/** JSON as read, with the pointer each renamed member had in the original. Rules see the canonical spelling alone. */
export interface Canonical {
  readonly value: unknown;
  /** From a canonical pointer to the one as sent, which it leaves as it is. */
  readonly original: (pointer: string) => string;
  /** Undefined where it is the document's own. */
  readonly spelling?: Spelling;
}

/** How what stands at one place of a message stands for the values of parameters, which a schema judges. */
export interface ParameterReading<Sent> {
  /** Their values by name. @param isWhole whether what is not there was not sent either; true where it is left out */
  readonly read: (sent: Sent, isWhole?: boolean) => Readonly<Record<string, unknown>>;
  /** What stands for other values; undefined where nothing does. @param before what the rest is taken from */
  readonly write: (values: Readonly<Record<string, unknown>>, before: Sent) => Sent | undefined;
  /** Whether the text of a parameter can stay in a recording. The document has to describe it so narrowly that it holds no secret. */
  readonly isOpen: (name: string, text: string) => boolean;
}

/** How the parameters of a request are read, by place. */
export interface ParameterReadings {
  /** The path of the request, without its query. */
  readonly path?: ParameterReading<string>;
  /** The query as it was sent, without its question mark. */
  readonly query?: ParameterReading<string>;
  /** Texts by lower-case name; cookies are the members of `cookie`. */
  readonly headers?: ParameterReading<Readonly<Record<string, string>>>;
  /** The same for the text of a cookie; undefined for cookies that are not described. */
  readonly openCookies?: (name: string, text: string) => boolean | undefined;
}

/** The media types of forms. */
export type FormType = "multipart/form-data" | "application/x-www-form-urlencoded";

/** How the parts of a form stand for an object of values, which a schema judges. */
export interface FormReading {
  readonly schema: string;
  readonly read: (parts: readonly FormPart[]) => Readonly<Record<string, unknown>>;
  /** The parts that stand for values. @param before parts whose files stand for files among the values */
  readonly write: (values: Readonly<Record<string, unknown>>, before?: readonly FormPart[]) => readonly FormPart[];
}

/** How texts of headers stand for values, which a schema judges. */
export interface HeaderReading extends ParameterReading<Readonly<Record<string, string>>> {
  readonly schema: string;
}

export interface Operation {
  /** Method and path as the document writes them: `POST /v1/chat/completions`. */
  readonly name: string;
  readonly method: string;
  /**
   * The position at which the operation's own path begins in a path without query, whatever stands before it, e.g. a gateway's
   * prefix; -1 in paths of others. Asked for every request that passes, so that it takes time linear in the path.
   */
  readonly at: (path: string) => number;
  /** Whether it is for requests with this query, where a document tells operations of one path apart by it. */
  readonly takes?: (query: URLSearchParams) => boolean;
  /**
   * The operation of requests with another method at its path, by that method; undefined for those that belong to none. Without
   * this function they belong to this operation, which then demands its method.
   */
  readonly withMethod?: (method: string) => Operation | undefined;
  /** How its parameters are read; without it each is its first text, and those of the path are not judged. */
  readonly parameters?: ParameterReadings;
  /** Forms whose parts are read as values; those of `schemas.form` are lists of texts and files. */
  readonly forms?: Readonly<Partial<Record<FormType, FormReading>>>;
  /** How the headers of a reply with this status are judged; undefined where nothing is said of them. */
  readonly replyHeaders?: (status: number) => HeaderReading | undefined;
  readonly schemas: {
    /** Request headers: an object of lower-case (neutral) names to values. */
    readonly headers?: string;
    readonly query?: string;
    /** Parameters in the path, by name. */
    readonly path?: string;
    readonly request?: string;
    /** Multipart fields: name to an array of texts and `{ file }` objects (see `formValue`). */
    readonly form?: string;
    /** Body of a successful whole reply; a function where the body itself or the status decides. */
    readonly response?: string | ((body: unknown, status: number) => string | undefined);
    /** Data of one stream event; undefined leaves an event unjudged. @param name what its `event:` line says */
    readonly event?: string | ((data: unknown, name: string | undefined) => string | undefined);
    /** Body of a failed reply; a function where its status decides. */
    readonly error?: string | ((status: number) => string | undefined);
  };
  /** The schemas among these that describe what clients make up, such as JSON schemas of their own: all of it is content, no structure. */
  readonly ofClients?: readonly string[];
  /** The parts that an event's data brings, in the document's words: the order of a stream is the order in which these come. */
  readonly brings?: (data: unknown) => readonly string[];
  /** The texts in an event's data that come in any number of pieces; two of them may well be equal. */
  readonly pieces?: (data: unknown) => readonly string[];
  /** Whether its document describes JSON lines: each line of a response of such a media type is an event. */
  readonly lines?: boolean;
  /** Data that ends a stream and is not JSON, e.g. `[DONE]`. */
  readonly terminator?: string;
  /** Event data that reports an error in mid-stream (reading X-STREAM-ERROR): not judged as an ordinary event. */
  readonly isStreamError?: (data: unknown) => boolean;
  /** Whether its document describes a member `error` of successful replies, whole or streamed: it is then no sign of a failure. */
  readonly describesError?: () => boolean;
  /** Reads JSON in every spelling the document allows as one: request bodies, reply bodies, data of stream events. */
  readonly canonical?: (value: unknown, side: Side, budget: Budget) => Canonical;
  /** Grades members that a stream event lacks, where the document does not say what an event has to carry. */
  readonly partialEvents?: Grade;
}
