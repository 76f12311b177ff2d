/** Finds clauses by words of their ids, sentences and headings, and the words somebody probably meant. */
import type { Clause } from "./clause.ts";
import { suggestName } from "./suggest.ts";

type Sought = Pick<Clause, "id" | "says" | "document" | "also">;

const searchText = ({ id, says, document, also = [] }: Sought): string =>
  [id, says, document.name, document.section, ...also].join("\n").toLowerCase();

/** The words of what somebody typed; a blank parts them within an argument, too. */
const wordsOf = (sought: readonly string[]): string[] => sought.flatMap((one) => one.toLowerCase().match(/\S+/g) ?? []);

/** The clauses that hold every word, in the order they came; all of them where there is no word. */
export function search<C extends Sought>(clauses: readonly C[], sought: readonly string[]): C[] {
  const words = wordsOf(sought);
  return clauses.filter((clause) => {
    const text = searchText(clause);
    return words.every((word) => text.includes(word));
  });
}

/** The sought id or words, with close ones in place of those that nobody uses. Undefined where none finds anything. */
export function suggestWords(clauses: readonly Sought[], sought: readonly string[]): string | undefined {
  const words = wordsOf(sought);
  const texts = clauses.map(searchText);
  const known = new Set(texts.flatMap((text) => text.match(/[\p{L}\p{N}_-]+/gu) ?? []));
  const ids = clauses.map(({ id }) => id);
  const meant = words.map((word) =>
    texts.some((text) => text.includes(word)) ? word : (suggestName(word, ids) ?? suggestName(word, [...known])),
  );
  if (!meant.every((word) => word !== undefined)) return undefined;
  return search(clauses, meant).length > 0 ? meant.join(" ") : undefined;
}
