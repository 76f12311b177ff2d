/** The outcome of one clause's counterexamples, and what it says of the proof. */
import type { Clause } from "../check/clause.ts";
import type { Example } from "../check/example.ts";
import type { Exchange } from "../wire/exchange.ts";
import { mutantsOf } from "./mutants.ts";
import type { Visit } from "./trace.ts";

/** A gap in one clause's proof. */
export interface Gap {
  readonly clause: string;
  /**
   * `dead`: nothing exercises the clause. `unexampled`: nothing does, since no example of it can be made of its document, or no text
   * is found that breaks its pattern, or its values are too large to be changed at each place. `silent`: a violation went unnoticed.
   * `collateral`: every counterexample also breaks other clauses. `false-positive`: a legal twin was accused. `contradicted`: one of
   * these gaps where the document contradicts itself.
   */
  readonly kind: "dead" | "unexampled" | "silent" | "collateral" | "false-positive" | "contradicted";
  readonly why: string;
}

/** Collected over all counterexamples of one clause; of each kind the first is kept. */
export interface ProofRecord {
  exercised: boolean;
  /** Breaks the clause and nothing else. */
  exact: { readonly exchange: Exchange; readonly from: Example } | undefined;
  /** Breaks other demands on the same text as well: a length may follow from a pattern. */
  entangled: ProofRecord["exact"];
  /** Whether no text was found that breaks its pattern. */
  unbreakable: boolean;
  unnoticed: string | undefined;
  collateral: string | undefined;
  falsePositive: string | undefined;
  /** How its check or its spoil failed, which is code of a user's own, or which recording does not violate it though it says so. */
  failed: string | undefined;
  /** Whether more would have to be judged to prove it than is judged of documents of users. */
  isLeft: boolean;
  /** How many places were tried. */
  places: number;
  /** How many places each keyword of each subschema was tried at. */
  readonly tried: Map<Visit["node"], Map<string, number>>;
}

/** How many different places are tried for one keyword of one subschema. */
const placesTried = 3;
/**
 * How many are tried of a proven clause that was derived: its subschemas are all made alike, and may be thousands.
 * @param clauses how many are proven: of very many, one counterexample each has to do
 */
export const placesTriedOfDerived = (clauses: number): number => (clauses > 2_500 ? 1 : 6);

export function newProofRecord(): ProofRecord {
  return {
    exercised: false,
    exact: undefined,
    entangled: undefined,
    unbreakable: false,
    unnoticed: undefined,
    collateral: undefined,
    falsePositive: undefined,
    failed: undefined,
    isLeft: false,
    places: 0,
    tried: new Map(),
  };
}

/** Whether no text is found that breaks the pattern of a visit: it may match every text. */
export const isUnbreakable = (visit: Visit): boolean =>
  visit.keyword === "pattern" && typeof visit.value === "string" && mutantsOf(visit).beyond.length === 0;

/** Whether the visit is one more place to try; counts it if so. @param most places that are tried of a proven clause */
export function isWorthTrying(record: ProofRecord, visit: Visit, most: number): boolean {
  const { tried } = record;
  const { node, keyword, member } = visit;
  if (record.exact && record.places >= most) return false;
  if (mutantsOf(visit).beyond.length === 0) return false;
  const counts = tried.get(node) ?? new Map<string, number>();
  tried.set(node, counts);
  const key = `${keyword} ${member ?? ""}`;
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  record.places++;
  return count <= placesTried;
}

/** Why nothing shows a place of a document: the reason of the closest place around it that has one. */
function reasonAt(place: string, unexampled: ReadonlyMap<string, string>): string | undefined {
  for (let end = place.length; end > 0; end = place.lastIndexOf("/", end - 1)) {
    const why = unexampled.get(place.slice(0, end));
    if (why !== undefined) return why;
  }
  return undefined;
}

/**
 * The gap in the clause's proof; undefined if it is whole.
 * @param unexampled by place of its document, why no example shows it
 */
export function gapOf(
  clause: Clause,
  record: ProofRecord,
  isRule: boolean,
  unexampled: ReadonlyMap<string, string> = new Map(),
): Gap | undefined {
  const { exercised, exact, isLeft, unbreakable, unnoticed, collateral, falsePositive, failed } = record;
  const gap = (kind: Gap["kind"], why: string): Gap => ({ clause: clause.id, kind, why });
  // A spoil is asked about any legal exchange, and one that it cannot break it has to leave.
  if (failed !== undefined) return gap("silent", failed);
  if (!exercised) {
    const why = reasonAt(clause.document.section, unexampled);
    return why === undefined ? gap("dead", "no example exercises it") : gap("unexampled", why);
  }
  // A rule's spoil may miss in one exchange and hit in another; a schema keyword must never miss.
  if (unnoticed && !(isRule && exact)) return gap("silent", unnoticed);
  if (!exact && isLeft)
    return gap("unexampled", "its values are too large, or too many, to be changed at each of their places");
  if (!exact && unbreakable && !collateral) return gap("unexampled", "no text is found that breaks it");
  if (!exact) return collateral ? gap("collateral", collateral) : gap("silent", "no counterexample could be made");
  return falsePositive ? gap("false-positive", falsePositive) : undefined;
}

/** The schema that a place of a document is in. Schemas of one `allOf` count as one. */
const schemaAt = (place: string): string =>
  place.slice(0, Math.max(0, place.lastIndexOf("/"))).replace(/(?:\/allOf\/\d+)+$/, "");

/**
 * The same gap as one that the document is to blame for, if it contradicts itself at the place of the clause.
 * @param contradictions where the document contradicts itself
 */
export function blameDocument(
  gap: Gap,
  { document: { section: place } }: Clause,
  contradictions: readonly { readonly place: string; readonly says: string }[],
): Gap {
  if (gap.kind === "unexampled" || gap.kind === "false-positive") return gap;
  const found = contradictions.find(
    (one) => `${place}/`.startsWith(`${schemaAt(one.place)}/`) || `${one.place}/`.startsWith(`${schemaAt(place)}/`),
  );
  return found ? { ...gap, kind: "contradicted", why: `${found.says} (${found.place})` } : gap;
}
