/** Failures that people can mend, told apart from our own: one class, whichever room finds them. */

/**
 * Bad usage, unreadable input, an unreachable target: `message` says what and where, `remedy` what to do, each one line.
 * Commands print both and end with exit code 2.
 */
export class UserError extends Error {
  readonly remedy: string;
  /** The same without what may quote traffic; undefined where nobody says. */
  readonly place: string | undefined;
  constructor(what: string, remedy: string, place?: string) {
    super(what);
    this.name = "UserError";
    this.remedy = remedy;
    this.place = place;
  }
}

/** The message of the operating system, without the call and path that Node adds. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "EISDIR") return "it is a folder";
  return message.replace(/^\w+: /, "").replace(/, \w+( '.*')?$/, "");
}
