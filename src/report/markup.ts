/** HTML that is safe by construction: whatever is put into it is escaped, unless it was made here. */
import { xmlText } from "./clean.ts";

/** A piece of HTML made by `html`. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Content = string | number | Markup | readonly Content[];

const sourceOf = (content: Content): string => {
  if (content instanceof Markup) return content.source;
  if (Array.isArray(content)) return content.map(sourceOf).join("");
  return xmlText(String(content));
};

/** Template of HTML: texts in `${}` are escaped, also in attributes (which must be quoted); lists are put one after another. */
export function html(pieces: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(pieces.reduce((made, piece, i) => made + sourceOf(contents[i - 1] ?? "") + piece));
}

/** Nothing at all. */
export const none = new Markup("");
