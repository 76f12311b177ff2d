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

/** The place of a request's parameters. */
export type ParameterPlace = "path" | "query" | "headers";

/** How parameters stand in the path of a request. */
export interface PathTexts {
  /** Their texts by name, percent escapes decoded. */
  readonly read: (path: string) => Readonly<Record<string, string>>;
  /** The path with other texts. */
  readonly write: (path: string, texts: Readonly<Record<string, string>>) => string;
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
export interface HeaderReading {
  readonly schema: string;
  readonly read: (headers: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>;
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
  /** The value that the text of a parameter stands for; without it every parameter is a text. */
  readonly valueIn?: (place: ParameterPlace, name: string, text: string) => unknown;
  /** Forms whose parts are read as values; those of `schemas.form` are lists of texts and files. */
  readonly forms?: Readonly<Partial<Record<FormType, FormReading>>>;
  /** How the headers of a reply with this status are judged; undefined where nothing is said of them. */
  readonly replyHeaders?: (status: number) => HeaderReading | undefined;
  /** Its parameters in the path, where a schema judges them. */
  readonly inPath?: PathTexts;
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
    /** Data of one stream event; undefined leaves an event unjudged. */
    readonly event?: string | ((data: unknown) => string | undefined);
    /** Body of a failed reply; a function where its status decides. */
    readonly error?: string | ((status: number) => string | undefined);
  };
  /** The schemas among these that describe what clients make up, such as JSON schemas of their own: all of it is content, no structure. */
  readonly ofClients?: readonly string[];
  /** The parts that an event's data brings, in the document's words: the order of a stream is the order in which these come. */
  readonly brings?: (data: unknown) => readonly string[];
  /** The texts in an event's data that come in any number of pieces; two of them may well be equal. */
  readonly pieces?: (data: unknown) => readonly string[];
  /** Data that ends a stream and is not JSON, e.g. `[DONE]`. */
  readonly terminator?: string;
  /** Event data that reports an error in mid-stream (reading X-STREAM-ERROR): not judged as an ordinary event. */
  readonly isStreamError?: (data: unknown) => boolean;
  /** Reads JSON in every spelling the document allows as one: request bodies, reply bodies, data of stream events. */
  readonly canonical?: (value: unknown, side: Side, budget: Budget) => Canonical;
  /** Grades members that a stream event lacks, where the document does not say what an event has to carry. */
  readonly partialEvents?: Grade;
}
