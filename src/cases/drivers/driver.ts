/** A driver: asks one question with a package, as its documentation shows, and says what came back. */
import type { Assignment } from "../client-under-test.ts";
import type { InterfaceName } from "../interface-names.ts";
import type { HandedCall } from "../observation.ts";

/** The exports of packages: their types differ from version to version. */
// biome-ignore lint/suspicious/noExplicitAny: each version has other types
export type Loose = any;

/** The question for a driver. A limit of time is told by the package's own means: an option, or a signal. */
export interface Question extends Assignment {
  /** Aborted with `signal`, and when the limit of time has passed: for packages that take a signal and no limit. */
  readonly deadline: AbortSignal;
}

/** The answer as a package gives it. */
export interface Given {
  readonly text: string;
  readonly calls: readonly HandedCall[];
  readonly finish?: string | undefined;
}

export interface Driver {
  /** Its name for `touchstone client`. */
  readonly name: string;
  readonly interface: InterfaceName;
  /** The packages that it is made of, the one that names its version first; none for what comes with Node. */
  readonly packages: readonly string[];
  /** The form that it asks for; both unless said. */
  readonly form?: "stream" | "whole";
  /** Asks once. Throws what the package throws. @param sdk what the packages export, put together */
  readonly ask: (sdk: Loose, question: Question) => Promise<Given>;
}

/** The value in a string as it stands, anything else as JSON. */
export const asText = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
