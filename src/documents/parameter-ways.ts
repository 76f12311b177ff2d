/** Says how a document spells parameters: as one text, a list or an object of texts, JSON, or under names of their own. */
import { typesOfTexts } from "./form-fields.ts";
import type { TypeName } from "./json-types.ts";
import { type Node, nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { Parameter } from "./operations.ts";
import type { Shape } from "./shape.ts";

/** How texts stand for the value of a parameter. */
export interface Way {
  /**
   * `list` and `object` stand in one text. Items that are `repeated` stand in several of one name, members of a `deep` one behind
   * names with brackets.
   */
  readonly kind: "text" | "json" | "list" | "object" | "repeated" | "deep";
  /** What stands before the whole, as the dot of a label. */
  readonly start: string;
  /** Between items, or between names and values of members. */
  readonly separator: string;
  /** Whether members are spelt `name=value`. */
  readonly isPaired: boolean;
  /** Whether items may hold the separator, as far as the document says. */
  readonly isFree: boolean;
}

export const asText: Way = { kind: "text", start: "", separator: "", isPaired: false, isFree: false };

export interface Reader {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
}

/** A parameter whose members are parameters of their own, as those of an object in the query are by default. */
export const spread = "spread";

const nested = "lists and objects within lists and objects are not read";
const oneOfSeveral = "one text may stand for a list, an object or a plain value";

/** Separators of lists that stand in one text of the query, by style. */
const separators: Readonly<Record<string, string>> = { form: ",", spaceDelimited: " ", pipeDelimited: "|" };

const isCompound = (names: ReadonlySet<TypeName> | undefined): boolean =>
  names !== undefined && (names.has("array") || names.has("object"));

/** Whether texts of a node may hold anything. */
function isFreeText(own: Shape, names: ReadonlySet<TypeName> | undefined): boolean {
  return (names === undefined || names.has("string")) && !own.demands.has("enum") && !own.demands.has("const");
}

/** How a parameter is spelt that has a schema; a reason where it cannot be read. @param isWithin whether it is a member of one that is spread */
export function wayOf(
  parameter: Parameter,
  { doc, shape }: Reader,
  isWithin = false,
): Way | typeof spread | { readonly reason: string } {
  const own = shape(nodeOf(doc, [parameter.schema!]));
  if (parameter.isJson) return { ...asText, kind: "json" };
  const names = typesOfTexts(own, shape);
  if (!names) return own.demands.size + own.unions.length > 0 ? { reason: "it says no type" } : asText;
  const style = styleOf(doc, parameter);
  if (!isCompound(names)) return framed(parameter, style, asText);
  if (style.name === "deepObject") return isWithin ? { reason: nested } : { ...asText, kind: "deep" };
  if ([...names].filter((one) => one !== "null").length > 1) return { reason: oneOfSeveral };
  return names.has("array")
    ? listWay(parameter, own, style, shape)
    : objectWay(parameter, own, style, { shape, isWithin });
}

interface Style {
  readonly name: string;
  readonly explode: boolean;
  readonly allowsReserved: boolean;
}

function styleOf(doc: OpenApi, { pointer, in: place }: Parameter): Style {
  const asked = doc.at(`${pointer}/style`);
  const name = typeof asked === "string" ? asked : place === "query" || place === "cookie" ? "form" : "simple";
  const explode = doc.at(`${pointer}/explode`);
  const allowsReserved = place === "query" && doc.at(`${pointer}/allowReserved`) === true;
  return { name, explode: typeof explode === "boolean" ? explode : name === "form", allowsReserved };
}

/** A way with what the style has stand before the whole; a style of another place is a reason. */
function framed({ in: place, name }: Parameter, style: Style, way: Way): Way | { readonly reason: string } {
  const fits = { query: style.name in separators || style.name === "deepObject", cookie: style.name === "form" };
  if (place === "query" || place === "cookie")
    return fits[place] ? way : { reason: `the style ${style.name} is none of a ${place}` };
  if (style.name === "simple") return way;
  if (place === "header") return { reason: `the style ${style.name} is none of a header` };
  if (style.name === "label") return { ...way, start: "." };
  if (style.name !== "matrix") return { reason: `the style ${style.name} is none of a path` };
  return { ...way, start: way.isPaired ? ";" : `;${name}=` };
}

function listWay(parameter: Parameter, { items }: Shape, style: Style, shape: Reader["shape"]) {
  const own = items && shape(items);
  const names = own && typesOfTexts(own, shape);
  if (isCompound(names)) return { reason: nested };
  const isFree = own === undefined || isFreeText(own, names);
  const list: Way = { kind: "list", start: "", separator: ",", isPaired: false, isFree };
  if (parameter.in === "query") {
    if (style.explode) return framed(parameter, style, { ...list, kind: "repeated" });
    if (style.allowsReserved && isFree) return { reason: "a comma may stand within an item" };
    return framed(parameter, style, { ...list, separator: separators[style.name] ?? "," });
  }
  if (parameter.in === "cookie" && style.explode) return { reason: "a list of cookies is not read" };
  if (!style.explode || style.name === "simple") return framed(parameter, style, list);
  if (style.name === "matrix") return framed(parameter, style, { ...list, separator: `;${parameter.name}=` });
  // A dot stands within numbers, and within texts.
  if (isFree || names?.has("number")) return { reason: "a dot may stand within an item" };
  return framed(parameter, style, { ...list, separator: "." });
}

function objectWay(
  parameter: Parameter,
  own: Shape,
  style: Style,
  { shape, isWithin }: { readonly shape: Reader["shape"]; readonly isWithin: boolean },
) {
  if (isWithin) return { reason: nested };
  if (own.unions.length > 0) return { reason: "alternatives of an object in a parameter are not told apart" };
  if (parameter.in === "query" && style.name === "form" && style.explode) return spread;
  if (parameter.in === "cookie" && style.explode) return { reason: "members that are cookies are not read" };
  const members = [...own.properties.values(), ...own.patterns.values(), ...(own.additional ? [own.additional] : [])];
  const names = members.map((node) => typesOfTexts(shape(node), shape));
  if (names.some(isCompound)) return { reason: nested };
  const isFree = members.some((node, i) => isFreeText(shape(node), names[i]));
  if (style.allowsReserved && isFree) return { reason: "a comma may stand within a member" };
  const object: Way = { kind: "object", start: "", separator: ",", isPaired: false, isFree };
  if (parameter.in === "query")
    return framed(parameter, style, { ...object, separator: separators[style.name] ?? "," });
  if (!style.explode) return framed(parameter, style, object);
  if (style.name === "label" && (isFree || names.some((one) => one?.has("number"))))
    return { reason: "a dot may stand within a member" };
  const separator = style.name === "label" ? "." : style.name === "matrix" ? ";" : ",";
  return framed(parameter, style, { ...object, separator, isPaired: true });
}
