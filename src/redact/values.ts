/** Tells values that are credentials from words, places in code and stand-ins for a value, by their content in the notation they stand in. */
import { isInterfaceText, readable } from "./interface-texts.ts";
import { isCrypt, isPath, isScrambled } from "./looks.ts";
import { namingOf } from "./names.ts";
import { isStandIn, refers } from "./stand-ins.ts";

/** Objects whose members programs pass on, and names of types. */
const isPassedOn = (value: string): boolean =>
  /^(?:this|self|re[qs]|request|response|data|config|cfg|settings|process|env|os|ctx|context|props|state|args|opts|options|params|app|user|body|event|secrets|vars)(?:\??\.[A-Za-z_$][\w$]*)+$/.test(
    value,
  ) || /^(?:[A-Z][a-z]{2,}|V\d{1,2}){3,}$|^[A-Z]\w*(?:::\w+)+$|^projects\/|^arn:/.test(value);

/** Names of types, by their last word. */
const isType = (value: string): boolean =>
  /^[A-Z]\w*(?:Str|String|Token|Key|Secret|Password|Credentials?|Type|Field|Input|Provider|Config|Options|Request|Response|Manager|Buffer|Bytes|Data|Dict|List|Map|Value|Model|Schema|Info|Entity|Object|Props|State|Store|Service|Client|Handler|Auth|Code|Id|Hash|Callback|Function|Ref|Element|Controller|View|Label|Text)$/.test(
    value,
  );

/** Names in code and paths rather than values: `settings.api_key`, `getToken`, `YOUR_API_KEY`. A sign may end them: `aws.secretKey,`. */
const isCode = (value: string): boolean => isPlace(value.replace(/[,;]$/, ""));

