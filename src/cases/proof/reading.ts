/** The parts of an answer that the proof client collects. */
import type { HandedCall } from "../observation.ts";

export interface OpenCall {
  name: string;
  id: string | undefined;
  arguments: string;
}

/** An answer as far as it came. */
export interface Reading {
  readonly texts: string[];
  readonly calls: OpenCall[];
  /** Addresses of pictures. */
  readonly pictures: string[];
  finish: string | undefined;
  /** The answer says that it is over. */
  isOver: boolean;
  /** The end marker of the stream came, after which nothing matters. */
  isEnded: boolean;
}

export const newReading = (): Reading => ({
  texts: [],
  calls: [],
  pictures: [],
  finish: undefined,
  isOver: false,
  isEnded: false,
});

/** Reads the answers of one interface. Throws where they report an error, or are none. */
export interface AnswerReader {
  readonly event: (reading: Reading, event: string, data: string) => void;
  readonly body: (reading: Reading, body: unknown) => void;
}

/** An error that the server reported. */
export class ReportedError extends Error {
  override readonly name = "ReportedError";
}

/** JSON of an event; an error says where it is broken. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(`an event holds no JSON: ${text.slice(0, 60)}`);
  }
}

export const callsOf = ({ calls }: Reading): HandedCall[] =>
  calls.map(({ name, arguments: given }) => ({ name, arguments: given }));
