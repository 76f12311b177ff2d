/** One JSON document, indented, with a line feed at its end, written a piece at a time however long it is. */

const indented = (value: unknown, by: string): string =>
  JSON.stringify(value ?? null, null, 2).replaceAll("\n", `\n${by}`);

/** Characters that are written at once. */
const enough = 1 << 16;

/** The same text in pieces that are worth a write each. */
export function* gathered(pieces: Iterable<string>): Generator<string> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < enough) continue;
    yield text;
    text = "";
  }
  yield text;
}

/** A document of which one list comes first and grows while it is written. */
export interface GrowingJson {
  /** The text of the next item. */
  item(value: unknown): string;
  /** The end of the list, and the other members. */
  end(rest: object): Generator<string>;
}

export function growingJson(list: string): GrowingJson {
  let lead = `{\n  ${JSON.stringify(list)}: [`;
  let close = "]";
  return {
    item(value) {
      const text = `${lead}\n    ${indented(value, "    ")}`;
      lead = ",";
      close = "\n  ]";
      return text;
    },
    *end(rest) {
      if (close === "]") yield lead;
      yield close;
      yield* membersOf(rest, ",\n");
    },
  };
}

/** The text of a document; together the same bytes as of `JSON.stringify(document, null, 2)` and a line feed. */
export function jsonPieces(document: object): Generator<string> {
  return membersOf(document, "{\n");
}

function* membersOf(document: object, before: string): Generator<string> {
  let lead = before;
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${lead}  ${JSON.stringify(name)}: `;
    lead = ",\n";
    if (Array.isArray(value) && value.length > 0) {
      for (let i = 0; i < value.length; i++) yield `${i === 0 ? "[" : ","}\n    ${indented(value[i], "    ")}`;
      yield "\n  ]";
    } else yield indented(value, "  ");
  }
  yield "\n}\n";
}