const isPlace = (value: string): boolean =>
  isPassedOn(value) ||
  // A line of a file that a link in Markdown leads to: `[src/token.ts:64](…)`.
  /^\d+\]\(/.test(value) ||
  isPath(value) ||
  /^[*&][A-Za-z_]+$|^\$?\{{1,2}[\s\w.]*$/.test(value) ||
  /^\$(?:[a-z_]+|[a-z]+(?:[A-Z][a-z]+)+)(?:->\w+)*$/.test(value) ||
  /^(?:https?:\/\/|[A-Za-z_$]\w*:\/\/[\w.-]+\/|[A-Za-z_]\w+(?:\.[A-Za-z_]\w*)*\(|\d{4}-\d\d-\d\d(?:T|$))/.test(value) ||
  /^[A-Za-z_$]{2,}(?:64)?\[[A-Za-z_$][\w$:.]*$/.test(value) ||
  // An expression that a password has to match.
  /\[\^?[\w\\]*(?:a-z|A-Z|0-9)/.test(value) ||
  (/^[A-Za-z_$][A-Za-z_$]*(?:(?:\??\.|::|->)[A-Za-z_$]+)*(?:[([].*)?[)\]]?$/.test(value) && !isScrambled(value));

/** Names of what a value is stored in, and words that settings choose from. */
const settings =
  /^(?:plaintext|encrypted|hashed|sha\d*|bcrypt|argon2|scram|md5|trust|peer|ident|manual|generated|random|prompt|stdin|keychain|keyring|vault|file|environment|disabled|enabled|never|always|static|dynamic|system|builtin|external|internal|anonymous|public|private|global|local|custom|rotated?|expired|revoked|changed|forgotten|provided|sent|stored|saved|input|output|value|username|user|email|name|getpass|result|response|request|session|memory|localstorage|string|function|object|method|please|needed|necessary|mandatory|managed|configured|unset|personal|access|refresh|service)$/i;

/** Whether a name is one of a value that is nothing else than that: a cookie or an authorization may be a setting. */
export const isStrong = (name: string): boolean =>
  !/(?:authorization|cookies?|credentials?|bearer|jwt|secrets)$/i.test(name);

/** Letters with a stroke that say how something is: `case-sensitive`, `read-only`. */
const saysHow =
  /[-_](?:sensitive|only|based|free|less|in|up|out|off|on|to|by|of|the|and|or|go|side|level|type|mode|protected|encrypted|specific|related|safe|end|time|wide|user|name|file|env|input|value|field|path|prompt|store|provider|manager|format|policy)$/i;

/** Whether letters in both cases are of shorter pieces than words in names are. */
const isOdd = (value: string): boolean => {
  const pieces = /^[A-Za-z]{8,}$/.test(value) ? value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)! : [];
  return (
    (pieces.length >= 3 && value.length / pieces.length < 3.4) ||
    (pieces.length > 1 && pieces.some((one) => /^[A-Z]?[bcdfghjklmnpqrstvwxz]{4,}$/.test(one)))
  );
};

/** Letters that are a value rather than a name in code or a word: of these nothing but their place tells. */
export function isChosen(value: string): boolean {
  if (value.length < 6 || settings.test(value) || isType(value) || isInterfaceText(value)) return false;
  if (/^[A-Za-z]+(?:[-_][A-Za-z]+)+$/.test(value))
    return !saysHow.test(value) && (!value.includes("_") || namingOf(value) === "none");
  if (isScrambled(value) || isOdd(value)) return namingOf(value) === "none";
  if (/^[a-z]+[A-Z]/.test(value) || /^[A-Z]{2,}$/.test(value) || namingOf(value) !== "none") return false;
  return /^[A-Za-z]+$/.test(value);
}

/** Whether something else than letters makes a text no word. */
const isUnlikeWords = (value: string): boolean =>
  (/\d/.test(value) && /[A-Za-z]/.test(value)) ||
  /^\d{6,}$/.test(value) ||
  isScrambled(value) ||
  (/[A-Za-z\d][!@#$%^*+=~?][A-Za-z\d!@#$%^*+=~?]|^[!@#$%^*+=~?]\S*[A-Za-z]/.test(value) &&
    !/^[\w.+-]+@[\w-]+\.[\w.-]+$/.test(value)) ||
  (value.length >= 16 && /[a-z][A-Z]/.test(value));

/** A whole string that is named a credential: it is one, unless it says that nothing is there, or is what people read beside a field. */
export function isMember(value: string): boolean {
  const text = readable(value).trim();
  return text !== "" && !isStandIn(text) && !isPath(text) && !isInterfaceText(text);
}

/** A value unquoted behind a credential's name and an equals sign. */
export const isAssigned = (value: string): boolean =>
  value.length >= 6 &&
  !isStandIn(value) &&
  (isCrypt(value) ||
    (!isCode(value) &&
      !isInterfaceText(value) &&
      (/\d/.test(value) || /[^\w.-]/.test(value) || value.length >= 16 || isScrambled(value))));

/** Documents and algorithms that sentences about credentials name: `RFC6265`, `Argon2id`, `PBKDF2-SHA256`. */
const isStandard =
  /^\(?(?:(?:RFC|ISO|IEC|NIST|FIPS|SP|OWASP|CVE|CWE|BCP|STD)[- ]?\d+(?:[-.]\d+)*(?:bis)?|(?:HTTPS?|TLS|SSL|OAuth|OpenID|SAML|HTTP|TOTP|WPA)[-/]?\d+(?:\.\d+)*|(?:(?:hmac|pbkdf2?|pbkdf|argon|bcrypt|scrypt|sha|shake|md|aes|rsa|ecdsa|ed|curve|x|gcm|cbc|with|rs|es|hs|ps|p|ntlm|kerberos|crc|blake|chacha|poly)(?:\d{0,4}(?:id|i|d|s|b)?|v\d)(?:[-_/]|(?![\w-])))+)\)?[.:;]?$/i;

/** A value in prose or a header line behind a credential's name and a colon. */
export const isProseValue = (value: string): boolean =>
  value.length >= 6 &&
  !isStandIn(value) &&
  !isStandard.test(value) &&
  (isCrypt(value) || (!isCode(value) && isUnlikeWords(value) && !isInterfaceText(value)));

/** A value that a query or a form sends under a credential's name. */
export const isSent = (value: string): boolean =>
  value.length >= 4 &&
  !isStandIn(value) &&
  !/^(?:\$?\{|\(|[A-Za-z_.]+\(|[A-Za-z_.]+\[['"])/.test(value) &&
  // Forms encode such letters: `password=Contraseña` is a line of texts.
  !(/[\x80-\xff]/.test(value) && isInterfaceText(value));

/** A value alone behind a credential's name and its separator, to the end of the line. */
export const isSetting = (value: string, strong: boolean): boolean =>
  isProseValue(value) ||
  (value.length >= 4 &&
    !isStandIn(readable(value)) &&
    (/[^\w.-]/.test(value)
      ? !isCode(value) && !/^[A-Za-z_.]+[([{]|^[[{(<|>&*!]|[,;]$|\|/.test(value) && !isInterfaceText(value)
      : strong && isChosen(value)));

/** A value behind `NAME_IN_CAPITALS=` on a line of its own. */
export const isExported = (value: string): boolean =>
  value !== "" && !refers(value) && !/^[a-z_]{3,}(?:\.[a-z_]+)*[([](?![^\])]*[^\w\])'"., -])/.test(value);

/** A value that a command gives to an option that is named a credential. */
export const isOption = (value: string): boolean =>
  isProseValue(value) ||
  (/^[A-Za-z]+(?:[-_][a-z]+)*$/.test(value) && /[a-z]/.test(value) && !isStandIn(value) && isChosen(value));

/** A value in quotes behind a credential's name, as code has it. */
export const isQuoted = (value: string, strong = true): boolean =>
  value.length >= 6 &&
  isMember(value) &&
  !/^(?:https?:|projects\/|arn:)/.test(value) &&
  !(/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) && namingOf(value) !== "none") &&
  (/[^a-z_ ]/.test(value) || value.length >= 12 || (strong && isChosen(value)));
