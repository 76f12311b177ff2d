/** What goes over the pipe from recorder to keeper: frames of a kind, an exchange, a time and a payload. */
import type { ExchangeObserver } from "../../proxy/observer.ts";

/** Who takes what frames say. */
export interface FrameReceiver extends ExchangeObserver {
  /** Somebody asks what has come by now; the payload is JSON. */
  look?(question: string): void;
}

/** What a frame says, by its first byte: a method of FrameReceiver. */
export const frameKinds = ["open", "requestBytes", "responseHead", "responseBytes", "close", "look"] as const;

/** Kind (1 byte), exchange (4), hundredths of a millisecond (4), payload length (4); numbers with their lowest byte first. */
export const headLength = 13;

/** Stands between the fields of a head, which are lines or parts of lines: none holds it. A reason may hold any other character. */
export const separator = "\n";
