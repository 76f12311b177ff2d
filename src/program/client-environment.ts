/** Tells a program where the services of interfaces are: the variables that SDKs read, and placeholders in its arguments. */
import type { Interface } from "../check/interface.ts";
import { directLoopback } from "../wire/proxy-environment.ts";

/** Variables of an environment; undefined takes one out. */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface ClientTarget {
  /**
   * The address of the service: one origin (`http://127.0.0.1:4400`) for all interfaces, or origins by interface name.
   * Variables of an interface without one stay as they are.
   */
  readonly baseUrls: string | Readonly<Record<string, string>>;
  /** Paths behind the origin, for variables that hold another one than usual. */
  readonly paths?: Readonly<Record<string, string>>;
  /** The key it sends; without one, keys of the environment stay. */
  readonly key?: string;
}

/**
 * Variables that SDKs read. Interfaces may share a variable: the first with an address decides.
 * A program behind the proxy of a company reaches loopback addresses without it.
 * A key takes the place of every credential that a client would send instead.
 */
export function clientEnvironment(
  interfaces: readonly Interface[],
  { baseUrls, paths = {}, key }: ClientTarget,
  environment: NodeJS.ProcessEnv = process.env,
): Variables {
  const variables: Record<string, string | undefined> = { ...directLoopback(environment) };
  for (const { name, client } of interfaces) {
    const base = typeof baseUrls === "string" ? baseUrls : baseUrls[name];
    if (!client || base === undefined) continue;
    const origin = base.replace(/\/+$/, "");
    for (const [variable, path] of Object.entries(client.baseUrls))
      variables[variable] ??= origin + (paths[variable] ?? path);
    if (key === undefined) continue;
    for (const variable of client.conflicting ?? []) variables[variable] = undefined;
    for (const variable of client.keys) variables[variable] ??= key;
  }
  return variables;
}

/**
 * Arguments with their placeholders filled in: `{base_url}`. Braces around any other word stay, since arguments may be JSON.
 * @param values by the word between the braces
 */
export function fillPlaceholders(
  command: readonly string[],
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return command.map((argument) =>
    argument.replace(/\{(\w+)\}/g, (whole, word: string) => (Object.hasOwn(values, word) ? values[word]! : whole)),
  );
}
