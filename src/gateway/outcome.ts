/** What a whole document comes to: is the gateway faithful, as far as anybody demands it? */
import { type ExitCode, exitCodeOf } from "../verdict/outcome.ts";
import type { GatewayDocument } from "./document.ts";

/** `1` where a clause fails at either end, or a fact is lost that must be kept. */
export function gatewayExitCode(document: GatewayDocument): ExitCode {
  const code = exitCodeOf(document);
  return code === 0 && document.facts.some(({ level }) => level === "error") ? 1 : code;
}
