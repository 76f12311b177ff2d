/** The names and sentences of all facts, of requests first. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../home.ts";
import type { NamedFact } from "./build-document.ts";
import type { FactSide } from "./trip.ts";

let read: readonly NamedFact[] | undefined;

/** Read once. */
export function namedFacts(): readonly NamedFact[] {
  if (read) return read;
  const content = JSON.parse(readFileSync(join(home, "schemas", "facts.json"), "utf8"));
  const of = (side: FactSide): NamedFact[] =>
    Object.entries(content[side] as Record<string, { says: string }>).map(([name, { says }]) => ({ name, side, says }));
  read = [...of("request"), ...of("answer")];
  return read;
}
