/** `--intercept` of `record`: which hosts are opened, and variables as a shell sets them. */
import type { Interface } from "../check/interface.ts";
import { servicesOf } from "../program/services.ts";
import { singleQuoted } from "../wire/shell.ts";

/** The hosts of well-known services, those that the environment names, and further ones. */
export function hostsToOpen(interfaces: readonly Interface[], further: readonly string[]): readonly string[] {
  const services = Object.values(servicesOf(interfaces, process.env, {}).upstreams);
  const own = interfaces.flatMap(({ client }) => [client?.service ?? [], client?.hosts ?? []].flat());
  const hosts = [...services, ...own].map((one) => (URL.canParse(one) ? new URL(one).hostname : one));
  return [...new Set([...hosts, ...further])];
}

/** Lines for a shell that set variables. */
export function exportLines(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(variables).map(([name, value]) =>
    process.platform === "win32" ? `  set "${name}=${value}"` : `  export ${name}=${singleQuoted(value)}`,
  );
}
