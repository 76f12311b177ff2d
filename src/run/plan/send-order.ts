/** Decides which recordings are sent, and in which order interfaces are tried first. */
import { interfacesOf, type Recording } from "./recordings.ts";
import type { Selection } from "./selection.ts";

/** The recordings that are sent, and those whose first requests are asked before. */
export function recordingsToSend({
  recordings,
  plan,
  probes,
}: Pick<Selection, "recordings" | "plan" | "probes">): Readonly<Record<"chosen" | "firsts", readonly Recording[]>> {
  const sources = new Set(plan.cassettes.filter(({ skipped }) => skipped === undefined).map(({ source }) => source));
  const chosen = recordings.filter(({ source }) => sources.has(source));
  // If nothing good is sent, only probes or requests that break a rule, a good one is asked first all the same.
  const asked = new Set([...chosen.map((one) => one.interface), ...probes.map(({ twin }) => twin.interface)]);
  for (const { interface: of, violates } of chosen) if (violates.length === 0) asked.delete(of);
  return { chosen, firsts: [...chosen, ...recordings.filter((recording) => asked.has(recording.interface))] };
}

/** Whether a target has all interfaces that a recording speaks, as far as its first questions showed. */
export const isThere = (recording: Recording, closed: readonly string[]): boolean =>
  !interfacesOf(recording).some((of) => closed.includes(of));
