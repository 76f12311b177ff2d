/** The error of input that cannot be read: what is wrong and where, and what to do about it. */

/** Commands print `message` and `remedy` on a line each and exit with 2. */
export class UnreadableInput extends Error {
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.name = "UnreadableInput";
    this.remedy = remedy;
  }
}

/** What the operating system said, without the call and path that Node adds. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "EISDIR") return "it is a folder";
  return message.replace(/^\w+: /, "").replace(/, \w+( '.*')?$/, "");
}
