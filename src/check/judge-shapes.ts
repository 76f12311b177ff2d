/** Validates the values of one side, and marks the exercised clauses. */
import { expandNearest } from "./alternatives.ts";
import { type Budget, isTooMuch, spend, TooMuch, violationCost } from "./budget.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Grade, isStrict, type Policy, type Violation } from "./clause.ts";
import type { Marks, SchemaError, Validator } from "./schema.ts";
import type { Part } from "./schema-targets.ts";
import { fractionViolations, isSilentError, shapeViolations } from "./shape.ts";

/** Maximum number of schema errors of one value. */
const maxErrors = 100_000;

/** Validates values. Reports all violations so far, then throws TooMuch, if the step budget is exhausted. */
export function judgeShapes(
  parts: Iterable<Part>,
  catalogue: Catalogue,
  marks: Uint8Array,
  policy: Policy,
  budget: Budget,
  report: (violation: Violation, value: unknown) => void,
): void {
  let errors: SchemaError[] = [];
  const context: { -readonly [K in keyof Marks]: Marks[K] } = {
    marks,
    closed: false,
    spend: (steps) => spend(budget, steps),
    onError(error) {
      // Errors within `if` are empty, and removed later.
      if (error.instancePath === undefined) return;
      if (errors.length === maxErrors) throw new TooMuch();
      spend(budget, violationCost + error.instancePath.length);
      errors.push(error);
    },
  };
  const isClosed = isStrict(policy, "X-EXTRA");
  let schema: string | undefined;
  let validate!: Validator;
  for (const { schema: wanted, value, place, fractions, original, missing } of parts) {
    // Most parts are events of one schema.
    if (wanted !== schema) {
      schema = wanted;
      validate = catalogue.validator(schema);
      context.closed = place.side === "request" || isClosed;
    }
    errors = [];
    let cut: unknown;
    let valid = false;
    try {
      valid = validate.call(context, value) || isHarmless(validate, policy, missing);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      cut = error;
      // Errors on null and `contains` depend on the rest of the value.
      errors = errors.filter(({ data, schemaPath }) => data !== null && !schemaPath.includes("/contains/"));
    }
    if (valid && fractions === undefined) continue;
    const add = (violation: Violation): void =>
      report(original ? { ...violation, pointer: original(violation.pointer) } : violation, value);
    const found = cut ? errors : (validate.errors ?? []);
    const shape = { openEnums: policy.openEnums, missing };
    if (!valid) for (const violation of shapeViolations(validate, value, found, place, context, shape)) add(violation);
    if (cut) throw cut;
    if (fractions) fractionViolations(validate, value, fractions, place, marks.length).forEach(add);
  }
}

/** Whether the current readings silence all errors of a validator. Real traffic often has such errors. */
function isHarmless({ errors }: Validator, policy: Policy, missing: Grade | undefined): boolean {
  for (const error of expandNearest(errors ?? [])) if (!isSilentError(error, policy, missing)) return false;
  return true;
}
