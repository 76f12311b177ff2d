/** Reads facts that are a value each, from the places that the data of facts names. */
import type { FactEntry } from "../../fact-data.ts";
import { factData } from "../../fact-data.ts";

type Read = (pointer: string) => unknown;

/** A text stands for a list of one; items that are no texts are left out. */
function listOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return [value];
  const items = Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
  return items.length > 0 ? items : undefined;
}

function partsOf(places: readonly string[], { parts = [] }: FactEntry, read: Read): unknown {
  const found = parts.flatMap((name, i) => {
    const value = read(places[i]!) ?? undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

function settingOf(entry: FactEntry, places: readonly string[], read: Read): unknown {
  if (entry.kind === "parts") return partsOf(places, entry, read);
  for (const place of places) {
    const value = read(place) ?? undefined;
    if (value !== undefined) return entry.kind === "list" ? listOf(value) : value;
  }
  return undefined;
}

/**
 * The facts of a request that are a value each; those that are absent or null are left out.
 * @param read the value at a JSON Pointer of the request
 */
export function settingsOf(name: string, read: Read): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [fact, entry] of Object.entries(factData().request)) {
    const places = entry.at[name];
    if (entry.kind === "coded" || !places) continue;
    const value = settingOf(entry, places, read);
    if (value !== undefined) settings[fact] = value;
  }
  return settings;
}
