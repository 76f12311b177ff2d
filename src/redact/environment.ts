/** Finds the secrets of our own environment by the names of variables. They are masked everywhere. */
import { isAbsolute } from "node:path";
import { isPath, isScrambled } from "./looks.ts";
import { namingOf } from "./names.ts";
import { isCommonplace, isStandIn } from "./stand-ins.ts";

export interface OwnSecrets {
  /** Values to mask in every spelling. */
  readonly telling: readonly string[];
  /** Values of words alone. They are masked within sentences, since elsewhere they may be words of an interface. */
  readonly words: readonly string[];
}

/** A shorter value may be part of anything. */
const shortest = 8;
/** Bounds of what is searched for: characters of a value, and values of each kind. */
const [longest, maxValues] = [16 << 10, 64];

const secretName = /_(?:TOKEN|KEY|SECRET)S?$|PASSWORD/i;
/** Keys of a target, by interface. */
const ownKey = /^TOUCHSTONE_KEY(?:_|$)/;

/** Whether a variable holds a secret: `SORT_KEY` and `EOS_TOKEN` do not. */
const isSecretName = (name: string): boolean =>
  ownKey.test(name) || (secretName.test(name) && namingOf(name) !== "none") || namingOf(name) === "credential";

/** Default passwords of well-known software, and names of environments. */
const wellKnown =
  /^(?:postgres(?:ql)?|minioadmin|mongoadmin|rabbitmq|elasticsearch|clickhouse|keycloak|sonarqube|administrator|superuser|development|production|password\d{0,4}|passw0rd|12345678\d{0,2}|qwerty\w{2,5}|letmein\w*|localhost(?::\d+)?)$/i;

/** Whether a value is public: a placeholder, a path, an address without a password, a number or a date. */
const isNoSecret = (value: string): boolean =>
  wellKnown.test(value) ||
  isCommonplace(value) ||
  isStandIn(value) ||
  isPath(value) ||
  /^[a-z][a-z\d+.-]*:\/\/[^@]*$/i.test(value) ||
  /^[\d.,:TZ+ -]{1,19}$/.test(value);

/** Returns the secrets among variables. */
export function secretsIn(environment: Readonly<Record<string, string | undefined>>): OwnSecrets {
  const telling = new Set<string>();
  const words = new Set<string>();
  for (const [name, value = ""] of Object.entries(environment)) {
    const secret = value.trim();
    if (secret.length < shortest || secret.length > longest || !isSecretName(name) || isNoSecret(secret)) continue;
    // The working directory. Temporary folders have random names, so `isPath` may not recognize it.
    if (name === "PWD" && isAbsolute(secret)) continue;
    const isOfWords = /^[A-Za-z]+(?:[-_./ ][A-Za-z]+)*$/.test(secret) && !isScrambled(secret);
    (isOfWords ? words : telling).add(secret);
  }
  return { telling: [...telling].slice(0, maxValues), words: [...words].slice(0, maxValues) };
}
