/** String formats that schemas use: those of ajv-formats that documents name, and base64 as reading X-BASE64 has it. */
import { fullFormats } from "ajv-formats/dist/formats.js";
import { base64Problem } from "../wire/base64.ts";
import { isObject } from "../wire/json.ts";

/** Standard or URL-safe alphabet, padding optional, no white space, at least one byte. */
const base64 = (text: string): boolean => base64Problem(text) === undefined;

const { uri, date, time, email, hostname, ipv4, ipv6, uuid } = fullFormats;

export const formats = {
  base64,
  uri,
  date,
  "date-time": fullFormats["date-time"],
  time,
  email,
  hostname,
  ipv4,
  ipv6,
  uuid,
};

/** Whether a text has the format of this name; true of formats that are not known. */
export function hasFormat(text: string, name: string): boolean {
  const format: unknown = (formats as Readonly<Record<string, unknown>>)[name];
  if (format instanceof RegExp) return format.test(text);
  if (typeof format === "function") return format(text) === true;
  return isObject(format) && typeof format["validate"] === "function" ? format["validate"](text) === true : true;
}
