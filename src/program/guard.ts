/**
 * A process that outlives touchstone by a moment: it ends the programs that touchstone started and could not end itself, since it
 * was killed. It hears of them on its standard input, whose end tells it that touchstone is gone.
 */
import { createInterface } from "node:readline";
import { endFamily, type Family } from "./family.ts";

/** A program that begins or runs, or the mark of one that has ended with all it started. */
export type GuardMessage = { readonly runs: Family } | { readonly ended: string };

/** Undefined for a line that was torn when touchstone was killed. */
function messageOf(line: string): GuardMessage | undefined {
  try {
    return JSON.parse(line) as GuardMessage;
  } catch {
    return undefined;
  }
}

const families = new Map<string, Family>();
for await (const line of createInterface({ input: process.stdin })) {
  const message = messageOf(line);
  if (!message) continue;
  if ("runs" in message) families.set(message.runs.mark, message.runs);
  else families.delete(message.ended);
}
await Promise.all([...families.values()].map((family) => endFamily(family)));
