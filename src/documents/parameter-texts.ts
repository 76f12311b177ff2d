/** Reads texts of parameters as the values that they stand for, and writes values as texts; what may mean two things is left unknown. */
import { isObject, parseJson } from "../wire/json.ts";
import type { Field } from "./form-values.ts";
import type { TypeName } from "./json-types.ts";
import type { Way } from "./parameter-ways.ts";
import { isRedacted, unknownValue, valueBehind } from "./text-values.ts";

/** What reading a text has to know of a parameter. */
export interface TextParameter {
  readonly way: Way;
  readonly types: ReadonlySet<TypeName>;
  /** Types of its items and members. */
  readonly field: Field | undefined;
}

/** How texts of one place are spelt. */
export interface Escapes {
  readonly decode: (raw: string) => string;
  /** Undefined where the place cannot carry the text. */
  readonly encode: (text: string) => string | undefined;
}

export type Scalar = string | number | boolean;
export const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** The value of one text. @param raw as it was sent */
export function valueOfText(raw: string, parameter: TextParameter, { decode }: Escapes): unknown {
  const { way, types } = parameter;
  if (isRedacted(raw) || isRedacted(decode(raw)) || !raw.startsWith(way.start)) return unknownValue;
  const rest = raw.slice(way.start.length);
  if (way.kind === "json") return valueOfJson(decode(rest), types);
  if (way.kind === "list" || way.kind === "object") return valueOfJoined(rest, parameter, decode);
  return valueOfScalar(decode(rest), types);
}

/** An empty text is often sent in place of none. */
function valueOfScalar(text: string, types: ReadonlySet<TypeName>): unknown {
  return text === "" && !types.has("string") ? unknownValue : valueBehind(text, types);
}

function valueOfJson(text: string, types: ReadonlySet<TypeName>): unknown {
  const json = text === "" ? undefined : parseJson(text);
  if (json?.ok) return json.value;
  // Texts are mostly sent without the quotes that JSON demands.
  return text === "" || types.has("string") ? unknownValue : text;
}

function valueOfJoined(rest: string, { way, field }: TextParameter, decode: Escapes["decode"]): unknown {
  const texts = piecesOf(rest, way, decode);
  if (!texts || texts.some((text) => text === "" || /[",]|^[[{]/.test(text))) return unknownValue;
  return way.kind === "list" ? listOf(texts, field) : objectOf(texts, way, field);
}

/** The items of a list; unknown where one of them may be several. */
export function listOf(texts: readonly string[], field: Field | undefined): unknown {
  if (texts.some((text) => text === "" || text.includes(",") || isRedacted(text))) return unknownValue;
  const types = field?.items?.types;
  return texts.map((text) => (types ? valueBehind(text, types) : text));
}

/** The texts between separators; undefined where nobody knows whether one separates. */
function piecesOf(rest: string, { start, separator, isFree }: Way, decode: Escapes["decode"]): string[] | undefined {
  if (start === "." && separator === "," && rest.includes(".")) return undefined;
  if (separator !== " " && rest.includes(separator)) return rest.split(separator).map((raw) => decode(raw).trim());
  const whole = decode(rest);
  // Some clients encode the commas between items as they encode those within them.
  if (separator === "," && isFree && whole.includes(",")) return undefined;
  return whole.split(separator).map((text) => text.trim());
}

function objectOf(texts: readonly string[], { isPaired }: Way, field: Field | undefined): unknown {
  const value: Record<string, unknown> = Object.create(null);
  const pairs: (readonly [string, string])[] = [];
  if (isPaired)
    for (const text of texts) {
      const end = text.indexOf("=");
      if (end < 1 || end === text.length - 1) return unknownValue;
      pairs.push([text.slice(0, end), text.slice(end + 1)]);
    }
  else if (texts.length % 2 > 0) return unknownValue;
  else for (let i = 0; i < texts.length; i += 2) pairs.push([texts[i]!, texts[i + 1]!]);
  // A name that is not described may be a part of the value before it.
  const isSure = pairs.every(([name]) => field?.member(name));
  for (const [name, text] of pairs) {
    if (name in value) return unknownValue;
    const types = field?.member(name)?.types;
    value[name] = !isSure ? unknownValue : types ? valueBehind(text, types) : text;
  }
  return value;
}

/** The text that stands for a value; undefined where none does, as for an empty list. */
export function textOfValue(
  value: unknown,
  { way }: Pick<TextParameter, "way">,
  { encode }: Escapes,
): string | undefined {
  const { kind, start, separator, isPaired } = way;
  const written = (one: unknown): string | undefined => (isScalar(one) ? encode(String(one)) : undefined);
  if (kind === "json") return encode(JSON.stringify(value) ?? "null");
  const between =
    encode(separator) === undefined || ",;.".includes(separator[0] ?? "") ? separator : encode(separator)!;
  const joined = (texts: readonly (string | undefined)[]): string | undefined =>
    texts.length === 0 || texts.includes(undefined) ? undefined : start + texts.join(between);
  if (kind === "list") return Array.isArray(value) ? joined(value.map(written)) : undefined;
  if (kind === "object") {
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value).map(([name, one]) => [encode(name), written(one)]);
    if (!isPaired) return joined(entries.flat());
    return joined(
      entries.map(([name, one]) => (name === undefined || one === undefined ? undefined : `${name}=${one}`)),
    );
  }
  const text = written(value);
  return text === undefined ? undefined : start + text;
}
