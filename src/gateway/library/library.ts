/** A client library that translates one neutral call into several interfaces: the parts of a driver, and helpers that drivers share. */
import { withLinks } from "../../interfaces/common/facts/links.ts";
import type { MediaPart, Part, RequestFacts, Turn } from "../../interfaces/common/facts/model.ts";
import type { AnswerPiece } from "../../interfaces/common/facts/write.ts";
import type { Loose } from "../../run/clients/trial.ts";
import { isObject, parseJson } from "../../wire/json.ts";

/** One call of a library. */
export interface LibraryCall {
  readonly asked: RequestFacts;
  /** The interface that its provider speaks. */
  readonly to: string;
  /** The address of the provider, without a version. */
  readonly baseUrl: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A piece of an answer as a library returns it; warnings come before the first. */
export type LibraryPiece = AnswerPiece | { readonly kind: "warnings"; readonly warnings: readonly string[] };

export interface Library {
  readonly name: string;
  /** The packages for each interface, the one that names the version first. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** The range of the other packages that go with a version of the first; undefined for their newest. */
  readonly beside?: (version: string) => string | undefined;
  /** Why packages of these versions cannot be asked together. @param version as `loadAll` tells it */
  readonly misfit?: (version: string) => string | undefined;
  /** The facts of requests that `ask` writes where a request has them, by interface. All others are not shown. */
  readonly asks: Readonly<Record<string, readonly string[]>>;
  /** Why the library cannot be asked for a fact of this request, by fact. */
  readonly wordless: (asked: RequestFacts, to: string) => Readonly<Record<string, string>>;
  /** Calls it once. Throws what the library throws. @param sdk the exports of its packages, put together */
  readonly ask: (sdk: Loose, call: LibraryCall) => AsyncIterable<LibraryPiece>;
}

/** The members that are not undefined. */
export const defined = (value: Loose): Loose =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));

/** A turn, or the results of tools, which have messages of their own in libraries. */
export interface LibraryTurn {
  readonly role: Turn["role"] | "tool";
  readonly parts: readonly Part[];
}

/** Turns with results of tools apart, and with ids and names that link them to their calls. */
export const turnsApart = (turns: readonly Turn[]): readonly LibraryTurn[] =>
  withLinks(turns).flatMap(({ role, parts }) =>
    [
      { role: "tool" as const, parts: parts.filter(({ kind }) => kind === "result") },
      { role, parts: parts.filter(({ kind }) => kind !== "result" && kind !== "other") },
    ].filter((turn) => turn.parts.length > 0),
  );

/** The media type of a part; one of its kind where none is said. */
export const typeOf = ({ kind, mediaType }: MediaPart): string =>
  mediaType ?? { image: "image/png", audio: "audio/wav", video: "video/mp4", document: "application/pdf" }[kind];

/** A call's arguments as a value; the text where it is no JSON object. */
export function argumentsValue(text: string): Loose {
  const json = parseJson(text);
  return json.ok && isObject(json.value) ? json.value : text;
}

/** Whether a prompt names an uploaded file in place of its bytes. */
export const namesFile = ({ turns }: RequestFacts, kind: MediaPart["kind"]): boolean =>
  turns.some(({ parts }) =>
    parts.some((part) => part.kind === kind && part.data === undefined && part.url === undefined),
  );

/** The text of a value that is to be one. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
