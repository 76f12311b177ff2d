/** Translates a violation in the canonical spelling back to the place and value in the original body. */
import { resolvePointer } from "../wire/pointer.ts";
import type { Original } from "./body.ts";
import type { Violation } from "./clause.ts";
import type { Subject } from "./subject.ts";

interface Reading {
  readonly value: unknown;
  readonly sent: unknown;
  readonly original: Original | undefined;
}

/** The JSON a violation speaks about; undefined where there is none. */
function readingOf({ side, in: place, event }: Violation, { request, response }: Subject): Reading | undefined {
  const body = side === "request" ? request.body : response?.body;
  if (place === "body") return body?.kind === "json" ? body : undefined;
  return place === "stream" && body?.kind === "stream" && event !== undefined ? body.events[event] : undefined;
}

/**
 * The violation as the sender knows it: its pointer in the spelling that was sent, and a quoted object or array as it
 * stands there. Pointers that are in that spelling already stay as they are.
 */
export function originalPlace(violation: Violation, subject: Subject): Violation {
  if (!subject.operation.canonical) return violation;
  const reading = readingOf(violation, subject);
  // A value with only one spelling was not copied.
  if (!reading?.original || reading.sent === reading.value) return violation;
  const pointer = reading.original(violation.pointer);
  const { actual } = violation;
  const quotes =
    typeof actual === "object" && actual !== null && actual === resolvePointer(reading.value, violation.pointer);
  return { ...violation, pointer, ...(quotes && { actual: resolvePointer(reading.sent, pointer) }) };
}
