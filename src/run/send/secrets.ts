/** Removes the target's credentials from everything a run prints or writes. Some services repeat a key in their errors. */
import type { HeadJudge } from "../../check/judge-heads.ts";
import type { Names } from "../../check/names.ts";
import { isPlainHeader } from "../../redact/allowed.ts";
import { withoutKeys } from "../../redact/mask.ts";
import { namesCredential } from "../../redact/names.ts";
import { redact } from "../../redact/redact.ts";
import type { Exchange } from "../../wire/exchange.ts";
import type { Target } from "../plan/target.ts";

/** A value that must not be shown, and the environment variable that stands for it in commands. */
export interface Secret {
  readonly value: string;
  readonly variable: string;
}

/** Shorter values would be found everywhere; a header that holds one is hidden by its place. */
const shortest = 6;

/** A run of letters and digits that no word and no version number is. */
const random = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{12,}/i;

/** Whether a user's header carries a credential: by its name, by a known shape, as one of our own environment, or since its value looks like nothing else. */
export function isSecretHeader(name: string, value: string): boolean {
  if (isPlainHeader(name.toLowerCase())) return false;
  return namesCredential(name) || random.test(value) || withoutKeys(value) !== value;
}

const variableOf = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z\d]+/g, "_")
    .replace(/^(?=\d)/, "_");

/** The variable that holds the key of an interface, or of all (`*`), where nobody names another. */
export const keyVariable = (name: string): string =>
  name === "*" ? "TOUCHSTONE_KEY" : `TOUCHSTONE_KEY_${variableOf(name)}`;

/** The value without a scheme such as `Bearer`. */
export const withoutScheme = (value: string): string => /^[\w-]+ +(\S+)$/.exec(value)?.[1] ?? value;

/**
 * Every value that must not be shown, longest first: the keys, and the headers that carry credentials. A key has the name of
 * its environment variable, or a possible one if it stands in none. A header has its own name: `$MY_KEY`,
 * `$TOUCHSTONE_KEY_MESSAGES`, `$X_PASS`.
 */
export function secretsOf({
  keys,
  keyVariables = {},
  headers,
}: Pick<Target, "keys" | "keyVariables" | "headers">): Secret[] {
  const secrets: Secret[] = [];
  const add = (value: string, name: string): void => {
    if (value === "" || secrets.some((known) => known.value === value)) return;
    let variable = name;
    for (let n = 2; secrets.some((known) => known.variable === variable); n++) variable = `${name}_${n}`;
    secrets.push({ value, variable });
  };
  // Variables that are there keep their names.
  for (const [name, variable] of Object.entries(keyVariables)) add(keys[name] ?? "", variable);
  for (const [name, key] of Object.entries(keys)) add(key, keyVariable(name));
  for (const [name, value] of headers) if (isSecretHeader(name, value)) add(withoutScheme(value), variableOf(name));
  return secrets.sort((a, b) => b.value.length - a.value.length);
}

/** Secrets that are looked for wherever they may stand. */
export const isLong = ({ value }: Secret): boolean => value.length >= shortest;

/**
 * The exchange without the target's credentials, masked at the same length, with the verdict on masked values of heads. This comes before judging, since a report that
 * shortens what came would leave half of a key.
 */
export function withoutSecrets(
  exchange: Exchange,
  target: Target,
  names: Names,
  heads?: HeadJudge | undefined,
): Exchange {
  const added = target.headers.filter(([name, value]) => !isSecretHeader(name, value)).map(([name]) => name);
  const keepHeaders = [...names.ownHeaders.map(({ own }) => own), ...added];
  const secrets = secretsOf(target)
    .filter(isLong)
    .map(({ value }) => value);
  return redact(exchange, { secrets, keepHeaders, heads });
}
