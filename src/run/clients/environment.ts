/** The environment of a process that uses a client library. */

/** Variables that a client may not see: keys, headers, addresses and proxies of its user. */
const isForeign = (name: string): boolean =>
  /_API_KEY$|_AUTH_TOKEN$|_CUSTOM_HEADERS$|_BASE_URL$|_API_BASE$|^(?:https?|all|no)_proxy$/i.test(name);

/** The variables of this process, but for those. */
export const clientEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)));
