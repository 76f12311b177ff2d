/** The places in the messages of an operation as a tree, with types, values and counts on both sides. */
import { escapeToken } from "../wire/pointer.ts";
import {
  type Chosen,
  type Described,
  discriminatorsOf,
  isEnumerated,
  isFree,
  itemsOf,
  memberOf,
  type SchemaFiles,
  undocumented,
  variantOf,
  wantsIntegers,
} from "./document-schema.ts";
import { newOccurrence, type Occurrence, type Side, see } from "./occurrence.ts";

/** JSON types; `integer` only where a document wants one. */
export const types = ["string", "integer", "number", "boolean", "null", "object", "list"] as const;
export type TypeName = (typeof types)[number];

/** The observations at a place on one side. */
export interface Sums {
  readonly seen: Occurrence;
  /** Exchanges in which every object that could hold the member held it. */
  always: number;
  /** Objects met here. */
  readonly objects: Occurrence;
  readonly types: Map<TypeName, Occurrence>;
  /** By value, where documents list the values, and of switches. */
  readonly values: Map<string, Occurrence>;
}

export interface Place {
  readonly id: number;
  /** The object or list it stands in; of members of a variant the variant. */
  readonly parent: Place | undefined;
  /** Its step of the pointer, `*` for all items of a list; undefined for what adds none, such as a variant. */
  readonly token: string | undefined;
  /** Its name if no pointer tells: a variant, lines of a stream. */
  readonly label: string | undefined;
  /** The pointer of a part that speaks of some place of a message. */
  readonly speaksOf: string | undefined;
  readonly described: Described;
  readonly enumerated: boolean;
  readonly discriminators: readonly string[];
  readonly sides: readonly [Sums, Sums];
  readonly members: Map<string, Place>;
  readonly variants: Map<string, Place>;
  items: Place | undefined;
  /** It has so many members that no document names that it must be a map; its members are content. */
  isMap: boolean;
}

/** Members that no document names, of one object in all exchanges: more of them are keys of a map. */
const maxUnknownMembers = 500;
/** Variants of an object, and values of a member, that are kept apart. */
const maxVariants = 100;
const other = "…";
/** Places of one comparison, some hundred bytes each. */
const maxPlaces = 300_000;

const newSums = (): Sums => ({
  seen: newOccurrence(),
  always: 0,
  objects: newOccurrence(),
  types: new Map(),
  values: new Map(),
});

/** The value by which variants are told apart or values are counted; of long ones the beginning. */
const keyOf = (value: unknown): string | undefined =>
  typeof value === "string"
    ? value.slice(0, 100)
    : value === null || typeof value === "boolean" || typeof value === "number"
      ? String(value)
      : undefined;

/** One message that is being walked: what it met first, to be closed, and the sum of what it met. */
export interface Visit {
  readonly side: Side;
  readonly exchange: number;
  /** Whether booleans say how something is to be done, as in requests, and not what is so. */
  readonly areModes: boolean;
  readonly touched: Place[];
  /** The same for messages of one structure and the same booleans, however often and in whatever order they are met. */
  structure: number;
}

export interface Places {
  /** The root for a kind of message, made when first asked for. */
  root(key: string, described: () => Described, ofClients: readonly string[]): Place;
  /** A place that is no member of JSON, such as lines of a stream. @param speaksOf the pointer of what it speaks of */
  part(parent: Place, label: string, described?: Described, speaksOf?: string): Place;
  /** A member that is met without its object being walked, such as a header; undefined where it is not kept apart. */
  member(parent: Place, name: string): Place | undefined;
  /** Meets a value and all it holds, in time linear in it. */
  walk(root: Place, value: unknown, visit: Visit): void;
  /** Meets a place alone. */
  observe(place: Place, visit: Visit): void;
  /** Ends the visit of a message. */
  close(visit: Visit): void;
  readonly roots: ReadonlyMap<string, Place>;
  /** The schemas that describe places. */
  readonly schemaFiles: SchemaFiles;
  /** Whether there was more structure than is kept. */
  isFull(): boolean;
}

