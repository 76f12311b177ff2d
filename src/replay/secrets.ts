/** Keeps a target's credentials out of everything a run prints or leaves: some services repeat a key in their errors. */
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

/** Plain data with every secret in its texts replaced. */
export function scrub<T>(value: T, secrets: readonly string[]): T {
  const text = JSON.stringify(value);
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(JSON.stringify(secret).slice(1, -1), "[key]"), text);
  return clean === text ? value : (JSON.parse(clean) as T);
}
