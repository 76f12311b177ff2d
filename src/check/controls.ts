/** Characters that steer a terminal or turn the direction of what is read, instead of being shown. */

/** C0 and C1 controls, line and paragraph separators, marks of direction, and the byte order mark. */
export const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

/** One UTF-16 code unit as JSON escapes it, so that escaped JSON means the same. */
export const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
