/** Rules on streams that several interfaces share; each takes the clause it decides and returns a fresh rule. */

import { notes, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { utf8 } from "../../wire/build.ts";
import { editBody, editEvents } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { notUtf8 } from "./json.ts";

/** Whether a body is neither JSON nor a stream. */
const isOther = (kind: string): boolean => kind === "empty" || kind === "text";

/** A stream comes when asked for, and only then. */
export function streamWhenAsked(clause: string): Rule {
  return {
    clause,
    applies: ({ streamed, response }) =>
      response?.ok === true &&
      (response.body.kind === "json" || response.body.kind === "stream" || (streamed && isOther(response.body.kind))),
    check({ streamed, response, interrupted }) {
      const kind = response?.body.kind;
      // An error under a status of success is another clause's fault.
      if (response?.body.kind === "json" && isObject(response.body.value) && isObject(response.body.value["error"]))
        return;
      if (streamed && kind !== "stream" && !interrupted) {
        const actual = inWords(
          kind === "json" ? "one JSON document" : kind === "empty" ? "an empty body" : "some other text",
        );
        return [{ side: "response", in: "body", expected: "a stream of events", actual }];
      }
      if (!streamed && kind === "stream")
        return [{ side: "response", in: "body", expected: "one JSON document", actual: inWords("a stream of events") }];
      return undefined;
    },
    spoil: (exchange) =>
      editBody(
        exchange,
        "response",
        Buffer.from(exchange.response?.body ?? [])
          .toString("utf8")
          .startsWith("{")
          ? utf8("data: {}\n\n")
          : utf8("{}"),
      ),
  };
}

const isStreamed = ({ streamEvents }: Subject): boolean => streamEvents !== undefined;
const eventsOf = ({ response }: Subject) => (response?.body.kind === "stream" ? response.body.events : []);

/** Every event's data is JSON, the terminator apart. */
export function eventsAreJson(clause: string): Rule {
  return {
    clause,
    applies: isStreamed,
    *check(subject) {
      for (const { kind, position, problem } of eventsOf(subject))
        if (kind === "invalid")
          yield { side: "response", in: "stream", event: position, expected: "JSON data", actual: problem };
      if (subject.response?.body.kind === "stream")
        for (const event of subject.response.body.notUtf8)
          yield { side: "response", ...notUtf8, in: "stream", event, reading: warns("X-UTF8") };
    },
    spoil: (exchange) => editEvents(exchange, (events) => void events.splice(1, 0, { data: "{broken" })),
  };
}

/** The last event is closed by a blank line (reading X-SSE). */
export function streamEndsWithBlankLine(clause: string): Rule {
  return {
    clause,
    applies: (subject) => isStreamed(subject) && !subject.interrupted,
    check({ response }) {
      if (response?.body.kind !== "stream" || response.body.terminated) return undefined;
      return [
        {
          side: "response",
          in: "stream",
          ...(response.body.events.length > 0 && { event: response.body.events.length - 1 }),
          expected: "a blank line after the last event",
          actual: inWords("the end of the body"),
          reading: warns("X-SSE"),
        },
      ];
    },
    spoil(exchange) {
      const body = Buffer.from(exchange.response?.body ?? []);
      let end = body.length;
      while (body[end - 1] === 10 || body[end - 1] === 13) end--;
      return editBody(exchange, "response", body.subarray(0, end));
    },
  };
}

/** No error is reported in mid-stream (reading X-STREAM-ERROR: undocumented, not forbidden). */
export function noErrorInStream(clause: string, error: { readonly data: unknown; readonly event?: string }): Rule {
  return {
    clause,
    applies: isStreamed,
    *check(subject) {
      for (const { kind, position, value } of eventsOf(subject))
        if (kind === "error")
          yield {
            side: "response",
            in: "stream",
            event: position,
            expected: "no error event, since the document describes none",
            actual: value,
            reading: notes("X-STREAM-ERROR"),
          };
    },
    spoil: (exchange) => editEvents(exchange, (events) => [...events.slice(0, 1), error]),
  };
}

/**
 * A stream that says it is over is over: nothing broke off behind the last event, and nobody waited for an end that did not
 * come (reading X-CLIENTS: official clients read on until the body ends).
 * @param isOver whether the last event came
 */
export function bodyEnds(clause: string, isOver: (subject: Subject) => boolean): Rule {
  return {
    clause,
    applies: (subject) => isStreamed(subject) && subject.exchange.aborted !== "client" && isOver(subject),
    check({ exchange, streamEvents }) {
      if (exchange.aborted === undefined) return undefined;
      return [
        {
          side: "response",
          in: "stream",
          event: streamEvents?.at(-1)?.position ?? 0,
          expected: "the end of the body after the last event",
          actual: inWords("a body that went on or broke off"),
          reading: warns("X-CLIENTS"),
        },
      ];
    },
    spoil: (exchange) => (exchange.response ? { ...exchange, aborted: "upstream" } : undefined),
  };
}
