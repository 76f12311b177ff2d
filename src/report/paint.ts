/** Colours of a terminal, or none. */

export type Paint = (text: string, color: "red" | "green" | "yellow" | "dim" | "bold") => string;
const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 };

/** Paints, or leaves text as it is. */
export const painter = (color: boolean): Paint =>
  color ? (text, name) => `\u001b[${codes[name]}m${text}\u001b[0m` : (t) => t;
