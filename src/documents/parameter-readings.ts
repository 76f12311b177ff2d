/** Reads the query, the path and the headers of a request as the values of parameters, and writes such values into them. */
import type { ParameterReading } from "../check/operation.ts";
import { isObject } from "../wire/json.ts";
import { percentEncoded } from "../wire/percent.ts";
import { type Field, type Named, partOf, stepsIn, valueOfParts } from "./form-values.ts";
import { isOpenText } from "./open-values.ts";
import { type Escapes, isScalar, listOf, type TextParameter, textOfValue, valueOfText } from "./parameter-texts.ts";
import { textsIn } from "./paths.ts";
import { isRedacted, unknownValue, valueBehind } from "./text-values.ts";

/** A parameter as it is looked up. */
export interface KeyedParameter extends TextParameter {
  readonly key: string;
  /** The parameter whose member it is, where members are parameters of their own. */
  readonly within: string | undefined;
  /** Whether a value of it can stay in a recording; undefined if nothing is known of its values. */
  readonly isOpen?: (value: unknown) => boolean;
}

type Values = Record<string, unknown>;
const empty = (): Values => Object.create(null) as Values;

/** A text without percent escapes; as it came where they are broken. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether redaction left nothing of the cookies but their number. */
const isWhollyRedacted = (cookie: string): boolean => isRedacted(cookie) && !cookie.includes("=");

const ofQuery: Escapes = { decode: (raw) => decoded(raw.replaceAll("+", " ")), encode: percentEncoded };
const ofPath: Escapes = { decode: decoded, encode: percentEncoded };
const ofHeader: Escapes = {
  decode: (text) => text,
  encode: (text) => (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : undefined),
};
/** An item of a list in a header holds no comma. */
const inHeader = ({ way }: TextParameter): Escapes =>
  way.kind === "list" || way.kind === "object"
    ? { ...ofHeader, encode: (text) => ((way.isPaired ? /[,=]/ : /,/).test(text) ? undefined : ofHeader.encode(text)) }
    : ofHeader;

/** What a query holds of one parameter. */
interface Group {
  /** Texts of its very name, as they were sent. */
  readonly plain: string[];
  /** Texts behind names with brackets. */
  readonly nested: Named[];
  /** Whether there is a name that may mean it, such as `filter.name`. */
  isOther: boolean;
}

/** The pieces of a query with the names that they stand for. */
function piecesOf(search: string): { readonly piece: string; readonly name: string; readonly raw: string }[] {
  return search.split("&").flatMap((piece) => {
    if (piece === "") return [];
    const end = piece.indexOf("=");
    const name = ofQuery.decode(end < 0 ? piece : piece.slice(0, end));
    return [{ piece, name, raw: end < 0 ? "" : piece.slice(end + 1) }];
  });
}

/** How the parameters of a query are read. */
export function queryReading(parameters: readonly KeyedParameter[]): ParameterReading<string> {
  const byKey = new Map(parameters.map((one) => [one.key, one]));
  const owners = new Set(parameters.flatMap(({ within }) => within ?? []));
  /** The parameter that a name of the query is about. */
  const keyFor = (name: string): string => {
    if (byKey.has(name)) return name;
    const base = name.slice(0, Math.max(0, name.search(/[[.]/)));
    return byKey.has(base) || owners.has(base) ? base : name;
  };
  /** @param values takes the first text of names that are no parameter's */
  const groupsIn = (search: string, values: Values): Map<string, Group> => {
    const groups = new Map<string, Group>();
    for (const { name, raw } of piecesOf(search)) {
      const key = keyFor(name);
      if (!byKey.has(key) && !owners.has(key)) {
        values[name] ??= ofQuery.decode(raw);
        continue;
      }
      const group = groups.get(key) ?? { plain: [], nested: [], isOther: false };
      groups.set(key, group);
      const steps = name === key ? undefined : stepsIn(name);
      if (name === key) group.plain.push(raw);
      else if (steps?.[0] === key) group.nested.push({ steps: steps[1], part: partOf(name, ofQuery.decode(raw)) });
      else group.isOther = true;
    }
    return groups;
  };
  const read = (search: string): Values => {
    const values = empty();
    const groups = groupsIn(search, values);
    for (const one of parameters) {
      const group = groups.get(one.key);
      // Some clients send the whole under its own name.
      if (group) values[one.key] = valueOfGroup(group, one);
      else if (one.within !== undefined && groups.has(one.within)) values[one.key] = unknownValue;
    }
    return values;
  };
  return {
    read,
    isOpen(name, raw) {
      const key = keyFor(name);
      const one = byKey.get(key);
      const group = one && groupsIn(`${percentEncoded(name)}=${raw}`, empty()).get(key);
      return group !== undefined && isOpenText(raw, valueOfGroup(group, one!), one!.isOpen);
    },
    write(values, search) {
      const before = read(search);
      const names = new Set([...Object.keys(before), ...Object.keys(values)]);
      const changed = new Set([...names].filter((name) => !isAlike(values[name], before[name])));
      const pieces = piecesOf(search).flatMap(({ piece, name }) => (changed.has(keyFor(name)) ? [] : [piece]));
      for (const name of changed) {
        if (values[name] === undefined) continue;
        const own = piecesFor(name, values[name], byKey.get(name));
        if (!own) return undefined;
        pieces.push(...own);
      }
      const written = pieces.join("&");
      return holdsAll(read(written), values) ? written : undefined;
    },
  };
}

/** Whether two values are spelt alike: a number is not told from its text. */
const isAlike = (a: unknown, b: unknown): boolean => spelt(a) === spelt(b);
const spelt = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "object" && one !== null ? one : String(one)));

