/** Good and bad cases of laws, as data: each bad case names the places at which the law is violated. */
import { describe, expect, test } from "vitest";
import { jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { namesFrom } from "../names.ts";
import { readSubject } from "../subject.ts";
import { compileLaws, createMender, type WrittenLaw } from "./compile.ts";

/** An exchange in short. Data of events that is a string is sent as it is. */
export interface Short {
  readonly request?: unknown;
  readonly response?: unknown;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly events?: readonly unknown[];
  /** The `event:` lines of the events, if any. */
  readonly lines?: readonly (string | undefined)[];
}

export function exchangeOf({
  request = {},
  response = {},
  status = 200,
  headers = [],
  events,
  lines = [],
}: Short): Exchange {
  const sent = events
    ? streamResponse(events.map((data, i) => sseEvent(data, lines[i])))
    : jsonResponse(response, status);
  return {
    request: jsonRequest("/v1/things", [], request),
    response: { ...sent, status, headers: [...sent.headers, ...headers] },
  };
}

const operation = { name: "POST /v1/things", method: "POST", at: () => 0, schemas: {}, terminator: "[DONE]" };
const route = { interface: { name: "things", streams: () => false }, operation };

/** Judges an exchange by one law: places of violations, or undefined if the law does not apply. */
export function placesIn(law: WrittenLaw, exchange: Exchange): string[] | undefined {
  const [rule] = compileLaws([{ clause: "things.laws.law", on: "exchange", law }]);
  const subject = readSubject(exchange, route, namesFrom());
  if (!rule!.applies(subject)) return undefined;
  return [...(rule!.check(subject) ?? [])].map((fault) => {
    if (!("side" in fault)) throw new Error(fault.needs);
    return `${fault.in === "stream" ? `event ${fault.event}` : fault.in}${fault.pointer ?? ""}`;
  });
}

/**
 * Declares tests of a law: it accepts the good exchanges, finds exactly the named places in the bad ones, does not apply to the
 * others, breaks a good exchange, and mends each bad exchange that `mends` does not exclude.
 */
export function lawCases(
  what: string,
  law: WrittenLaw,
  cases: {
    readonly good: readonly Short[];
    readonly bad: readonly (readonly [short: Short, ...places: string[]])[];
    readonly none?: readonly Short[];
    /** False if only the assembly of streams can mend it. */
    readonly mends?: boolean;
  },
): void {
  describe(what, () => {
    test.each(cases.good)("accepts %j", (short) => {
      const exchange = exchangeOf(short);
      expect(placesIn(law, exchange)).toEqual([]);
      const [rule] = compileLaws([{ clause: "things.laws.law", on: "exchange", law }]);
      const spoiled = rule!.spoil(exchange);
      if (spoiled) expect(placesIn(law, spoiled)).not.toEqual([]);
    });
    test("breaks one of the good exchanges", () => {
      const [rule] = compileLaws([{ clause: "things.laws.law", on: "exchange", law }]);
      expect(cases.good.map((short) => rule!.spoil(exchangeOf(short))).filter(Boolean)).not.toEqual([]);
    });
    test.each(cases.bad.map(([short, ...places]) => ({ short, places })))(
      "finds $places in $short",
      ({ short, places }) => {
        const exchange = exchangeOf(short);
        expect(placesIn(law, exchange)).toEqual(places);
        if (cases.mends === false) return;
        const mended = createMender([{ clause: "things.laws.law", on: "exchange", law }])(exchange);
        // Where the law no longer applies, it holds.
        expect(mended && (placesIn(law, mended) ?? [])).toEqual([]);
      },
    );
    test.each(cases.none ?? [])("does not apply to %j", (short) => {
      expect(placesIn(law, exchangeOf(short))).toBeUndefined();
    });
  });
}
