/** Which string formats of OpenAPI documents are decided, and which say nothing that a message could violate. */

/** Formats that only say how a value is stored. */
const plain = new Set(`float double int64 int32 binary password text string markdown html`.split(" "));

/** Formats that have a check. */
const known = new Set(`date date-time time email hostname ipv4 ipv6 uri url uuid byte`.split(" "));

export const isPlainFormat = (format: string): boolean => plain.has(format);
export const isKnownFormat = (format: string): boolean => known.has(format);