const mix = (a: number, b: number): number => {
  let x = Math.imul(a ^ (b + 0x9e3779b9), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
};

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export function createPlaces(schemaFiles: SchemaFiles): Places {
  const roots = new Map<string, Place>();
  const owned = new WeakMap<Place, readonly string[]>();
  let made = 0;

  function newPlace(
    parent: Place | undefined,
    token: string | undefined,
    described: Described,
    more: {
      readonly label?: string;
      readonly speaksOf?: string | undefined;
      readonly isVariant?: true;
      readonly isDiscriminator?: boolean;
    } = {},
  ): Place {
    const place: Place = {
      id: made++,
      parent,
      token,
      label: more.label,
      speaksOf: more.speaksOf,
      described,
      enumerated: more.isDiscriminator === true || isEnumerated(described),
      discriminators: more.isVariant ? [] : discriminatorsOf(described),
      sides: [newSums(), newSums()],
      members: new Map(),
      variants: new Map(),
      items: undefined,
      isMap: false,
    };
    if (parent) owned.set(place, owned.get(parent)!);
    return place;
  }

  function memberPlace(holder: Place, name: string, isDiscriminator = false): Place | undefined {
    const known = holder.members.get(name);
    if (known || holder.isMap) return known;
    const described = memberOf(holder.described, name, owned.get(holder)!);
    if (made >= maxPlaces) return undefined;
    if (described.parts.length === 0 && holder.members.size >= maxUnknownMembers) {
      holder.isMap = true;
      return undefined;
    }
    const place = newPlace(holder, name, described, { isDiscriminator });
    holder.members.set(name, place);
    return place;
  }

  /** The variant of an object: the place itself where documents tell none apart. */
  function variantAt(place: Place, value: Readonly<Record<string, unknown>>): Place {
    if (place.discriminators.length === 0) return place;
    const chosen: Chosen = new Map(
      place.discriminators.map((name) => [name, Object.hasOwn(value, name) ? value[name] : undefined]),
    );
    const label = [...chosen].map(([name, one]) => `${name}: ${keyOf(one) ?? "-"}`).join(", ");
    const key = place.variants.has(label) || place.variants.size < maxVariants ? label : other;
    const known = place.variants.get(key);
    if (known) return known;
    const described = variantOf(place.described, chosen, owned.get(place)!);
    const variant = newPlace(place, undefined, described, { label: key, isVariant: true });
    place.variants.set(key, variant);
    return variant;
  }

  function itemsPlace(place: Place): Place {
    place.items ??= newPlace(place, "*", itemsOf(place.described, owned.get(place)!));
    return place.items;
  }

  function typeOf(value: unknown, place: Place): TypeName {
    if (value === null) return "null";
    if (Array.isArray(value)) return "list";
    if (typeof value === "number")
      return Number.isInteger(value) && wantsIntegers(place.described) ? "integer" : "number";
    return typeof value as TypeName;
  }

  function observe(place: Place, visit: Visit): void {
    const { seen } = place.sides[visit.side];
    if (!see(seen, visit.exchange)) return;
    visit.touched.push(place);
  }

  function seeIn<K>(table: Map<K, Occurrence>, key: K, visit: Visit): boolean {
    let seen = table.get(key);
    if (!seen) table.set(key, (seen = newOccurrence()));
    return see(seen, visit.exchange);
  }

  function observeValue(place: Place, value: unknown, visit: Visit): void {
    observe(place, visit);
    const sums = place.sides[visit.side];
    const type = typeOf(value, place);
    if (seeIn(sums.types, type, visit)) visit.structure = (visit.structure + mix(place.id, types.indexOf(type))) >>> 0;
    if (typeof value === "boolean") visit.structure = (visit.structure + mix(place.id, value ? -1 : -2)) >>> 0;
    const isMode = typeof value === "boolean" && visit.areModes && place.described.parts.length > 0;
    const key = isMode || (place.enumerated && typeof value === "string") ? keyOf(value) : undefined;
    if (key === undefined) return;
    const kept = sums.values.has(key) || sums.values.size < maxVariants ? key : other;
    if (seeIn(sums.values, kept, visit)) visit.structure = (visit.structure + mix(place.id, hashOf(kept))) >>> 0;
  }

  /** Meets an object, and gives its members with their places. */
  function open(place: Place, value: Readonly<Record<string, unknown>>, visit: Visit, stack: unknown[]): void {
    const variant = variantAt(place, value);
    see(place.sides[visit.side].objects, visit.exchange);
    if (variant !== place) {
      see(variant.sides[visit.side].objects, visit.exchange);
    }
    const isContent = isFree(variant.described, "properties");
    for (const name of isContent ? place.discriminators : Object.keys(value)) {
      const isDiscriminator = place.discriminators.includes(name);
      if (isContent && !Object.hasOwn(value, name)) continue;
      const member = memberPlace(isDiscriminator ? place : variant, name, isDiscriminator);
      if (member) stack.push(member, value[name]);
    }
  }

  return {
    roots,
    schemaFiles,
    isFull: () => made >= maxPlaces,
    root(key, described, ofClients) {
      const known = roots.get(key);
      if (known) return known;
      const place = newPlace(undefined, undefined, described());
      owned.set(place, ofClients);
      roots.set(key, place);
      return place;
    },
    part(parent, label, described = undocumented, speaksOf) {
      const known = parent.members.get(label);
      if (known) return known;
      const place = newPlace(parent, undefined, described, { label, speaksOf });
      parent.members.set(label, place);
      return place;
    },
    member: (parent, name) => memberPlace(parent, name),
    observe,
    walk(root, value, visit) {
      // Pairs of a place and a value, so that neither depth nor width takes the engine's stack.
      const stack: unknown[] = [root, value];
      while (stack.length > 0) {
        const one = stack.pop();
        const place = stack.pop() as Place;
        observeValue(place, one, visit);
        if (typeof one !== "object" || one === null) continue;
        if (!Array.isArray(one)) open(place, one as Readonly<Record<string, unknown>>, visit, stack);
        else if (one.length > 0 && made < maxPlaces && !isFree(place.described, "items")) {
          const items = itemsPlace(place);
          for (const item of one) stack.push(items, item);
        }
      }
    },
    close({ side, touched }) {
      for (const { parent, sides } of touched) {
        const sums = sides[side];
        if (parent && sums.seen.within === parent.sides[side].objects.within) sums.always++;
      }
    },
  };
}

/** The JSON Pointer of a place, all positions in lists as `*`. */
export function pointerOf(place: Place): string {
  if (place.speaksOf !== undefined) return place.speaksOf;
  const tokens: string[] = [];
  for (let at: Place | undefined = place; at; at = at.parent)
    if (at.token !== undefined) tokens.push(escapeToken(at.token));
  return tokens
    .reverse()
    .map((token) => `/${token}`)
    .join("");
}

/** The variants and parts of a stream that a place stands in, the outermost first. */
export function labelsOf(place: Place): string[] {
  const labels: string[] = [];
  for (let at: Place | undefined = place; at; at = at.parent) if (at.label !== undefined) labels.push(at.label);
  return labels.reverse();
}
