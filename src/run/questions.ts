/** Which recordings a plan sends, and in which order interfaces are asked first. */
import { interfacesOf, type Recording } from "./recordings.ts";
import type { Selection } from "./selection.ts";

/** The recordings that are sent, and those whose first requests are asked before. */
export function questionsOf({
  recordings,
  plan,
  probes,
}: Pick<Selection, "recordings" | "plan" | "probes">): Readonly<Record<"chosen" | "firsts", readonly Recording[]>> {
  const sources = new Set(plan.cassettes.filter(({ skipped }) => skipped === undefined).map(({ source }) => source));
  const chosen = recordings.filter(({ source }) => sources.has(source));
  // What is probed alone is asked a recorded question first as well.
  const probed = new Set(probes.map(({ twin }) => twin.interface));
  for (const { interface: of } of chosen) probed.delete(of);
  return { chosen, firsts: [...chosen, ...recordings.filter((recording) => probed.has(recording.interface))] };
}

/** Whether a target has all interfaces that a recording speaks, as far as its first questions showed. */
export const isThere = (recording: Recording, absent: readonly string[]): boolean =>
  !interfacesOf(recording).some((of) => absent.includes(of));