/** Whether all of these values were read. */
const holdsAll = (read: Values, values: Readonly<Values>): boolean =>
  Object.keys(values).every((name) => isAlike(read[name], values[name]));

function valueOfGroup({ plain, nested, isOther }: Group, one: KeyedParameter): unknown {
  const { way, types, field } = one;
  const [first] = plain;
  if (way.kind === "deep") return isOther ? unknownValue : valueOfDeep(plain, nested, one);
  if (nested.length > 0 || isOther || first === undefined)
    return first === undefined ? unknownValue : firstOf(first, one);
  if (way.kind === "repeated") return listOf(plain.map(ofQuery.decode), field);
  if ((way.kind === "list" || way.kind === "object") && plain.length > 1) return unknownValue;
  return valueOfText(first, { way, types, field }, ofQuery);
}

/** The first text of a parameter that also has names with brackets: only a plain one is known. */
const firstOf = (raw: string, one: KeyedParameter): unknown =>
  one.way.kind === "text" ? valueOfText(raw, one, ofQuery) : unknownValue;

function valueOfDeep(plain: readonly string[], nested: readonly Named[], { types, field }: KeyedParameter): unknown {
  if (nested.length === 0) {
    const isScalarToo = [...types].some((type) => type !== "object" && type !== "array" && type !== "null");
    const text = ofQuery.decode(plain[0] ?? "");
    const isSure = isScalarToo && plain.length === 1 && text !== "" && !isRedacted(text);
    return isSure ? valueBehind(text, types) : unknownValue;
  }
  const isNumbered = ({ steps: [step = ""] }: Named): boolean => /^\d*$/.test(step);
  const isUnsure = (one: Named): boolean => {
    const last = one.steps.at(-1)!;
    // No text behind brackets mostly stands for an empty list.
    const isEmptyList = one.part.text === "" && /^\d*$/.test(last);
    return isEmptyList || (isNumbered(one) && !types.has("array") && !field?.member(one.steps[0] ?? ""));
  };
  if (plain.length > 0 || nested.some(isUnsure)) return unknownValue;
  const known = nested.map((one) =>
    one.part.text === "" ? { ...one, part: partOf(one.part.name, unknownValue) } : one,
  );
  return settled(valueOfParts(known, field), field);
}

/** The value with lists left unknown in which an item may be several. */
function settled(value: unknown, field: Field | undefined): unknown {
  if (Array.isArray(value)) {
    const isUnsure = value.some((item) => typeof item === "string" && item.includes(","));
    return isUnsure ? unknownValue : value.map((item) => settled(item, field?.items));
  }
  if (!isObject(value)) return value;
  const members = empty();
  for (const [name, member] of Object.entries(value)) members[name] = settled(member, field?.member(name));
  return members;
}

/** The pieces of a query that stand for a value; undefined where none do. */
function piecesFor(name: string, value: unknown, one: KeyedParameter | undefined): string[] | undefined {
  const pair = (key: string, text: string | undefined): string[] | undefined =>
    text === undefined ? undefined : [`${percentEncoded(key)}=${text}`];
  const kind = one?.way.kind ?? "text";
  if (Array.isArray(value) && value.length === 0 && kind !== "json") return [];
  if (kind === "repeated")
    return Array.isArray(value) ? together(value.map((item) => pair(name, scalarText(item)))) : undefined;
  if (kind === "deep") return deepPieces(name, value, pair);
  return pair(name, one ? textOfValue(value, one, ofQuery) : scalarText(value));
}

const scalarText = (value: unknown): string | undefined =>
  isScalar(value) ? percentEncoded(String(value)) : undefined;

const together = (lists: readonly (string[] | undefined)[]): string[] | undefined =>
  lists.includes(undefined) ? undefined : lists.flatMap((list) => list!);

function deepPieces(
  name: string,
  value: unknown,
  pair: (key: string, text: string | undefined) => string[] | undefined,
): string[] | undefined {
  if (Array.isArray(value))
    return together(
      value.map((item, i) => deepPieces(typeof item === "object" ? `${name}[${i}]` : `${name}[]`, item, pair)),
    );
  if (isObject(value))
    return together(Object.entries(value).map(([member, inner]) => deepPieces(`${name}[${member}]`, inner, pair)));
  return pair(name, scalarText(value));
}

