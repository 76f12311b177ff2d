/** Reads facts that are a value each, from the places that the data of facts names. */
import type { FactEntry } from "../../fact-data.ts";
import { factData } from "../../fact-data.ts";
import type { RequestFacts } from "./model.ts";

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

const firstToken = (place: string): string => place.split("/")[1] ?? "";

/** Members that each interface documents for some fact: what stands below them is its own. */
const ownMembers = new Map<string, ReadonlySet<string>>();

function ownMembersOf(name: string): ReadonlySet<string> {
  let members = ownMembers.get(name);
  if (!members) {
    const places = Object.values(factData().request).flatMap(({ at }) => at[name] ?? []);
    ownMembers.set(name, (members = new Set(places.map(firstToken))));
  }
  return members;
}

/** The places of a fact in other interfaces that this one has no word for. */
function foreignPlaces(name: string, { at }: FactEntry): readonly (readonly string[])[] {
  const own = ownMembersOf(name);
  return Object.values(at).filter(
    (places): places is readonly string[] => places?.every((one) => !own.has(firstToken(one))) === true,
  );
}

/**
 * The facts of a request that are a value each; those that are absent or null are left out.
 * @param read the value at a JSON Pointer of the request
 */
export function settingsOf(name: string, read: Read): Pick<RequestFacts, "settings" | "undocumented" | "singleTexts"> {
  const settings: Record<string, unknown> = {};
  const undocumented: Record<string, string> = {};
  const singleTexts: string[] = [];
  for (const [fact, entry] of Object.entries(factData().request)) {
    if (entry.kind === "coded") continue;
    const places = entry.at[name];
    for (const known of places ? [places] : foreignPlaces(name, entry)) {
      const value = settingOf(entry, known, read);
      if (value === undefined) continue;
      settings[fact] = value;
      if (entry.kind === "list" && known.some((place) => typeof read(place) === "string")) singleTexts.push(fact);
      if (!places) undocumented[fact] = firstToken(known[0]!);
      break;
    }
  }
  return {
    settings,
    ...(Object.keys(undocumented).length > 0 && { undocumented }),
    ...(singleTexts.length > 0 && { singleTexts }),
  };
}
