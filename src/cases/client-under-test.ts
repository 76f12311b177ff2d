/** A client under test: anything that can be told to ask a question, and says what it made of the answer. */
import type { InterfaceName } from "./interface-names.ts";
import type { Handed } from "./observation.ts";

/** How a client asks. */
export interface AskingWay {
  /** Whether it asks for a stream. */
  readonly stream: boolean;
  /** Whether it offers tools; a client that cannot offers none. */
  readonly tools: boolean;
  /** Things it asks for beside that, if it can: the usage of a stream, several choices, pictures, or that a text be continued. */
  readonly wants?: "usage" | "choices" | "pictures" | "prefill" | undefined;
}

/** One question that a client is to ask. */
export interface Assignment extends AskingWay {
  readonly interface: InterfaceName;
  /** The id of the case, for clients that tell it apart. */
  readonly case: string;
  /** `http://HOST:PORT`, without a version or a path. */
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
  /** Milliseconds after which it is to give up, told by its own means; unset where it is to wait. */
  readonly limit?: number | undefined;
  /** Milliseconds that the client has; it is aborted then. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export type Ask = (assignment: Assignment) => Promise<Omit<Handed, "after">>;

export interface ClientUnderTest {
  /** The package with its version, or the command. */
  readonly name: string;
  /** Versions of what it is made of. */
  readonly versions: Readonly<Record<string, string>>;
  readonly interfaces: readonly InterfaceName[];
  /** The form of reply that it asks for: a case about the other one is not shown. Both, unless said. */
  readonly form?: "stream" | "whole" | undefined;
  /** Milliseconds that it may wait for an answer: it gives up by itself, or is told to. Unknown unless said. */
  readonly limit?: number | undefined;
  /** Asks once, and never rejects. */
  readonly ask: Ask;
  /** Makes ready what a question needs, such as a process: that time does not count. @returns what asks once in place of `ask` */
  readonly prepare?: () => Promise<Ask>;
}
