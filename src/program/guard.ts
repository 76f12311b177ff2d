/**
 * A process that outlives touchstone by a moment: it ends the programs that touchstone started and could not end itself, since it
 * was killed. It hears of them on its standard input, whose end tells it that touchstone is gone.
 */
import { createInterface } from "node:readline";
import { endFamily, type Family } from "./family.ts";

/** A program that began, or one that has ended with all it started. */
export type GuardMessage = { readonly began: Family } | { readonly ended: number };

const families = new Map<number, Family>();
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as GuardMessage;
  if ("began" in message) families.set(message.began.pid, message.began);
  else families.delete(message.ended);
}
await Promise.all([...families.values()].map((family) => endFamily(family)));
