/** Has a rule or a law break good exchanges, whoever wrote it. */
import { RuleFailure } from "../check/rule.ts";

/**
 * What a spoil makes; undefined where it cannot break this.
 * @param onFailure told, in words, where the code of a user's own fails
 */
export function spoiledBy<T>(spoil: () => T | undefined, onFailure: (why: string) => void = () => {}): T | undefined {
  try {
    return spoil();
  } catch (error) {
    if (!(error instanceof RuleFailure)) throw error;
    onFailure(error.message);
    return undefined;
  }
}
