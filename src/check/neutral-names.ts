/**
 * The names that documents use where each party has its own: of headers, and of kinds of models. They stand here, not with an
 * interface: people bind them in one list, and the keeper reads that list without opening a catalogue.
 */

/** Headers that the documents name neutrally. */
export const neutralHeaders: readonly string[] = ["partner-version", "partner-beta"];

/** Kinds of models whose requests have rules of their own; a binding names ids of each. */
export const modelKinds: readonly string[] = ["image-v2", "image-v3", "image-multi"];

/** Classes of models; a binding says which ids belong to one, and which do not. */
const modelClasses = ["reasoning", "third-generation"];

/** The names that `--bind` takes besides classes. */
export const neutralNames: readonly string[] = [...neutralHeaders, ...modelKinds];

const kinds: ReadonlySet<string> = new Set([...modelKinds, ...modelClasses.flatMap((name) => [name, `not-${name}`])]);

/** Whether a model id is no model's, but what the documents call a kind or class of models. */
export const isKind = (model: string | undefined): model is string => model !== undefined && kinds.has(model);
