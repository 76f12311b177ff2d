/** The names by which a target may lack a section of an interface. */

/** The section about keys has a word of its own: servers that are run without keys are said to lack `keys`. */
const words: Readonly<Record<string, readonly string[]>> = { auth: ["keys"] };

/** Every word that means a section, beside the interface, the section and both: `keys`. */
export const lackWords: readonly string[] = Object.values(words).flat();

export const lackNamesOf = (of: string, section: string): string[] => [
  of,
  section,
  `${of}/${section}`,
  ...(words[section] ?? []),
];
