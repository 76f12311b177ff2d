/** Cleans what goes to standard output and standard error: no control character passes but line breaks and tabs. */
import { controls, escapeUnit } from "../../check/controls.ts";
import { inActions, withoutCommands } from "./workflow-commands.ts";

type Write = NodeJS.WriteStream["write"];

/** Set on a `write` that cleans: one that does not, and one that lets commands to GitHub Actions pass as well. */
const raw = Symbol("raw write");
const commanding = Symbol("commanding write");
type CleaningWrite = Write & { [raw]?: Write; [commanding]?: Write };

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

/**
 * Cleans all that this process writes to its standard output and standard error from now on; in GitHub Actions also of commands.
 * May be called again.
 */
export function guardOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write: CleaningWrite = stream.write;
    if (write[raw]) continue;
    const guard = inActions() ? withoutCommands() : (text: string): string => text;
    const uncleaned = (text: string, ...rest: never[]): boolean => write.call(stream, guard(text), ...rest);
    const cleaning = (chunk: string | Uint8Array, ...rest: never[]): boolean => {
      const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
      return uncleaned(cleaned(text, false), ...rest);
    };
    stream.write = Object.assign(cleaning as Write, { [raw]: uncleaned as Write, [commanding]: write });
  }
}

/** Writes uncleaned: colours of our own, and what moves the cursor around lines that are `cleaned`. */
export function steer(stream: NodeJS.WriteStream, text: string): boolean {
  const write: CleaningWrite = stream.write;
  return (write[raw] ?? write).call(stream, text);
}

/** Writes lines that GitHub Actions is to obey, to standard error: what a command prints stays what it is. */
export function command(lines: string): void {
  const { stderr } = process;
  const write: CleaningWrite = stderr.write;
  (write[commanding] ?? write).call(stderr, lines);
}
