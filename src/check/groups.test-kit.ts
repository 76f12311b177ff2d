/** Groups of findings made by hand. */
import type { Finding } from "./clause.ts";
import { createGroups, type GroupCount } from "./groups.ts";

/** The groups a judgement with these findings would have. */
export function groupsOf(findings: readonly Finding[]): GroupCount[] {
  const groups = createGroups();
  for (const finding of findings) groups.add(finding);
  return groups.all();
}
