/** A kind of law: how data becomes a check, a counterexample and a correct example. One module of this folder per kind. */
import type { Picked, Select, Selector, Test } from "./selector.ts";
import type { Draft, Spot, View } from "./view.ts";

/** A violation of a law. */
export interface LawFault {
  readonly spot: Spot;
  readonly expected: string;
  readonly actual: unknown;
  readonly hint?: string;
}

/** A law of one kind, compiled. */
export interface ReadyLaw {
  /** All of its selectors. */
  readonly selects: readonly Select[];
  /** Returns the violations, or undefined if the law does not apply. */
  readonly judge: (view: View) => LawFault[] | undefined;
  /**
   * Changes a good exchange so that it violates the law. Each attempt is another way, and gets a fresh draft.
   * Returns false if there is no such attempt.
   */
  readonly spoil: (draft: Draft, attempt: number) => boolean;
  /** Changes an exchange so that the law holds, as far as possible. May remove events, and never moves or adds them: `documents/lawful-examples.ts` assembles streams. */
  readonly mend: (draft: Draft) => void;
  /** Returns the values of which no exchange of a session may repeat those of another one; absent if the kind has no such laws. */
  readonly values?: (view: View) => Picked[];
  /** Constraints of the law on the order of events. */
  readonly order?: OrderOfEvents;
}

/** Constraints from which example streams are assembled. */
export interface OrderOfEvents {
  /** Every stream has one of these. */
  readonly needs?: readonly Selector[];
  /** Events of the selector come first. */
  readonly first?: Selector;
  readonly last?: Selector;
  /** Each pair: the first one comes before the second one. */
  readonly before?: readonly (readonly [Selector, Selector])[];
  /** If a stream has events of `if`, the values of `of` pass `is`. */
  readonly fits?: readonly { readonly if: Selector; readonly of: Selector; readonly is: Test }[];
  /** If a stream has the first one, it also has the second one. */
  readonly with?: readonly (readonly [Selector, Selector])[];
}

/** JSON Schema of one parameter of a kind; names stand for definitions, `selectors` for a list of them. */
export type ParameterSchema = "selector" | "selectors" | "condition" | object;

export interface Kind {
  readonly name: string;
  /** One sentence about what laws of this kind say: documentation, and the description in the schema for editors. */
  readonly says: string;
  readonly parameters: Readonly<Record<string, ParameterSchema>>;
  readonly required: readonly string[];
  /** At least one of these parameters is required. */
  readonly needsOne?: readonly string[];
  /** Compiles the parameters, which follow the schema. */
  readonly compile: (law: never) => ReadyLaw;
}

/** A value of the same type that differs; undefined if there is none that certainly has the same shape. */
export function otherValue(value: unknown): unknown {
  if (typeof value === "string") return `${value}-other`;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return undefined;
}
