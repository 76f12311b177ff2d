/** Reads the parts of a form as the values that a document describes, and writes values as parts. */
import { isUtf8 } from "node:buffer";
import { isFile } from "../check/multipart-value.ts";
import type { FormReading } from "../check/operation.ts";
import { utf8 } from "../wire/build.ts";
import { isObject, parseJson } from "../wire/json.ts";
import type { FormPart } from "../wire/multipart.ts";
import { emptyPdf, pixelPng, silentWav } from "../wire/sample-files.ts";
import { type TypeName, typeOfValue } from "./json-types.ts";
import { valueBehind } from "./text-values.ts";

/** A field of a form, as far as reading it goes. */
export interface Field {
  /** The types that it may have; undefined where the document does not say. */
  readonly types: ReadonlySet<TypeName> | undefined;
  /** Whether it is a file. */
  readonly isFile: boolean;
  /** Its items, where it may be a list. */
  readonly items: Field | undefined;
  /** Its member of a name, where it may be an object. */
  readonly member: (name: string) => Field | undefined;
  /** Between the items of a list that stands in one text. */
  readonly separator: string | undefined;
  /** Whether the members of an object are fields of their own: `name[member]`. */
  readonly isDeep: boolean;
  /** The media type of its parts, where the document names one. */
  readonly contentType: string | undefined;
}

/** Stands for a file among values: schemas say nothing of its content. */
const fileMark = { file: true } as const;
const isFileMark = (value: unknown): boolean => isObject(value) && value["file"] === true;

/** Bytes of a file that is read as the text of a field that is none. */
const maxText = 1 << 20;
/** Steps of a field's name such as `filter[a][b]`. */
const maxSteps = 8;

type Values = Record<string, unknown>;
const empty = (): Values => Object.create(null) as Values;

/** The steps of a field's name: `tools[0][type]` is of `tools`. Undefined for a name without brackets. */
export function stepsIn(name: string): readonly [base: string, steps: readonly string[]] | undefined {
  const found = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  if (!found) return undefined;
  const steps = found[2]!.slice(1, -1).split("][");
  return steps.length > maxSteps ? undefined : [found[1]!, steps];
}

/** A field name with brackets as the way to a value, and all parts that have the name. */
export interface Named {
  readonly steps: readonly string[];
  readonly part: FormPart;
}