/** How the parameters of a path are read. @param path as the document writes it */
export function pathReading(parameters: readonly KeyedParameter[], path: string): ParameterReading<string> {
  const texts = textsIn(
    path,
    parameters.map(({ key }) => key),
  );
  const read = (asked: string): Values => {
    const values = empty();
    const sent = texts.read(asked);
    for (const one of parameters)
      if (sent[one.key] !== undefined) values[one.key] = valueOfText(sent[one.key]!, one, ofPath);
    return values;
  };
  return {
    read,
    isOpen: () => false,
    write(values, asked) {
      const before = read(asked);
      const written: Record<string, string> = Object.create(null);
      for (const one of parameters) {
        if (values[one.key] === undefined || isAlike(values[one.key], before[one.key])) continue;
        const text = textOfValue(values[one.key], one, ofPath);
        // A dot or two are no step of a path.
        if (!text || /^\.{1,2}$/.test(text)) return undefined;
        written[one.key] = text;
      }
      const changed = texts.write(asked, written);
      return holdsAll(read(changed), values) ? changed : undefined;
    },
  };
}

type Texts = Readonly<Record<string, string>>;

/** How parameters that stand in headers are read. @param cookies those within the header of cookies */
export function headersReading(
  parameters: readonly KeyedParameter[],
  cookies: readonly KeyedParameter[] = [],
): ParameterReading<Texts> {
  const byKey = new Map(parameters.map((one) => [one.key, one]));
  const cookiesByKey = new Map(cookies.map((one) => [one.key, one]));
  const read = (headers: Texts, isWhole = true): Values => {
    const values: Values = Object.assign(empty(), headers);
    for (const one of parameters) {
      const text = values[one.key] as string | undefined;
      if (text !== undefined) values[one.key] = valueOfText(text, one, ofHeader);
    }
    if (cookies.length === 0) return values;
    const { cookie } = headers;
    if (cookie !== undefined)
      values["cookie"] = isWhollyRedacted(cookie) ? unknownValue : cookiesIn(cookie, cookiesByKey);
    else if (isWhole) values["cookie"] = empty();
    return values;
  };
  const textFor = (name: string, value: unknown): string | undefined => {
    if (cookies.length > 0 && name === "cookie") return cookieText(value, cookiesByKey);
    const one = byKey.get(name);
    return one ? textOfValue(value, one, inHeader(one)) : isScalar(value) ? String(value) : undefined;
  };
  return {
    read,
    isOpen(name, text) {
      const one = byKey.get(name);
      return one !== undefined && isOpenText(text, valueOfText(text, one, ofHeader), one.isOpen);
    },
    write(values, headers) {
      const before = read(headers);
      const written: Record<string, string> = Object.create(null);
      for (const [name, value] of Object.entries(values)) {
        const text = isAlike(value, before[name]) ? (headers[name] ?? "") : textFor(name, value);
        if (text === undefined) return undefined;
        // Without cookies there is no such header.
        if (text !== "" || headers[name] === "") written[name] = text;
      }
      return holdsAll(read(written), values) ? written : undefined;
    },
  };
}

/** Reads which cookies can stay in a recording; undefined for cookies that are not described. */
export function openCookies(cookies: readonly KeyedParameter[]): (name: string, raw: string) => boolean | undefined {
  const byKey = new Map(cookies.map((one) => [one.key, one]));
  return (name, raw) => {
    const one = byKey.get(name);
    if (!one) return undefined;
    return !/["%]/.test(raw) && isOpenText(raw, valueOfText(raw, one, ofHeader), one.isOpen);
  };
}

/** Cookies by name; of values with escapes or quotes nothing is known. */
function cookiesIn(text: string, byKey: ReadonlyMap<string, KeyedParameter>): Values {
  const values = empty();
  const pieces = text.split(";");
  for (const piece of pieces) {
    const end = piece.indexOf("=");
    const name = piece.slice(0, Math.max(0, end)).trim();
    if (name === "" || name in values) continue;
    const raw = piece.slice(end + 1).trim();
    const one = byKey.get(name);
    values[name] = !one ? raw : /["%]/.test(raw) ? unknownValue : valueOfText(raw, one, ofHeader);
  }
  // Any of them may stand under a name that was masked.
  if (pieces.some((piece) => isRedacted(piece.split("=", 1)[0]!)))
    for (const key of byKey.keys()) values[key] ??= unknownValue;
  return values;
}

function cookieText(value: unknown, byKey: ReadonlyMap<string, KeyedParameter>): string | undefined {
  if (!isObject(value)) return undefined;
  const texts = Object.entries(value).map(([name, inner]) => {
    const one = byKey.get(name);
    const escapes: Escapes = {
      ...ofHeader,
      encode: (text) => (/[;,"%\s]/.test(text) ? undefined : ofHeader.encode(text)),
    };
    const text = one ? textOfValue(inner, one, escapes) : isScalar(inner) ? String(inner) : undefined;
    return text === undefined ? undefined : `${name}=${text}`;
  });
  return texts.includes(undefined) ? undefined : texts.join("; ");
}
