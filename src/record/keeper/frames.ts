/** The pipe from recorder to keeper carries frames of a kind, an exchange, a time and a payload. */
import type { ExchangeObserver } from "../../proxy/observer.ts";

/** The receiver of frames. */
export interface FrameReceiver extends ExchangeObserver {
  /** Somebody asks what has come by now; the payload is JSON. */
  look?(question: string): void;
}

/** The kind of a frame, by its first byte: a method of FrameReceiver. */
export const frameKinds = ["open", "requestBytes", "responseHead", "responseBytes", "close", "look"] as const;

/** Kind (1 byte), exchange (4), hundredths of a millisecond (4), payload length (4); numbers with their lowest byte first. */
export const headLength = 13;

/** Stands between the fields of a head, which are lines or parts of lines: none holds it. A reason may hold any other character. */
export const separator = "\n";
