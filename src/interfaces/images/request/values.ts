/** Rules on the plain fields that the image operations share: prompt length, n, size, quality, nulls in forms. */
import { type Grade, warns } from "../../../check/clause.ts";
import { editForm } from "../../../check/edit-form.ts";
import type { Fault, Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { isLonger } from "../../../wire/characters.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { editObject, requestJsonOf, setField, withKind } from "../examples/edit-form.ts";
import {
  fieldOf,
  fieldText,
  isOperation,
  type Kind,
  kindOf,
  mayBe,
  nullable,
  type OperationName,
  undecidedKind,
} from "../reading/fields.ts";

/** A fault at one field of the request, wherever its fields stand. */
export function fieldFault(subject: Subject, name: string, fault: Omit<Fault, "side" | "in" | "pointer">): Fault {
  return { side: "request", in: subject.request.body.kind === "form" ? "form" : "body", pointer: `/${name}`, ...fault };
}

/** The request with each of these values in a field. */
function withValues(
  exchange: Exchange,
  keyword: string,
  field: string,
  values: readonly unknown[],
): ReturnType<NonNullable<Rule["within"]>> {
  return values.flatMap((value) => {
    const changed = setField(exchange, field, value);
    return changed ? [{ how: `${keyword} at /${field}`, exchange: changed }] : [];
  });
}

const clauseOf = (operation: OperationName, name: string): string => `images.${operation}.${name}`;

/** The prompt of a kind has at most so many characters: code points, unless reading X-CHARS is strict. */
export function promptLength(operation: OperationName, kind: Kind, limit: number): Rule {
  return {
    clause: clauseOf(operation, `prompt-${kind}-length`),
    applies: (subject) =>
      isOperation(subject, operation) && mayBe(subject, kind) && typeof fieldOf(subject, "prompt") === "string",
    *check(subject) {
      const unknown = undecidedKind(subject);
      if (unknown) return yield unknown;
      const prompt = fieldOf(subject, "prompt") as string;
      const expected = `at most ${limit} characters`;
      if (isLonger(prompt, limit)) return yield fieldFault(subject, "prompt", { expected, actual: prompt });
      const graded = (unit: string, strict: Grade["strict"]): Fault =>
        fieldFault(subject, "prompt", {
          expected,
          actual: prompt,
          hint: `more only when counted in ${unit}`,
          reading: { id: "X-CHARS", default: "note", strict },
        });
      if (prompt.length > limit) yield graded("UTF-16 units", "error");
      else if (prompt.length * 3 > limit && Buffer.byteLength(prompt) > limit) yield graded("bytes", "note");
    },
    spoil: (exchange) => setField(exchange, "prompt", "x".repeat(limit + 1)),
    within: (exchange) => withValues(exchange, "maxLength", "prompt", ["x".repeat(limit)]),
  };
}

/** A field has one of the values its kind knows; `graded` values are accepted with a finding of their reading. */
export function kindValues(
  operation: OperationName,
  field: "size" | "quality",
  kind: Kind,
  values: readonly string[],
  options: { readonly name?: string; readonly graded?: Readonly<Record<string, Grade>> } = {},
): Rule {
  return {
    clause: clauseOf(operation, options.name ?? `${field}-${kind}-values`),
    applies: (subject) =>
      isOperation(subject, operation) && mayBe(subject, kind) && fieldText(subject, field) !== undefined,
    *check(subject) {
      const unknown = undecidedKind(subject);
      if (unknown) return yield unknown;
      const actual = fieldText(subject, field)!;
      if (values.includes(actual)) return;
      const grades = options.graded ?? {};
      const reading = Object.hasOwn(grades, actual) ? grades[actual] : undefined;
      const expected = `one of ${values.join(", ")}`;
      yield fieldFault(subject, field, { expected, actual, ...(reading && { reading }) });
    },
    spoil: (exchange) => setField(withKind(exchange, kind), field, "unheard-of"),
    within: (exchange) => withValues(withKind(exchange, kind), "enum", field, values),
  };
}

/** Only image-v3 knows a field: other kinds must not carry it. `graded` says how a value weighs that another reading permits. */
export function onlyImageV3(
  field: "quality" | "style",
  others: readonly Kind[],
  graded: Readonly<Record<string, Grade>> = {},
): Rule {
  return {
    clause: `images.generations.${field}-support`,
    // With image-v3 the clause holds by itself; it is exercised there and can be broken by naming another model.
    applies: (subject) =>
      isOperation(subject, "generations") &&
      mayBe(subject, "image-v3", ...others) &&
      fieldText(subject, field) !== undefined,
    *check(subject) {
      const unknown = undecidedKind(subject);
      if (unknown) return yield unknown;
      if (kindOf(subject) === "image-v3") return;
      const actual = fieldText(subject, field)!;
      const reading = Object.hasOwn(graded, actual) ? graded[actual] : undefined;
      yield fieldFault(subject, field, {
        expected: "no such field, since only image-v3 supports it",
        actual,
        ...(reading && { reading }),
      });
    },
    spoil(exchange) {
      const { model, size, prompt } = requestJsonOf(exchange);
      const fitsV2 = (size ?? "1024x1024") === "1024x1024" && typeof prompt === "string" && prompt.length <= 1000;
      if (model !== "image-v3" || !fitsV2) return undefined;
      return editObject(exchange, "request", (body) => {
        const { quality: _quality, style: _style, ...rest } = body;
        return { ...rest, model: "image-v2", [field]: field === "quality" ? "hd" : "vivid" };
      });
    },
  };
}

/** With image-v3, n can only be 1. */
export function oneForImageV3(operation: OperationName): Rule {
  return {
    clause: clauseOf(operation, "n-image-v3"),
    applies: (subject) => isOperation(subject, operation) && mayBe(subject, "image-v3") && inRange(subject),
    *check(subject) {
      const unknown = undecidedKind(subject);
      if (unknown) return yield unknown;
      const n = fieldOf(subject, "n");
      if (Number(n) !== 1) yield fieldFault(subject, "n", { expected: "1, since the model is image-v3", actual: n });
    },
    spoil: (exchange) => setField(exchange, "n", 2),
    within: (exchange) => withValues(exchange, "maximum", "n", [1]),
  };
}

function inRange(subject: Subject): boolean {
  const n = fieldOf(subject, "n");
  if (typeof n === "string" && fieldText(subject, "n") === undefined) return false;
  return (typeof n === "number" || typeof n === "string") && Number.isInteger(Number(n)) && +n >= 1 && +n <= 10;
}

const wholeNumber = /^[+-]?\d+$/;

/** In a form, n is a whole number in decimal text; 1.0 and 1e0 pass with a warning (reading X-INT). */
export function countIsDecimal(operation: OperationName): Rule {
  return {
    clause: clauseOf(operation, "n-type"),
    applies: (subject) => isOperation(subject, operation) && fieldText(subject, "n") !== undefined,
    *check(subject) {
      const actual = fieldText(subject, "n")!;
      if (wholeNumber.test(actual)) return;
      const integral = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(actual) && Number.isInteger(Number(actual));
      yield fieldFault(subject, "n", {
        expected: "a whole number in decimal text",
        actual,
        ...(integral && { reading: warns("X-INT") }),
      });
    },
    spoil: (exchange) => setField(exchange, "n", "two"),
  };
}

/** In a form, n lies between 1 and 10. */
export function countInRange(operation: OperationName): Rule {
  return {
    clause: clauseOf(operation, "n-range"),
    applies: (subject) => isOperation(subject, operation) && wholeNumber.test(fieldText(subject, "n") ?? ""),
    *check(subject) {
      const actual = fieldText(subject, "n")!;
      if (Number(actual) < 1 || Number(actual) > 10) yield fieldFault(subject, "n", { expected: "1 to 10", actual });
    },
    spoil: (exchange) => setField(exchange, "n", 11),
    within: (exchange) => withValues(exchange, "maximum", "n", [1, 10]),
  };
}

/** A form leaves a nullable field out instead of writing a null as text (reading I-FORM-NULL). */
export function noNullAsText(operation: OperationName): Rule {
  const names = nullable.filter((name) => operation === "edits" || name !== "quality");
  const present = (subject: Subject): string[] => names.filter((name) => typeof fieldOf(subject, name) === "string");
  return {
    clause: clauseOf(operation, "null-values"),
    applies: (subject) =>
      isOperation(subject, operation) && subject.request.body.kind === "form" && present(subject).length > 0,
    *check(subject) {
      for (const name of present(subject))
        if (fieldText(subject, name) === undefined)
          yield fieldFault(subject, name, {
            expected: "a value, or no such field",
            actual: fieldOf(subject, name),
            reading: warns("I-FORM-NULL"),
          });
    },
    // The default stands in place of null, so that the reply still fits the request.
    spoil: (exchange) =>
      editForm(exchange, (fields) => {
        const format = fields.find(([name]) => name === "response_format")?.[1] ?? "url";
        if (!fields.some(([name]) => name === "n")) return [...fields, ["n", "null"]];
        if (format !== "url") return undefined;
        return [...fields.filter(([name]) => name !== "response_format"), ["response_format", "null"]];
      }),
  };
}
