/** An OpenAPI document as a value: what stands at a pointer, where references lead, and where it contradicts itself. */
import { boundedPattern, patternProblem } from "../check/pattern.ts";
import { isObject } from "../wire/json.ts";
import { escapeToken, resolvePointer } from "../wire/pointer.ts";

/** A place where a document contradicts itself. */
export interface Contradiction {
  /** JSON Pointer into the document. */
  readonly place: string;
  /** What is wrong there, in one sentence. */
  readonly says: string;
}

export interface OpenApi {
  /** What findings call the document. */
  readonly name: string;
  readonly root: Readonly<Record<string, unknown>>;
  /** Whether it follows OpenAPI 3.0, whose schemas differ from JSON Schema. */
  readonly isOld: boolean;
  /** What stands at a pointer; undefined where nothing does. */
  readonly at: (pointer: string) => unknown;
  /** Where a `$ref` leads, as a pointer; undefined where it leads nowhere in this document. */
  readonly targetOf: (ref: string) => string | undefined;
  /** Whether one more schema of a value that more than an ordinary number holds for may be read: all of them take memory in the square of a circle. */
  readonly takePart: () => boolean;
  /** Why a pattern cannot be tried; undefined if it can. */
  readonly problemOf: (pattern: unknown) => string | undefined;
  /** Bytes that the examples which are made of the document may still have, together. */
  readonly room: { bytes: number };
  /** Pointers of schemas that were read as the one they refer to, though samples may stand beside the reference. */
  readonly references: Set<string>;
  /** Notes a contradiction, once a place and sentence. */
  readonly contradict: (place: string, says: string) => void;
  readonly contradictions: readonly Contradiction[];
}

/** Schemas beyond an ordinary number for one value, of all values together. */
const maxParts = 40_000;

/** States of the programs that try the patterns of one document, beyond an ordinary number each. */
const maxPatternStates = 400_000;
const ordinaryStates = 1_000;

/** Reads patterns within a bound for all of them. */
function createPatternReading(): OpenApi["problemOf"] {
  const problems = new Map<unknown, string | undefined>();
  let left = maxPatternStates;
  return (pattern) => {
    if (problems.has(pattern)) return problems.get(pattern);
    let problem = left < 0 && mayBeLarge.test(String(pattern)) ? tooManyStates : patternProblem(pattern);
    if (problem === undefined) {
      const { states } = boundedPattern(pattern as string);
      if (states > ordinaryStates && (left -= states) < 0) problem = tooManyStates;
    }
    problems.set(pattern, problem);
    return problem;
  };
}

/** Whether a pattern may have more states than characters, or very many of these. */
const mayBeLarge = /\{\d*,?\d{2}|^.{1000}/s;
const tooManyStates = "the patterns of the document take too long to try together";

/** Bytes of the examples of any document. Those of published documents have about as many bytes as the document. */
export const minExampleBytes = 8 << 20;

/** Wraps a parsed document. @param room shared by all that wrap the document for one purpose */
export function openApiOf(
  root: Readonly<Record<string, unknown>>,
  name: string,
  room: OpenApi["room"] = { bytes: minExampleBytes },
): OpenApi {
  const values = new Map<string, unknown>();
  const contradictions = new Map<string, Contradiction>();
  let names: NamedPlaces | undefined;
  let parts = maxParts;
  const at = (pointer: string): unknown => {
    if (!values.has(pointer)) values.set(pointer, resolvePointer(root, pointer));
    return values.get(pointer);
  };
  return {
    name,
    root,
    isOld: /^3(?:\.0|$)/.test(String(root["openapi"] ?? "")),
    at,
    targetOf(ref) {
      const [file, fragment = ""] = ref.split("#", 2) as [string, string?];
      const pointer = decoded(fragment);
      if (pointer === undefined) return undefined;
      if (file === "" && (pointer === "" || pointer.startsWith("/")) && at(pointer) !== undefined) return pointer;
      names ??= namedPlaces(root);
      if (!pointer.startsWith("/") && pointer !== "") return names.anchors.get(pointer);
      // A schema with an id of its own is a document of its own to what refers from within it.
      for (const base of file === "" ? names.ids.values() : [names.ids.get(file)])
        if (base !== undefined && at(base + pointer) !== undefined) return base + pointer;
      return undefined;
    },
    takePart: () => parts-- > 0,
    problemOf: createPatternReading(),
    room,
    references: new Set(),
    contradict: (place, says) => void contradictions.set(`${place} ${says}`, { place, says }),
    get contradictions() {
      return [...contradictions.values()];
    },
  };
}

/** Pointers of schemas that others name by `$anchor` or `$id`. */
interface NamedPlaces {
  readonly anchors: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
}

/** Looks through the whole document, which only references that are no pointers need. */
function namedPlaces(root: unknown): NamedPlaces {
  const anchors = new Map<string, string>();
  const ids = new Map<string, string>();
  const seen = new Set<unknown>();
  const next: [unknown, string][] = [[root, ""]];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    const [value, pointer] = one;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [name, inner] of Object.entries(value)) next.push([inner, `${pointer}/${escapeToken(name)}`]);
    const { $anchor, $dynamicAnchor, $id } = value as Readonly<Record<string, unknown>>;
    for (const name of [$anchor, $dynamicAnchor]) if (typeof name === "string") anchors.set(name, pointer);
    if (typeof $id === "string") ids.set($id, pointer);
  }
  return { anchors, ids };
}

/** A pointer as a fragment spells it, without percent escapes; undefined where they are broken. */
function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** References that may lead from one to the next before there is something else. */
const maxHops = 100;

/**
 * Follows references from a place to what is none, for parts of a document that are no schemas.
 * @returns its pointer and value; undefined where a reference leads nowhere, which is noted
 */
export function follow(
  doc: OpenApi,
  pointer: string,
): { readonly pointer: string; readonly value: Readonly<Record<string, unknown>> } | undefined {
  let place = pointer;
  for (let hops = 0; hops < maxHops; hops++) {
    const value = doc.at(place);
    if (!isObject(value)) return undefined;
    const ref = value["$ref"];
    if (typeof ref !== "string") return { pointer: place, value };
    const target = doc.targetOf(ref);
    if (target === undefined) {
      doc.contradict(`${place}/$ref`, `It refers to ${ref}, which is not in this document.`);
      return undefined;
    }
    place = target;
  }
  doc.contradict(pointer, "Its references lead round in a circle.");
  return undefined;
}
