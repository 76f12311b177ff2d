/** Judges the values of one side by their schemas, and marks which clauses they met. */
import { expandNearest } from "./alternatives.ts";
import { type Budget, isTooMuch, spend, TooMuch, violationCost } from "./budget.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Grade, isStrict, type Policy, type Violation } from "./clause.ts";
import type { Marks, SchemaError, Validator } from "./schema.ts";
import type { Part } from "./schema-targets.ts";
import { fractionViolations, isSilentError, shapeViolations } from "./shape.ts";

/** Errors of one value that are looked into. */
const maxErrors = 100_000;

/** Judges values by their schemas; throws TooMuch where that is too much, after telling what was found until then. */
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
      // A condition's errors are empty, and taken back.
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
      // Whether a null is harmless, or one item among many contains what is wanted, is known only of the whole.
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

/** Whether what a validator just reported is silent under the readings chosen: real services break narrow ones all the time. */
function isHarmless({ errors }: Validator, policy: Policy, missing: Grade | undefined): boolean {
  for (const error of expandNearest(errors ?? [])) if (!isSilentError(error, policy, missing)) return false;
  return true;
}
