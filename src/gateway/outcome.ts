/** What a whole document comes to: is the gateway faithful, as far as anybody demands it? */
import { type ExitCode, exitCodeOf } from "../verdict/outcome.ts";
import type { GatewayDocument } from "./document.ts";

/** `1` where a clause fails at either end, a fact is lost that must be kept, or the gateway ended. */
export function gatewayExitCode(document: GatewayDocument): ExitCode {
  const code = exitCodeOf(document);
  const isRed = document.ended.length > 0 || document.facts.some(({ level }) => level === "error");
  return code === 0 && isRed ? 1 : code;
}
