/** Quotes values for a shell, and recognises command lines that consist of quoted values. */

/** A text in single quotes, in which a shell reads every character as it is. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns one word, in quotes if a shell would change it. */
export const shellWord = (text: string): string =>
  /^[\w./:=@,+%-]+$|^\{\w+\}$/.test(text) ? text : singleQuoted(text);

/** A word that no program takes for an option: a file or an address. */
export const shellOperand = (text: string): string => shellWord(text.startsWith("-") ? `./${text}` : text);

/** An option and its value, which may look like an option itself. */
export const shellOption = (name: string, value: string): string =>
  `${name}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`;

/** A part of a word (quoted text, a quote, a variable, or plain characters), or a separator of words. */
const part = /('[^']*'|\\'|"\$\w+"|[\w./:=@,+%[\]{}-]+)|( +(?:\\\n *)?)/y;

/** The words of a command line as far as they are plain, and the rest. */
function readWords(text: string): { readonly words: readonly string[]; readonly rest: string } {
  const words: string[] = [];
  let isOpen = false;
  part.lastIndex = 0;
  let end = 0;
  for (let found = part.exec(text); found; found = part.exec(text)) {
    end = part.lastIndex;
    const [, piece] = found;
    if (piece !== undefined) {
      const value = piece === "\\'" ? "'" : piece.startsWith("'") ? piece.slice(1, -1) : piece;
      if (isOpen) words.push(words.pop()! + value);
      else words.push(value);
    }
    isOpen = piece !== undefined;
  }
  return { words, rest: text.slice(end) };
}

/** Whether a command line consists of words. A shell replaces only variables in double quotes in it. */
export const isPlainCommand = (text: string): boolean => text !== "" && readWords(text).rest === "";

const flags: ReadonlySet<string> = new Set(["-sS", "-i", "-N", "-g", "--compressed"]);
const prefix = "base64 -d <<'BODY' | ";

/** Whether a text is a request as `curlOf` writes it. Results of others may hold any command in its place. */
export function isCurlRequest(command: string): boolean {
  const isPiped = command.startsWith(prefix);
  const { words, rest } = readWords(isPiped ? command.slice(prefix.length) : command);
  // The first line that ends the text for the pipe has to be the last one.
  const isEnd = isPiped
    ? /^\n[\w+/=\n]*$/.test(rest) && rest.search(/\nBODY(?:\n|$)/) === rest.length - 5
    : rest === "";
  if (!isEnd || words[0] !== "curl") return false;
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!;
    if (flags.has(word)) continue;
    const value = words[i + 1] ?? "";
    if (word === "-X" || (word === "-H" && !value.startsWith("@"))) i++;
    else if (word === "--data-binary" && (!value.startsWith("@") || /^@(?:-|body-[\da-f]{16}\.\w+)$/.test(value))) i++;
    else if (!/^https?:\/\//i.test(word)) return false;
  }
  return true;
}
