/** String formats our schemas use: those of ajv-formats they name, and base64 as reading X-BASE64 has it. */
import { fullFormats } from "ajv-formats/dist/formats.js";
import { base64Problem } from "../wire/base64.ts";

/** Standard or URL-safe alphabet, padding optional, no white space, at least one byte. */
const base64 = (text: string): boolean => base64Problem(text) === undefined;

export const formats = { base64, uri: fullFormats.uri };
