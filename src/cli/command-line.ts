/** Remembers the command line of this process. */

let line: readonly string[] = [];

export function setCommandLine(args: readonly string[]): void {
  line = args;
}

/** What follows the name of the program; it may hold credentials. */
export const givenArguments = (): readonly string[] => line;
