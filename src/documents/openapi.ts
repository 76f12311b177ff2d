/** An OpenAPI document as a value: what stands at a pointer, where references lead, and where it contradicts itself. */
import { isObject } from "../wire/json.ts";
import { resolvePointer } from "../wire/pointer.ts";

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
  /** Notes a contradiction, once a place and sentence. */
  readonly contradict: (place: string, says: string) => void;
  readonly contradictions: readonly Contradiction[];
}

/** Wraps a parsed document. */
export function openApiOf(root: Readonly<Record<string, unknown>>, name: string): OpenApi {
  const values = new Map<string, unknown>();
  const contradictions = new Map<string, Contradiction>();
  const at = (pointer: string): unknown => {
    if (!values.has(pointer)) values.set(pointer, resolvePointer(root, pointer));
    return values.get(pointer);
  };
  return {
    name,
    root,
    isOld: String(root["openapi"] ?? "").startsWith("3.0"),
    at,
    targetOf(ref) {
      if (!ref.startsWith("#")) return undefined;
      const pointer = decoded(ref.slice(1));
      return pointer !== undefined && at(pointer) !== undefined ? pointer : undefined;
    },
    contradict: (place, says) => void contradictions.set(`${place} ${says}`, { place, says }),
    get contradictions() {
      return [...contradictions.values()];
    },
  };
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