function valueOfPart(part: FormPart, field: Field | undefined): unknown {
  const { bytes, contentType } = part;
  const types = field?.types;
  if (isFile(part) && (field === undefined || field.isFile || bytes.length > maxText || !isUtf8(bytes)))
    return fileMark;
  const text = part.text ?? Buffer.from(bytes).toString("utf8");
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType ?? "");
  if (isJson || (/^\s*[[{]/.test(text) && (types?.has("object") || types?.has("array")))) {
    const json = parseJson(text);
    if (json.ok && (isJson || types?.has(typeOfValue(json.value)))) return json.value;
  }
  if (text === "" && types?.has("object") && !types.has("string") && !types.has("null")) return {};
  return types ? valueBehind(text, types) : text;
}

/** The value of all parts of one name. */
export function valueOfParts(parts: readonly Named[], field: Field | undefined): unknown {
  const nested = parts.filter(({ steps }) => steps.length > 0);
  const plain = parts.filter(({ steps }) => steps.length === 0).map(({ part }) => part);
  const mayBeList = field?.types?.has("array") === true;
  const isListed = nested.length > 0 && nested.every(({ steps: [step] }) => /^\d*$/.test(step!));
  if (nested.length > 0 && !(isListed && mayBeList)) return objectOf(nested, field);
  if (!mayBeList) return valueOfPart(plain[0]!, field);
  const isScalarToo = [...field.types!].some((type) => type !== "array" && type !== "null");
  if (nested.length === 0 && plain.length === 1) {
    const value = valueOfPart(plain[0]!, field);
    if (Array.isArray(value) || isScalarToo) return value;
    const { separator, items } = field;
    if (separator !== undefined && typeof value === "string")
      return value.split(separator).map((text) => valueOfPart(partOf("", text), items));
  }
  return [...plain.map((part) => valueOfPart(part, field.items)), ...itemsOf(nested, field.items)];
}

/**
 * The items of `name[]`, each on its own, and of `name[0][member]`, put together. Without positions, as in `name[][member]`, an item
 * ends where one of its members comes again.
 */
function itemsOf(nested: readonly Named[], items: Field | undefined): unknown[] {
  const lists = new Map<string, Named[]>();
  const taken = new Set<string>();
  let open = 0;
  for (const { steps, part } of nested) {
    const [step = "", ...rest] = steps;
    const member = rest.join("][");
    if (step === "" && (rest.length === 0 || taken.has(member))) {
      open++;
      taken.clear();
    }
    taken.add(member);
    const key = step === "" ? `[${open}` : step;
    const list = lists.get(key);
    if (list) list.push({ steps: rest, part });
    else lists.set(key, [{ steps: rest, part }]);
  }
  return [...lists.values()].map((parts) => valueOfParts(parts, items));
}

function objectOf(nested: readonly Named[], field: Field | undefined): Values {
  const groups = new Map<string, Named[]>();
  for (const { steps, part } of nested) {
    const [name = "", ...rest] = steps;
    const group = groups.get(name);
    if (group) group.push({ steps: rest, part });
    else groups.set(name, [{ steps: rest, part }]);
  }
  const value = empty();
  for (const [name, parts] of groups) value[name] = valueOfParts(parts, field?.member(name));
  return value;
}

export const partOf = (name: string, text: string, contentType?: string): FormPart => ({
  name,
  text,
  bytes: utf8(text),
  ...(contentType !== undefined && { contentType }),
});

/** A file for a field: of the kind that its media type or its name tells, or one of this text. */
function sampleFile(name: string, contentType: string | undefined, text = "text"): FormPart {
  const type = `${contentType ?? ""} ${name}`;
  const [ending, media, base64] = /image|mask|photo|picture/i.test(type)
    ? ["png", "image/png", pixelPng]
    : /audio|voice|speech|sound/i.test(type)
      ? ["wav", "audio/wav", silentWav]
      : /pdf/i.test(type)
        ? ["pdf", "application/pdf", emptyPdf]
        : ["txt", contentType ?? "application/octet-stream", Buffer.from(text).toString("base64")];
  const filename = `${name.replace(/\W+/g, "-")}.${ending}`;
  return { name, filename, contentType: media, bytes: Buffer.from(base64, "base64") };
}

/** How a form is read and written. @param other what fields are that are not among these, where the document says so */
export function formValues(
  fields: ReadonlyMap<string, Field>,
  other: Field | undefined,
  isMultipart: boolean,
): Pick<FormReading, "read" | "write"> {
  const fieldOf = (name: string): Field | undefined => fields.get(name) ?? other;
  const jsonPart = (name: string, value: unknown): FormPart =>
    partOf(name, JSON.stringify(value), isMultipart ? "application/json" : undefined);

  function* partsOf(name: string, value: unknown, field: Field | undefined, files: FormPart[]): Generator<FormPart> {
    if (Array.isArray(value)) {
      const { separator, types } = field ?? {};
      if (separator !== undefined && value.every((one) => typeof one !== "object"))
        return yield partOf(name, value.join(separator));
      // A list of one would be read as the one.
      const isAmbiguous = value.length < 2 && types?.has("array") === true && types.size > 1;
      for (const one of value)
        if (Array.isArray(one)) yield jsonPart(name, one);
        else yield* partsOf(isAmbiguous ? `${name}[]` : name, one, field?.items, files);
    } else if (isFileMark(value) || (field?.isFile === true && typeof value === "string")) {
      const own = files.findIndex((part) => part.name === name);
      const file = isFileMark(value) ? (own >= 0 ? files.splice(own, 1)[0] : files[0]) : undefined;
      const text = typeof value === "string" ? value : undefined;
      if (file) yield { ...file, name };
      else yield isMultipart ? sampleFile(name, field?.contentType, text) : partOf(name, text ?? "text");
    } else if (isObject(value)) {
      const members = Object.entries(value);
      if (field?.isDeep)
        for (const [member, inner] of members) yield* partsOf(`${name}[${member}]`, inner, field.member(member), files);
      if (!field?.isDeep) yield jsonPart(name, value);
      else if (members.length === 0) yield partOf(name, "");
    } else yield partOf(name, String(value), isMultipart ? field?.contentType : undefined);
  }
  return {
    read(parts) {
      const groups = new Map<string, Named[]>();
      for (const part of parts) {
        const named = fields.has(part.name) ? undefined : stepsIn(part.name);
        const isOwn = named && fields.has(named[0]);
        const name = isOwn ? named[0] : part.name;
        const one = { steps: isOwn ? named[1] : [], part };
        const group = groups.get(name);
        if (group) group.push(one);
        else groups.set(name, [one]);
      }
      const values = empty();
      for (const [name, own] of groups) values[name] = valueOfParts(own, fieldOf(name));
      return values;
    },
    write(values, before = []) {
      const files = before.filter(isFile);
      return Object.entries(values).flatMap(([name, value]) => [...partsOf(name, value, fieldOf(name), files)]);
    },
  };
}
