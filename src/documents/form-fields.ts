/** Says what the fields of a form stand for, by the schema of the form and the encoding that the document names. */
import { isObject } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";
import type { Field } from "./form-values.ts";
import type { TypeName } from "./json-types.ts";
import { eitherOf, flatten, type Node } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import { type Shape, typesIn } from "./shape.ts";

interface Reader {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
}

/** How a document says that a value is spelt in texts. */
export interface Spelling {
  readonly style: unknown;
  readonly explode: unknown;
  readonly contentType: string | undefined;
}

/** Reads the `encoding` of a field. @param media pointer of the media type */
export function encodingOf({ doc }: Pick<Reader, "doc">, media: string, name: string): Spelling {
  const encoding = doc.at(`${media}/encoding/${escapeToken(name)}`);
  const { style, explode, contentType } = isObject(encoding) ? encoding : {};
  // Several media types leave the choice to the client.
  const one = typeof contentType === "string" && !/[,*]/.test(contentType) ? contentType : undefined;
  return { style, explode, contentType: one };
}

/** The types that texts of a node may stand for; undefined where the document does not say. */
export function typesOfTexts(own: Shape, shape: Reader["shape"]): ReadonlySet<TypeName> | undefined {
  const isListed = own.demands.has("enum") || own.demands.has("const");
  return typesIn(own, shape)?.names ?? (isListed ? own.implied : undefined);
}

/** Separators of lists that stand in one text, by style. */
const separators: Readonly<Record<string, string>> = { form: ",", spaceDelimited: " ", pipeDelimited: "|" };

const unspelt: Spelling = { style: undefined, explode: undefined, contentType: undefined };

/** Describes a field of this node. */
export function fieldFor(node: Node, reader: Reader, spelling = unspelt, isWithin = false): Field {
  const { doc, shape } = reader;
  const own = shape(node);
  const alternatives = own.unions.flatMap(({ nodes }) => nodes).map(shape);
  const known = new Map<string, Field | undefined>();
  const anyOf = (nodes: readonly (Node | undefined)[]): Node | undefined => {
    const found = nodes.filter((one) => one !== undefined);
    return found.length < 2 ? found[0] : eitherOf(doc, found[0]!.sources[0] ?? "", found);
  };
  const isDeep = spelling.style === "deepObject" || isWithin;
  const inner = (name: string, nodes: readonly (Node | undefined)[]): Field | undefined => {
    if (!known.has(name)) {
      const one = anyOf(nodes);
      known.set(name, one && fieldFor(one, reader, unspelt, isDeep));
    }
    return known.get(name);
  };
  const style = typeof spelling.style === "string" ? spelling.style : "form";
  return {
    types: typesOfTexts(own, shape),
    isFile: isBinary(node, reader),
    get items() {
      return inner("[]", [own.items, ...alternatives.map((one) => one.items)]);
    },
    member: (name) =>
      inner(
        `.${name}`,
        [own, ...alternatives].map(({ properties, additional }) => properties.get(name) ?? additional),
      ),
    separator: spelling.explode === false || style !== "form" ? separators[style] : undefined,
    isDeep,
    contentType: spelling.contentType,
  };
}

/** Whether a node is the content of a file, or may be. */
function isBinary(node: Node, { doc, shape }: Reader, depth = 0): boolean {
  const isOwn = flatten(doc, node).plain.some(({ schema: { format, contentMediaType, contentEncoding } }) => {
    const isText = typeof contentMediaType !== "string" || /^text\/|json/i.test(contentMediaType);
    return format === "binary" || contentEncoding === "binary" || !isText;
  });
  return (
    isOwn ||
    (depth < 3 && shape(node).unions.some(({ nodes }) => nodes.some((one) => isBinary(one, { doc, shape }, depth + 1))))
  );
}
