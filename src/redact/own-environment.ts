/** The environment of this program, as it was when it started; it is read for secrets once. */

let own: NodeJS.ProcessEnv | undefined;

/** Keeps the variables as they are now. */
export function keepEnvironment(): void {
  own = { ...process.env };
}

/** The variables that were kept, or those of the first call. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  if (!own) keepEnvironment();
  return own!;
}
