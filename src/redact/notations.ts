/** Reads how names of credentials and their values stand beside each other in code, configuration, XML and lists of pairs. */

/** Blanks and line ends, also escaped ones. */
const gap = String.raw`(?:[ \t\r\n]|\\+[nrt])`;

/** The text that may stand between a separator and a value in quotes: line ends, bold face, prefixes of strings, wrappers. */
const beforeQuote = new RegExp(
  String.raw`^(?:${gap}|\*{2})*(?:(?:(?:u8|[bcflnru]{1,2})#{0,3}|[@$]{1,2}|(?:new )?(?:Secret|SecretString|SecureString|Sensitive|Redacted|String|Ok|Just|bytes|bytearray|Buffer\.from|SecretString::new|SecretString::from|Secret::new)\(|String::from\(|SecretStr\(|Secret\(|Some\(|(?:pydantic\.)?Field\((?:default ?= ?)?|field\(default ?= ?|!{1,2}[\w/:!]*[ \t]+|&[\w-]+[ \t]+)(?=\\*["']))?(\\*)(["'\x60])`,
  "i",
);
/** The text before a block of YAML. */
const beforeBlock = new RegExp(
  String.raw`^ ?(?:(?:!{1,2}[\w/:.]*|&[\w-]+)[ \t]+)?[|>](?:[-+]?\d?|\d[-+])(?=${gap})${gap}+(?=\S)`,
);
const maxGap = 64;

/** The beginning of a value in quotes behind a separator: how far, the quote and the backslashes before it. */
export interface Opening {
  readonly skipped: number;
  readonly mark: number;
  readonly escapes: number;
}

/** Reads what follows a separator; `mark` is 0 where no quote opens. */
export function openingOf(bytes: Buffer, at: number): Opening {
  const text = bytes.toString("latin1", at, at + 2 * maxGap);
  const [whole, slashes, mark] = beforeQuote.exec(text) ?? [];
  // JSON within JSON within JSON has 0, 1, 3, 7, … of them.
  if (whole !== undefined && (slashes!.length & (slashes!.length + 1)) === 0 && slashes!.length < maxGap)
    return { skipped: whole.length, mark: mark!.charCodeAt(0), escapes: slashes!.length };
  const skipped = (beforeBlock.exec(text) ??
    /^[ \t]*(?:\*\* ?)?(?:!{1,2}(?:<[^<>\s]*>|[\w/:.!-]*)[ \t]+(?=\S)|&[\w-]+[ \t]+(?=\S))*/.exec(text)!)[0].length;
  return { skipped, mark: 0, escapes: 0 };
}

const before = (bytes: Buffer, at: number, length: number): string =>
  bytes.toString("latin1", Math.max(0, at - length), at);

/** The name of a tag with attributes that ends at a `>`. */
export const tagBefore = (bytes: Buffer, at: number): string | undefined =>
  /<([\w.:-]{2,64})\s[^<>]*$/.exec(before(bytes, at, 128))?.[1];

const pairName = "(?:name|key|field|header|variable)";
const nameBeforeValue = new RegExp(
  String.raw`(?:^|[^\w])${pairName}\\*["']?\s*[:=]\s*\\*["']?([\w.$-]{2,64})(?![\w.$-])[^{}[\]<>]{0,48}$`,
  "i",
);
const nameAfterValue = new RegExp(
  String.raw`^\\*["']?\s*,\s*\\*["']?${pairName}\\*["']?\s*:\s*\\*["']?([\w.$-]{2,64})`,
  "i",
);

/** The name that goes with a value, where the two are members, lines or attributes of their own and this is the value's. */
export const nameOfPair = (bytes: Buffer, from: number): string | undefined =>
  nameBeforeValue.exec(before(bytes, from, 160))?.[1];

/** The same where the name comes behind the value, which ends at a byte. */
export const nameBehind = (bytes: Buffer, to: number): string | undefined =>
  nameAfterValue.exec(bytes.toString("latin1", to, to + 128))?.[1];

/** The name in `<key>…</key><string>`, whose last tag's name begins at a byte. */
export const nameOfProperty = (bytes: Buffer, from: number): string | undefined =>
  /<key>([\w.$-]{2,64})<\/key>(?:\s|\\+[nrt])*<$/.exec(before(bytes, from, 128))?.[1];

/** The name of what is declared, whose type ends at a byte: `const token: string = …`, `let key: String? = …`. */
export const nameOfTyped = (bytes: Buffer, end: number): string | undefined =>
  /([\w$]{2,64})\\?[?!]?\s*:\s*(?:&(?:'\w+ )?|\w+\.)?[A-Za-z][\w.]*(?:\[[^[\]=:]{0,32}\]|<[^<>=:]{0,32}>)?[?!]?(?: \| ?\w+)*$/.exec(
    before(bytes, end, 128),
  )?.[1];

/** The name of a property with accessors, whose closing bracket stands before a byte: `string ApiKey { get; set; } = …`. */
export const nameOfAccessors = (bytes: Buffer, end: number): string | undefined =>
  /(\w{2,64})\s*\{\s*(?:[a-z]+\s+)?get;[\w\s;]{0,32}\}$/.exec(before(bytes, end, 128))?.[1];

/** The name of a variable of Terraform whose `default` begins at a byte. */
export const nameOfVariable = (bytes: Buffer, from: number): string | undefined =>
  /\bvariable\s+\\*"([\w-]{2,64})\\*"\s*\{[^{}]{0,160}$/.exec(before(bytes, from, 256))?.[1];

/** The purpose of an `<input>` whose `value` begins at a byte: its type stands before or behind. */
export function typeOfInput(bytes: Buffer, from: number): string | undefined {
  const type = /\stype\s*=\s*\\*["']?(password)\b/i;
  const head = /<input\b[^<>]*$/i.exec(before(bytes, from, 256))?.[0];
  if (head === undefined) return undefined;
  return (type.exec(head) ?? type.exec(/^[^<>]*/.exec(bytes.toString("latin1", from, from + 256))![0]))?.[1];
}

/** The first argument of a call, and how far from its bracket the second one begins, a string. */
export function argumentsOf(bytes: Buffer, at: number): readonly [name: string, second: number] | undefined {
  const found = /^[([](?:\s|\\+[nrt])*(\\*["'])([\w.$-]{2,64})\1,(?:\s|\\+[nrt])*/.exec(
    bytes.toString("latin1", at, at + 160),
  );
  return found ? [found[2]!, found[0].length] : undefined;
}

/** An option that begins with dashes: its name, how far from them its value begins, and whether that is the next item of a list. */
export function optionOf(
  bytes: Buffer,
  at: number,
): readonly [name: string, value: number, listed: boolean] | undefined {
  const text = bytes.toString("latin1", at, at + 128);
  const found =
    /^--([A-Za-z][\w-]{1,63}) +/.exec(text) ??
    /^--([A-Za-z][\w-]{1,63})(\\*["'])(?:\s|\\+[nrt])*,(?:\s|\\+[nrt])*(?=\2)/.exec(text) ??
    /^--([A-Za-z][\w-]{1,63})(\\*["']?)(?:[\r\n]|\\+[nr])+ *- +/.exec(text);
  return found ? [found[1]!, found[0].length, found[2] !== undefined] : undefined;
}
