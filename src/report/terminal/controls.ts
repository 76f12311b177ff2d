/** Cleans what goes to standard output and standard error: no control character passes but line breaks and tabs. */
import { controls, escapeUnit } from "../../check/controls.ts";

type Write = NodeJS.WriteStream["write"];

/** Set on a `write` that cleans; holds the one that does not. */
const raw = Symbol("raw write");
type CleaningWrite = Write & { [raw]?: Write };

/** A colour as reports paint it, or one control character. */
const steering = new RegExp(`\\u001b\\[(?:0|1|2|3[0-7])m|${controls.source}`, "g");

/**
 * The text with control characters written as JSON escapes them: JSON says the same as before, and no terminal obeys.
 * @param colored whether our own colours may pass
 */
export const cleaned = (text: string, colored: boolean): string =>
  text.replace(steering, (found) =>
    found === "\n" || found === "\t" || (found.length > 1 && colored) ? found : `${escapeUnit(found)}${found.slice(1)}`,
  );

/** Cleans all that this process writes to its standard output and standard error from now on. May be called again. */
export function guardOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write: CleaningWrite = stream.write;
    if (write[raw]) continue;
    const cleaning = (chunk: string | Uint8Array, ...rest: never[]): boolean => {
      const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
      return write.call(stream, cleaned(text, false), ...rest);
    };
    stream.write = Object.assign(cleaning as Write, { [raw]: write });
  }
}

/** Writes uncleaned: colours of our own, and what moves the cursor around lines that are `cleaned`. */
export function steer(stream: NodeJS.WriteStream, text: string): boolean {
  const write: CleaningWrite = stream.write;
  return (write[raw] ?? write).call(stream, text);
}
