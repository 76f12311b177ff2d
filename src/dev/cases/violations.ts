/** Finds the clauses that odd and failing cases violate, by our own checker. */

import { createCaseJudge, everyForm } from "../../cases/cases.test-kit.ts";
import type { Catalogue } from "../../check/catalogue.ts";

/** Clauses by case and interface. */
export type Violations = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/**
 * The violations in the answers of cases, whatever form they are asked in; cases without any are left out.
 * @returns also the cases that no typical request shows, with the reason
 */
export function violationsOf(catalogue: Catalogue): {
  readonly violations: Violations;
  readonly hidden: readonly string[];
} {
  const judgeCase = createCaseJudge(catalogue);
  const hidden: string[] = [];
  const found: Record<string, Record<string, readonly string[]>> = {};
  for (const { one, name, form } of everyForm) {
    const { errors, plan } = judgeCase(one, name, form);
    if (!plan.applies) hidden.push(`${one.id} of ${name}, ${form}: ${plan.whyNot}`);
    if (errors.length === 0) continue;
    const own = (found[one.id] ??= {});
    own[name] = [...new Set([...(own[name] ?? []), ...errors])].sort();
  }
  return { violations: found, hidden };
}

/** The file that holds them. */
export const violationsText = (violations: Violations): string =>
  `/** The clauses that cases violate, by interface. Made by \`npm run cases:violations\`; a test holds it. */
export const violations: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = ${JSON.stringify(violations, undefined, 2)};
`;
