/** Reads multipart form data: texts and files, in order. */
import { parseMultipart } from "@remix-run/multipart-parser";
import { mediaParameter } from "./headers.ts";

export interface FormPart {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8 text, for parts without a file name. */
  readonly text?: string;
}

export type FormResult =
  | { readonly ok: true; readonly parts: readonly FormPart[] }
  | { readonly ok: false; readonly problem: string };

/** Parses a multipart body by its Content-Type's boundary. Never throws. */
export function parseForm(body: Uint8Array, contentType: string | undefined): FormResult {
  const boundary = mediaParameter(contentType, "boundary");
  if (!boundary) return { ok: false, problem: "Content-Type names no boundary" };
  try {
    const parts: FormPart[] = [];
    const size = body.length + 1;
    for (const part of parseMultipart(body, { boundary, maxFileSize: size, maxTotalSize: size })) {
      const isFile = part.filename !== undefined;
      parts.push({
        name: part.name ?? "",
        ...(part.filename !== undefined && { filename: part.filename }),
        ...(part.mediaType !== undefined && { contentType: part.mediaType }),
        bytes: part.bytes,
        ...(!isFile && { text: part.text }),
      });
    }
    return { ok: true, parts };
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
}
