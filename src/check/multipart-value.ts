/** Converts multipart fields to a JSON-like value that a schema can check. */
import { imageFacts } from "../wire/image.ts";
import type { FormPart } from "../wire/multipart.ts";

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
