/** What judging needs to know of an interface: its operations and its rules. Data and plain functions. */
import type { Operation } from "./operation.ts";
import type { Rule } from "./rule.ts";
import type { Subject } from "./subject.ts";

export interface Interface {
  readonly name: string;
  readonly document: string;
  readonly operations: readonly Operation[];
  /** Whether the request asks for a stream. */
  readonly streams: (subject: Subject) => boolean;
  readonly rules: readonly Rule[];
}
