/** The messages between the page's server and its reader, a thread of its own. */
import type { Finding, Policy } from "../check/clause.ts";
import type { Bindings } from "../check/names.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import type { SaveAsked, SearchAnswered, SearchAsked } from "./protocol.ts";

export interface ReaderSettings {
  /** The cassette. */
  readonly out: string;
  /** Paths of users' own documents. */
  readonly documents: readonly string[];
  readonly bindings: readonly Bindings[];
  readonly policy: Policy;
}

/** Questions by what they are called; each is answered in order. */
export interface Questions {
  /** JSON of a `Detail`; `findings` where they are known. */
  readonly view: { readonly exchange: number; readonly findings?: readonly Finding[] | undefined };
  /** JSON of what is still coming as pages show it: `body` is as much of the answer's as may be shown. */
  readonly viewOpen: { readonly exchange: Exchange; readonly id: number };
  /** JSON of a `Detail` of what is in no cassette. */
  readonly judge: { readonly exchange: Exchange; readonly position: number };
  readonly request: { readonly exchange: number };
  readonly save: Pick<SaveAsked, "exchanges" | "interface"> & { readonly violates: readonly string[] };
  readonly search: SearchAsked;
  /** Bytes of a cassette's lines. */
  readonly stretch: { readonly from: number; readonly to: number };
}

export interface Answers {
  readonly view: string;
  readonly viewOpen: string;
  readonly judge: string;
  readonly request: { readonly request: WireRequest; readonly interface: string };
  readonly save: { readonly text: string; readonly notes: readonly string[] };
  readonly search: SearchAnswered;
  readonly stretch: { readonly from: number; readonly to: number };
}

export type QuestionName = keyof Questions;

export type ReaderRequest = {
  readonly [K in QuestionName]: { readonly name: K; readonly question: Questions[K] };
}[QuestionName];

export type Replied =
  | { readonly answer: Answers[QuestionName] }
  /** `remedy` is set where people can mend it. */
  | { readonly failure: string; readonly remedy?: string };
