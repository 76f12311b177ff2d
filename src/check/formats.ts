/** String formats that schemas use: those of ajv-formats that documents name, and base64 as reading X-BASE64 has it. */
import { fullFormats } from "ajv-formats/dist/formats.js";
import { base64Problem } from "../wire/base64.ts";

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
