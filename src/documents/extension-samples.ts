/** Reads the samples that extensions of vendors hold as JSON texts, such as those of `x-oaiMeta`. */
import { isObject, parseJson } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";

/** A value that an extension gives as a text. */
export interface ExtensionSample {
  readonly pointer: string;
  readonly value: unknown;
}

const maxValues = 100_000;

/** The texts of all extensions of an object that are JSON objects or lists. Others are streams, or written for people alone. */
function samplesIn(
  pointer: string,
  value: unknown,
  textsIn: (extension: Readonly<Record<string, unknown>>) => readonly [at: string, text: unknown][],
): ExtensionSample[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, extension]) =>
    name.startsWith("x-") && isObject(extension)
      ? textsIn(extension).flatMap(([at, text]): ExtensionSample[] => {
          const json = typeof text === "string" && /^\s*[[{]/.test(text) ? parseJson(text, maxValues) : undefined;
          return json?.ok ? [{ pointer: `${pointer}/${escapeToken(name)}/${at}`, value: json.value }] : [];
        })
      : [],
  );
}

/** Samples of replies beside an operation: `examples` with a `response` each. */
export const samplesOfReplies = (pointer: string, operation: unknown): ExtensionSample[] =>
  samplesIn(pointer, operation, ({ examples }) =>
    isObject(examples)
      ? [["examples/response", examples["response"]]]
      : Array.isArray(examples)
        ? examples.map((one, i) => [`examples/${i}/response`, isObject(one) ? one["response"] : undefined])
        : [],
  );

/** Samples beside a schema: one `example`. */
export const samplesBesideSchema = (pointer: string, schema: unknown): ExtensionSample[] =>
  samplesIn(pointer, schema, ({ example }) => [["example", example]]);
