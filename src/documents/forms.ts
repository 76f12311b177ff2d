/** Derives what a document says of forms: parts of texts and files, which stand for the members of one object. */
import type { FormReading, FormType } from "../check/operation.ts";
import type { Schema, Section } from "./clauses.ts";
import { encodingOf, fieldFor } from "./form-fields.ts";
import { type Field, formValues } from "./form-values.ts";
import { type Node, nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { FormMedia } from "./operations.ts";
import { maxNameLength, nameTooLong } from "./parameters.ts";
import type { Shape } from "./shape.ts";
import { createTranslator, type Translator } from "./translate.ts";
import type { Path } from "./words.ts";

/** A form of an operation, read. */
export interface DerivedForm {
  readonly type: FormType;
  readonly node: Node;
  readonly reading: FormReading;
}

interface FormOptions {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
  readonly section: Section;
  /** Writes schemas of what stands in a part as JSON. */
  readonly translator: Translator;
  readonly file: (name: string, content: Schema) => string;
  readonly rootPaths: ReadonlyMap<string, Path>;
}

/** Ends the header that has the name of a part. */
const lineEnd = /[\r\n]/;

/** Reads a form of an operation. @param called what its schema file is named after */
export function deriveForm(
  { type, schema, pointer }: FormMedia,
  called: string,
  path: Path,
  options: FormOptions,
): DerivedForm {
  const { doc, shape, translator } = options;
  const node = nodeOf(doc, [schema]);
  const own = shape(node);
  const isMultipart = type === "multipart/form-data";
  const fields = new Map<string, Field>();
  for (const [name, member] of own.properties)
    fields.set(name, fieldFor(member, options, encodingOf(options, pointer, name)));
  // Alternatives of the whole are read, and not judged.
  for (const one of own.unions.flatMap(({ nodes }) => nodes))
    for (const [name, member] of shape(one).properties)
      if (!fields.has(name)) fields.set(name, fieldFor(member, options, encodingOf(options, pointer, name)));
  const other = own.additional && fieldFor(own.additional, options);
  const ofTexts = createTranslator({ ...options, ofTexts: true, member: translator.value });
  const ofDeepTexts: Translator = createTranslator({
    ...options,
    ofTexts: true,
    member: (node, path, known) => ofDeepTexts.value(node, path, known),
  });
  // Urlencoded, the members of an object are fields of the form unless the document says otherwise.
  const isSpread = ({ types, isDeep, contentType }: Field): boolean =>
    !isMultipart && !isDeep && contentType === undefined && types?.has("object") === true;
  const problemOf = (name: string): string | undefined =>
    name.length > maxNameLength
      ? nameTooLong
      : isMultipart && lineEnd.test(name)
        ? "no part of a form can have this name"
        : undefined;
  const root = createTranslator({
    ...options,
    member(node, path, known) {
      const name = path.steps.at(-1)!;
      const problem = problemOf(name);
      if (problem !== undefined) {
        options.section.leave(path, "schema", node.sources[0] ?? pointer, problem);
        return {};
      }
      return (fields.get(name)?.isDeep ? ofDeepTexts : ofTexts).value(node, path, known);
    },
    ofForm: { problemOf, isSpread: (name) => fields.has(name) && isSpread(fields.get(name)!) },
  });
  return {
    type,
    node,
    reading: {
      schema: root.root(called, node, path, { types: true }),
      ...formValues(fields, other, isMultipart),
    },
  };
}
