/** Converts the fields of a form to a JSON-like value that a schema can check. */
import { imageFacts } from "../wire/image.ts";
import type { FormPart } from "../wire/multipart.ts";
import type { Body } from "./body.ts";
import type { FormType, Operation } from "./operation.ts";
import type { Subject } from "./subject.ts";

/** A file as schemas see it. */
export interface FormFile {
  readonly file: true;
  readonly size: number;
  /** Sniffed from the bytes: `png`, `jpeg`, `webp`, `gif`; `unknown` otherwise. */
  readonly format: string;
  readonly width?: number;
  readonly height?: number;
}

/** Whether a part is an upload: it has a file name, or comes under a media type that no text field has. */
export function isFile({ filename, contentType }: FormPart): boolean {
  return filename !== undefined || /^(?:image|application\/octet-stream)\b/i.test(contentType ?? "");
}

/** Field name to its values in order: a text, or a file's facts. Without prototype. */
export function multipartValue(parts: readonly FormPart[]): Readonly<Record<string, readonly (string | FormFile)[]>> {
  const fields: Record<string, (string | FormFile)[]> = Object.create(null);
  for (const part of parts) {
    const values = (fields[part.name] ??= []);
    if (!isFile(part)) values.push(part.text ?? "");
    else {
      const { format, width, height } = imageFacts(part.bytes);
      values.push({
        file: true,
        size: part.bytes.length,
        format,
        ...(width !== undefined && { width }),
        ...(height !== undefined && { height }),
      });
    }
  }
  return fields;
}

/** The value of a form and the schema that judges it, if one does; undefined for a body that is no form or cannot be read. */
export function formValue(
  { forms, schemas }: Operation,
  body: Body,
): { readonly value: Readonly<Record<string, unknown>>; readonly schema: string | undefined } | undefined {
  if (body.kind !== "form" || body.problem !== undefined) return undefined;
  const reading = forms?.[body.type as FormType];
  if (reading) return { value: reading.read(body.parts), schema: reading.schema };
  return { value: multipartValue(body.parts), schema: schemas.form };
}

/** The members of a request, whether its body is a JSON object or a form; none where it is neither. */
export const requestMembers = ({
  operation,
  request,
  requestJson,
}: Pick<Subject, "operation" | "request" | "requestJson">): Readonly<Record<string, unknown>> =>
  formValue(operation, request.body)?.value ?? requestJson;
