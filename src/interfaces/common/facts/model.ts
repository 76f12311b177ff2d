/** The facts of requests and answers, in words of no interface: what readers of facts give and their writers take. */

/** The members that any part of a prompt may carry. */
interface Marked {
  /** Whether the prompt is to be cached up to here. */
  readonly cache?: true;
}

/** Text that a message says. */
export interface TextPart extends Marked {
  readonly kind: "text";
  readonly text: string;
}

/** A model's refusal, where an interface keeps it apart from text. */
export interface RefusalPart {
  readonly kind: "refusal";
  readonly text: string;
}

/** The thoughts of a model. */
export interface ThinkingPart {
  readonly kind: "thinking";
  readonly text: string;
  readonly signature?: string;
}

export type MediaKind = "image" | "audio" | "video" | "document";

/** A picture, sound, film or document: its data, or where it lies. */
export interface MediaPart extends Marked {
  readonly kind: MediaKind;
  /** In lower case; undefined where nothing says it. */
  readonly mediaType?: string;
  /** Base64, as sent. */
  readonly data?: string;
  readonly url?: string;
  /** The id of an uploaded file. */
  readonly file?: string;
  readonly name?: string;
  /** How finely it is to be looked at. */
  readonly detail?: string;
  /** A source of which no document says what it holds, as sent. */
  readonly opaque?: Readonly<Record<string, unknown>>;
  /** The words that belong to a sound. */
  readonly transcript?: string;
}

/** A call of a tool. */
export interface CallPart extends Marked {
  readonly kind: "call";
  readonly id?: string;
  readonly name?: string;
  /** JSON text. */
  readonly arguments: string;
  /** Its interface gives calls of this form no id. */
  readonly idless?: true;
}

/** The result of a tool. */
export interface ResultPart extends Marked {
  readonly kind: "result";
  /** The call that it says it answers. */
  readonly id?: string;
  /** The tool that it says it comes from. */
  readonly name?: string;
  readonly content: readonly (TextPart | MediaPart)[];
  /** The object, if an interface takes one. */
  readonly value?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** Something that no fact is about. */
export interface OtherPart {
  readonly kind: "other";
  /** The type in its interface. */
  readonly type: string;
}

export type Part = TextPart | RefusalPart | ThinkingPart | MediaPart | CallPart | ResultPart | OtherPart;

/** One message of a conversation. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly parts: readonly Part[];
}

/** A tool that the model may call. */
export interface Tool extends Marked {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema in the dialect of its interface; undefined where the tool takes nothing. */
  readonly parameters?: unknown;
  /** The name under which its parameters came, where no document has it. */
  readonly under?: string;
  readonly strict?: boolean;
}

export interface ToolChoice {
  /** `other` where the words sent are none of the interface. */
  readonly mode: "auto" | "none" | "required" | "named" | "other";
  /** The tools that may be called, for `named`. */
  readonly names?: readonly string[];
  /** The word that was sent, where no document has it. */
  readonly under?: string;
}

/** How much the model is to think; the three are undefined where they are not said. */
export interface ThinkingWish {
  readonly on: boolean;
  /** In tokens. */
  readonly budget?: number;
  readonly effort?: string;
  /** Whether the reply is to show it. */
  readonly shown?: boolean;
  /** The name under which it came, where no document has it. */
  readonly under?: string;
}

/** The form that a reply has to have. */
export interface OutputForm {
  readonly form: "json" | "schema" | "enum" | "text";
  readonly schema?: unknown;
  readonly name?: string;
  readonly description?: string;
  readonly strict?: boolean;
}

/** The kinds of output that the request asks for, and the voice. */
export interface Modalities {
  /** In lower case. */
  readonly kinds: readonly string[];
  readonly voice?: string;
  readonly format?: string;
  /** All of the speech settings as sent, if an interface has more than one voice. */
  readonly speech?: unknown;
}

/** A file of a form. */
export interface FileFact {
  readonly name: string;
  readonly mediaType?: string;
  readonly bytes: Uint8Array;
}

/** All that a request asks. A fact that it does not say is absent. */
export interface RequestFacts {
  readonly model?: string;
  /** The last part of its path, where an interface has several operations. */
  readonly operation?: string;
  /** Facts that are a value each, by name, as sent. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Settings that came under a name of another interface, which its own document does not have, and under which. */
  readonly undocumented?: Readonly<Record<string, string>>;
  /** Settings that are lists and came as a single text. */
  readonly singleTexts?: readonly string[];
  readonly stream: boolean;
  readonly system: readonly string[];
  readonly turns: readonly Turn[];
  readonly tools?: readonly Tool[];
  /** Tools are declared in a deprecated way, and calls are expected in it. */
  readonly usesFunctions?: true;
  readonly choice?: ToolChoice;
  /** Whether several calls at once are allowed. */
  readonly parallel?: boolean;
  readonly thinking?: ThinkingWish;
  readonly output?: OutputForm;
  /** The files of image requests, by the name of the fact. */
  readonly files?: Readonly<Record<string, readonly FileFact[]>>;
}

export type FinishReason = "natural" | "length" | "stop-sequence" | "tool" | "filter" | "other";

/** Why a reply ended. */
export interface Finish {
  /** The possible meanings of the word that was sent; the first is the plainest. */
  readonly means: readonly FinishReason[];
  /** The word that was sent. */
  readonly word: string;
  /** The stop sequence. */
  readonly sequence?: string;
}

/** Tokens; each is undefined where the answer does not say it. */
export interface UsageFacts {
  /** Tokens of the request; whether `cached` is part of it is for the interface to say. */
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  /** Tokens of the request that were written into a cache. */
  readonly stored?: number;
  readonly thinking?: number;
  readonly total?: number;
  /** Whether `input` includes cached tokens, and `output` thoughts. */
  readonly includes: { readonly cached: boolean; readonly thinking: boolean };
}

export interface ChoiceFacts {
  readonly index: number;
  readonly parts: readonly Part[];
  readonly finish?: Finish;
  /** The probability of each token, where told. */
  readonly logs?: readonly { readonly token: string; readonly logProbability: number }[];
  /** Addresses that it cites. */
  readonly sources?: readonly string[];
}

export type ErrorClass =
  | "bad-request"
  | "key"
  | "permission"
  | "not-found"
  | "too-large"
  | "rate"
  | "server"
  | "overloaded"
  | "unknown";

export interface ErrorFacts {
  readonly class: ErrorClass;
  /** Undefined where it came amid a stream. */
  readonly status?: number;
  readonly message?: string;
  /** As sent. */
  readonly retryAfter?: string;
}

/** All that an answer says. A fact that it does not say is absent. */
export interface AnswerFacts {
  readonly id?: string;
  readonly model?: string;
  /** Whether it came as a stream. */
  readonly streamed: boolean;
  /** Whether its end was seen: a whole body, or a stream that ended as its interface ends streams. */
  readonly ended: boolean;
  readonly choices: readonly ChoiceFacts[];
  readonly usage?: UsageFacts;
  readonly error?: ErrorFacts;
  /** Pictures of an image reply. */
  readonly pictures?: readonly { readonly data?: string; readonly url?: string; readonly revised?: string }[];
  /** When each event of a stream that brought text came, in milliseconds since the exchange started; absent where nobody knows. */
  readonly times?: readonly number[];
}
