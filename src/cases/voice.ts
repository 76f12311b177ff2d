/** How an interface says a speech: what cases need to know of it. */
import type { WireRequest } from "../wire/exchange.ts";
import type { InterfaceName } from "./interface-names.ts";
import type { HandedCall } from "./observation.ts";
import type { Said, Speech } from "./speech.ts";

export type Json = Readonly<Record<string, unknown>>;

/** One event of a stream: JSON data parsed, anything else as text. */
export interface GoodEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** A tool that a request offers, with the JSON Schema of its arguments. */
export interface OfferedTool {
  readonly name: string;
  readonly schema: unknown;
}

/** What cases need to know of the streams of an interface. */
export interface StreamShape {
  /** Whether the first event brings text already. */
  readonly beginsWithText: boolean;
  /** How many events end a stream after its text. */
  readonly endingEvents: number;
  /** The event that reports a failure in the middle of a stream. */
  readonly failure: (message: string) => GoodEvent;
}

export interface Voice {
  readonly interface: InterfaceName;
  /** A plain request that the reference answers in the same form with the given text, with what shapes the answer taken over. */
  readonly ask: (request: WireRequest, json: Json, text: string) => WireRequest;
  /** Tools that the request offers; none where its last message brings the result of one. */
  readonly tools: (json: Json) => readonly OfferedTool[];
  /** Calls of the model that a request repeats: what a client made of an earlier answer. */
  readonly callsIn: (json: Json) => readonly HandedCall[];
  /** The events that say a speech. @param template the events with which the reference says a text */
  readonly events: (template: readonly GoodEvent[], speech: Speech, json: Json) => readonly GoodEvent[];
  /** The whole reply that says a speech. */
  readonly body: (template: unknown, speech: Speech) => unknown;
  /** The content of the reference's reply, if that is no speech. */
  readonly said?: (template: unknown) => Said;
  /** Its streams; without it there are none. */
  readonly stream?: StreamShape;
  /** The JSON that reports a failure of this status. */
  readonly failure: (status: number, message: string) => Json;
}
