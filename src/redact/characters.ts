/** The bytes that stand around names and values, and the classes they fall into. */

export const [quote, apostrophe, backtick, backslash, colon, equals, slash] = [34, 39, 96, 92, 58, 61, 47] as const;
export const [bar, lineFeed] = [124, 10] as const;
export const [blank, round, star, dash, greater, opening, square, at] = [32, 40, 42, 45, 62, 91, 93, 64] as const;

/** Whether a byte is one of the three quotes. */
export const isQuote = (byte: number | undefined): boolean => byte === 34 || byte === 39 || byte === 96;

/** Whether a byte is a blank within a line. */
export const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9;

/** The bytes of names; also letters beyond ASCII, in any of their bytes. */
export const inName = new Uint8Array(256);
for (const byte of Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$")) inName[byte] = 1;
inName.fill(1, 128);

/** The bytes that end a value that is not in quotes. */
export const ends = new Uint8Array(256);
for (let byte = 0; byte <= 32; byte++) ends[byte] = 1;
for (const byte of Buffer.from("\"'`\\,;&<>)]}|")) ends[byte] = 1;
