/** Every way we know to break one clause in a good exchange. */

import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import type { Names } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { type Part, requestParts, responseParts } from "../check/schema-targets.ts";
import { readSubject, type Subject } from "../check/subject.ts";
import type { Exchange } from "../wire/exchange.ts";
import { replaceAt, resolvePointer } from "../wire/pointer.ts";
import { mutantsOf } from "./mutants.ts";
import { putBack } from "./place.ts";
import type { Tracer, Visit } from "./trace.ts";

/** A changed exchange, and whether it breaks the clause or only comes close. */
export interface Variant {
  readonly clause: string;
  readonly breaks: boolean;
  readonly exchange: Exchange;
  /** The change, for people: `required id at /choices/0`. */
  readonly how: string;
}

/** A good exchange read once, with every place its schemas look at. */
export interface Traced {
  readonly exchange: Exchange;
  readonly subject: Subject;
  readonly visits: readonly { readonly part: Part; readonly visit: Visit }[];
}

/** Reads and traces an exchange; undefined when no operation owns it. */
export function trace(exchange: Exchange, catalogue: Catalogue, names: Names, tracer: Tracer): Traced | undefined {
  const route = routeOf(catalogue.interfaces, exchange.request.method, exchange.request.target);
  if (!route) return undefined;
  const subject = readSubject(exchange, route, names);
  // Rules on replies to faulty requests ask for these; judging knows them only once the request is judged.
  subject.requestFaults = judge(exchange, { source: "proof", exchange: 0 }, catalogue, {
    names,
    policy: lenient,
    side: "request",
  })
    .findings.filter(({ level }) => level === "error")
    .map(({ clause }) => clause);
  const parts = [...requestParts(subject), ...responseParts(subject)];
  return {
    exchange,
    subject,
    visits: parts.flatMap((part) => tracer.visits(part.schema, part.value).map((visit) => ({ part, visit }))),
  };
}

/** The part with the visited value, or the visited name, replaced. */
function mutated(whole: unknown, { pointer, isName, value: old }: Visit, value: unknown): unknown {
  if (!isName) return replaceAt(whole, pointer, value);
  const members = Object.entries(resolvePointer(whole, pointer) as object);
  return replaceAt(
    whole,
    pointer,
    Object.fromEntries(members.map(([name, member]) => [name === old ? value : name, member])),
  );
}

/**
 * Variants of one visit, made only as they are asked for.
 * @param forms further values that the keyword allows
 */
export function* variantsOf(
  { exchange, subject }: Traced,
  part: Part,
  visit: Visit,
  forms: readonly unknown[] = [],
): Generator<Variant> {
  const { beyond, within } = mutantsOf(visit);
  const how = `${visit.keyword}${visit.member ? ` ${visit.member}` : ""} at ${visit.pointer || "the root"}`;
  for (const [values, breaks] of [
    [beyond, true],
    [[...within, ...forms], false],
  ] as const)
    for (const value of values) {
      const changed = putBack(exchange, subject, part, mutated(part.value, visit, value));
      if (changed) yield { clause: visit.clause, breaks, exchange: changed, how };
    }
}
