/** Keeps a target's credentials out of everything a run prints or leaves: some services repeat a key in their errors. */

import type { Names } from "../check/names.ts";
import { redact } from "../redact/redact.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Target } from "./target.ts";

/** Header names whose value is a secret when a user adds it. */
const secretHeader = /auth|key|token|secret|cookie/i;

/** Every value that must not be shown. Very short ones are no secrets, and would be found everywhere. */
export function secretsOf({ keys, headers }: Pick<Target, "keys" | "headers">): string[] {
  const added = headers
    .filter(([name]) => secretHeader.test(name))
    .map(([, value]) => value.replace(/^(?:Bearer|Basic) +/i, ""));
  return [...new Set([...Object.values(keys), ...added])]
    .filter((secret) => secret.length >= 6)
    .sort((a, b) => b.length - a.length);
}

/**
 * What passed, without the target's credentials: masked at the same length before anything is judged, since a report that
 * shortens what came would leave half of a key.
 */
export function withoutSecrets(exchange: Exchange, target: Target, names: Names): Exchange {
  const keepHeaders = names.boundHeaders.map((neutral) => names.header(neutral));
  return redact(exchange, { secrets: secretsOf(target), keepHeaders });
}
