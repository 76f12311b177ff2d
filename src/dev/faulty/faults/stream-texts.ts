/** Faults that users report of streams whose text is not that of the whole reply: pieces repeated, lost, torn or out of order. */
import type { Exchange } from "../../../wire/exchange.ts";
import { asked, type Fault, inStream, warning } from "../fault.ts";

// biome-ignore lint/suspicious/noExplicitAny: each interface has its text elsewhere.
type Loose = any;

/** The place of a piece of text in each interface's events. */
const holders: Readonly<Record<string, (data: Loose) => { holder: Loose; name: string } | undefined>> = {
  "chat-completions": ({ choices }) => {
    const delta = choices?.length === 1 ? choices[0].delta : undefined;
    return delta?.content ? { holder: delta, name: "content" } : undefined;
  },
  messages: ({ delta }) => (delta?.type === "text_delta" ? { holder: delta, name: "text" } : undefined),
  "generate-content": ({ candidates }) => {
    const part = candidates?.length === 1 ? candidates[0].content?.parts?.[0] : undefined;
    return part?.text ? { holder: part, name: "text" } : undefined;
  },
};

/** Whether a reply is plain text of one choice: other replies break rules of their own when their text changes. */
function isPlain(exchange: Exchange): boolean {
  const { n, logprobs, response_format: format, tools, generationConfig = {} } = asked(exchange);
  const { candidateCount, responseLogprobs, responseMimeType } = generationConfig;
  return ![n, logprobs, format, tools, candidateCount, responseLogprobs, responseMimeType].some(Boolean);
}

/** Changes the text pieces of streams: as many come back, or more, of which the last event brings the rest. */
const inPieces =
  (of: string, change: (pieces: string[]) => string[]): NonNullable<Fault["spoils"]> =>
  (exchange) => {
    if (!isPlain(exchange)) return exchange;
    return inStream((events) => {
      const places = events.flatMap(({ data }) => holders[of]?.(data) ?? []);
      const changed = change(places.map(({ holder, name }) => holder[name]));
      for (const [i, { holder, name }] of places.entries())
        holder[name] = i < places.length - 1 ? changed[i] : changed.slice(i).join("");
    })(exchange);
  };

interface Form {
  readonly name: string;
  readonly users: string;
  readonly change: (pieces: string[]) => string[];
}

const twice = (text: string): string => Buffer.from(text).toString("latin1");

const forms: readonly Form[] = [
  {
    name: "events repeat all before them",
    users: "the answer is printed again with every word",
    change: (pieces) => pieces.map((_, i) => pieces.slice(0, i + 1).join("")),
  },
  {
    name: "blanks lost",
    users: "streamedtexthasnoblanks",
    change: (pieces) => pieces.map((piece) => piece.trim()),
  },
  {
    name: "first piece doubled",
    users: "streams stutter: TheThe answer",
    change: ([first = "", ...rest]) => [first + first, ...rest],
  },
  {
    name: "last event repeats the whole text",
    users: "the answer comes twice",
    change: (pieces) => [...pieces, pieces.join("")],
  },
  {
    name: "two pieces change places",
    users: "words are in the wrong order now and then",
    change: ([first = "", second = "", third = "", ...rest]) => [first, third, second, ...rest],
  },
  {
    name: "letters of two bytes lost",
    users: "question marks in place of letters with accents",
    change: (pieces) => pieces.map((piece) => piece.replace(/[\u0080-\u{ffff}]/gu, "\u{fffd}\u{fffd}")),
  },
  {
    name: "UTF-8 encoded twice",
    users: "Ã© in place of é, in streams alone",
    change: (pieces) => pieces.map(twice),
  },
  {
    name: "pairs of surrogates cut in two",
    users: "emoji break the client",
    change: (pieces) =>
      pieces.flatMap((piece) => {
        const at = piece.search(/[\ud800-\udbff]/);
        return at < 0 ? [piece] : [piece.slice(0, at + 1), piece.slice(at + 1)];
      }),
  },
];

export const streamTexts: readonly Fault[] = Object.keys(holders).flatMap((of) =>
  forms.map(({ name, users, change }) => ({
    name: `${of} stream: ${name}`,
    users,
    expected: warning(`${of}.laws.stream-text`),
    spoils: inPieces(of, change),
  })),
);
