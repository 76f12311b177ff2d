/** Tells facts that a refusal names from those that it leaves unexplained. */
import type { ErrorFacts } from "../../interfaces/common/facts/model.ts";
import { type FactEntry, factData } from "../../interfaces/fact-data.ts";
import type { FactComparison } from "../trip.ts";

/** Characters of a refusal that are read. */
const longest = 2_000;

const lastToken = (place: string): string => place.split("/").at(-1) ?? "";

/** Names of members that belong to one fact alone, by interface. */
const ownNames = new Map<string, ReadonlyMap<string, string>>();

function ownNamesOf(name: string): ReadonlyMap<string, string> {
  const known = ownNames.get(name);
  if (known) return known;
  const owners = new Map<string, string>();
  const shared = new Set<string>();
  for (const [fact, { at }] of Object.entries(factData().request))
    for (const place of at[name] ?? []) {
      const token = lastToken(place);
      if (owners.has(token) && owners.get(token) !== fact) shared.add(token);
      owners.set(token, fact);
    }
  for (const token of shared) owners.delete(token);
  ownNames.set(name, owners);
  return owners;
}

/** The names by which a refusal may call a fact: its members, and its own name. */
function wordsOf(fact: string, { at }: FactEntry): readonly string[] {
  const members = Object.keys(at).flatMap((name) =>
    [...ownNamesOf(name)].filter(([, owner]) => owner === fact).map(([token]) => token),
  );
  const own = fact.split(".").at(-1)!;
  return [...members, own.replaceAll("-", "[-_ ]?")].filter((word) => /^[\w[\]\-?. ]{3,}$/.test(word));
}

/** Whether a message speaks of a fact. */
export function isNamed(message: string, fact: string): boolean {
  const entry = factData().request[fact];
  // A longer name that begins alike is another one.
  const isIn = (word: string): boolean =>
    new RegExp(`(?<![A-Za-z])${word}(?:s|ing|ed)?(?!\\w|[.-]\\w)`, "i").test(message);
  return entry !== undefined && wordsOf(fact, entry).some(isIn);
}

/**
 * The outcomes of a refused request: facts that the refusal names are refused, and all others are not shown.
 * @param compared what would have become of them if nothing had arrived
 */
export function asRefused(compared: Iterable<FactComparison>, { message = "" }: ErrorFacts): FactComparison[] {
  const read = message.slice(0, longest);
  return [...compared]
    .filter(({ asked }) => asked !== undefined)
    .map(({ fact, side, asked }) => ({
      fact,
      side,
      ...(asked !== undefined && { asked }),
      ...(isNamed(read, fact)
        ? { outcome: "refused", why: `The refusal names it: ${read.slice(0, 200)}` }
        : { outcome: "not-shown", why: "The request was refused, and not for this." }),
    }));
}
