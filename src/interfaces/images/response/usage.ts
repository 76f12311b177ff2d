/** Rules on the usage of image responses. */

import { warns } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { editObject } from "../examples/edit-form.ts";
import { kindOf, mayBe, undecidedKind } from "../reading/fields.ts";
import { at, type Image, isThere } from "../reading/reply.ts";

const usageOf = (subject: Subject): Image | undefined => {
  const usage = subject.replyJson?.["usage"];
  return isObject(usage) ? usage : undefined;
};

const hasData = (subject: Subject): boolean => Array.isArray(subject.replyJson?.["data"]);

const usageOnlyMulti: Rule = {
  clause: "images.response.usage-only-image-multi",
  applies: (subject) => hasData(subject) && kindOf(subject) !== undefined,
  *check(subject) {
    if (usageOf(subject) === undefined) return;
    const unknown = undecidedKind(subject);
    if (unknown) return yield unknown;
    if (kindOf(subject) !== "image-multi")
      yield at("/usage", { expected: `no usage, since the model is ${kindOf(subject)}`, actual: usageOf(subject) });
  },
  spoil: (exchange) =>
    editObject(exchange, "response", (body) => {
      body["usage"] ??= {
        total_tokens: 2,
        input_tokens: 1,
        output_tokens: 1,
        input_tokens_details: { text_tokens: 1, image_tokens: 0 },
      };
    }),
};

const usageOfMulti: Rule = {
  clause: "images.response.usage-image-multi",
  applies: (subject) => mayBe(subject, "image-multi") && hasData(subject),
  *check(subject) {
    if (isThere(subject.replyJson?.["usage"])) return;
    const unknown = undecidedKind(subject);
    if (unknown) return yield unknown;
    yield at("/usage", { expected: "the usage of image-multi", actual: undefined, reading: warns("I-USAGE") });
  },
  spoil: (exchange) =>
    editObject(exchange, "response", (body) => {
      delete body["usage"];
    }),
};

/** A member of the usage, or of an object in it, is asked for where the model is known to be image-multi. */
function member(name: string, path: readonly [string] | readonly [holder: string, member: string]): Rule {
  const last = path.at(-1)!;
  const holderOf = (subject: Subject): Image | undefined => {
    const usage = usageOf(subject);
    if (path.length === 1) return usage;
    const below = usage?.[path[0]];
    return isObject(below) ? below : undefined;
  };
  return {
    clause: `images.response.usage-${name}-present`,
    applies: (subject) => mayBe(subject, "image-multi") && holderOf(subject) !== undefined,
    *check(subject) {
      if (holderOf(subject)?.[last] !== undefined) return;
      const unknown = undecidedKind(subject);
      if (unknown) return yield unknown;
      yield at(`/usage/${path.join("/")}`, {
        expected: "this member to be present",
        actual: undefined,
        reading: warns("I-USAGE"),
      });
    },
    spoil: (exchange) =>
      editObject(exchange, "response", ({ usage }) => {
        const holder = isObject(usage) && path.length > 1 ? usage[path[0]] : usage;
        if (isObject(holder)) delete holder[last];
      }),
  };
}

/** One count is the sum of two others, all of them integers. */
function sum(
  clause: string,
  whole: string,
  parts: readonly [string, string],
  of: (usage: Image) => Image | undefined,
  spoilt: readonly [holder: readonly string[], member: string],
): Rule {
  const numbersOf = (subject: Subject): readonly number[] | undefined => {
    const usage = usageOf(subject);
    const values = [usage?.[whole], ...parts.map((name) => usage && of(usage)?.[name])];
    return values.every((value): value is number => Number.isInteger(value)) ? values : undefined;
  };
  return {
    clause,
    applies: (subject) => numbersOf(subject) !== undefined,
    *check(subject) {
      const [total = 0, a = 0, b = 0] = numbersOf(subject) ?? [];
      if (total !== a + b)
        yield at(`/usage/${whole}`, {
          expected: `${a + b}, ${parts.join(" plus ")}`,
          actual: total,
          reading: { id: "I-USAGE", default: "warning", strict: "warning" },
        });
    },
    spoil: (exchange) =>
      editObject(exchange, "response", (body) => {
        const holder = spoilt[0].reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
        if (isObject(holder)) holder[spoilt[1]] = Number(holder[spoilt[1]]) + 1;
      }),
  };
}

export const rules: readonly Rule[] = [
  usageOnlyMulti,
  usageOfMulti,
  member("total-tokens", ["total_tokens"]),
  member("input-tokens", ["input_tokens"]),
  member("output-tokens", ["output_tokens"]),
  member("input-details", ["input_tokens_details"]),
  member("text-tokens", ["input_tokens_details", "text_tokens"]),
  member("image-tokens", ["input_tokens_details", "image_tokens"]),
  sum("images.response.usage-total", "total_tokens", ["input_tokens", "output_tokens"], (usage) => usage, [
    ["usage"],
    "total_tokens",
  ]),
  sum(
    "images.response.usage-input-sum",
    "input_tokens",
    ["text_tokens", "image_tokens"],
    (usage) => {
      const details = usage["input_tokens_details"];
      return isObject(details) ? details : undefined;
    },
    [["usage", "input_tokens_details"], "text_tokens"],
  ),
];
