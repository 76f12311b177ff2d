/** String formats our schemas use: those of ajv-formats they name, and base64 as reading X-BASE64 has it. */

/** Standard or URL-safe alphabet, padding optional, no white space, at least one byte. */
const base64 = (text: string): boolean => {
  const body = text.replace(/={1,2}$/, "");
  return body.length > 1 && body.length % 4 !== 1 && /^[A-Za-z0-9+/_-]+$/.test(body);
};

export const formats = { base64 };
