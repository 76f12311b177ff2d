/** Finds the proxy that the environment names for a service: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in any case. */
import { UserError } from "../user-error.ts";
import { isLoopback } from "./callers.ts";

export interface OutboundProxy {
  /** Its address, without user and password. */
  readonly url: URL;
  /** The header that it asks for. */
  readonly authorization?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable of a name that is set, small letters first, as curl has it. */
function variableIn(environment: Environment, names: readonly string[]): [name: string, value: string] | undefined {
  for (const name of names)
    for (const spelling of [name, name.toUpperCase()]) {
      const value = environment[spelling]?.trim();
      if (value) return [spelling, value];
    }
  return undefined;
}

/** A text without percent escapes; as it is where these are none. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Names of this machine in NO_PROXY. */
export const loopbackEntries = ["localhost", "127.0.0.1", "::1"] as const;

/** Variables that have a program reach this machine without a proxy; none where its environment names no proxy. */
export function directLoopback(environment: Environment): Readonly<Record<string, string>> {
  if (!variableIn(environment, ["https_proxy", "http_proxy", "all_proxy"])) return {};
  const entries = [...new Set([...directEntries(environment), ...loopbackEntries])].join(",");
  return { NO_PROXY: entries, no_proxy: entries };
}

/** The entries of NO_PROXY. */
export const directEntries = (environment: Environment): readonly string[] =>
  (variableIn(environment, ["no_proxy"])?.[1] ?? "").split(/[,\s]+/).filter((entry) => entry !== "");

/** Whether an entry of NO_PROXY is about a host, or a domain that it is in. */
export function isDirect(entry: string, host: string, port: string): boolean {
  const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase().replace(/[[\]]/g, ""))!;
  if (only !== undefined && !name.includes(":") && only !== port) return false;
  const domain = name.includes(":") && only !== undefined ? `${name}:${only}` : name.replace(/^\*?\./, "");
  return domain === "*" || host === domain || host.endsWith(`.${domain}`);
}

/**
 * The proxy for a service; undefined where none is named, or the service is on this machine. UserError for one that cannot be used.
 * @param url an address of the service
 */
export function proxyFor(url: URL, environment: Environment = process.env): OutboundProxy | undefined {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "").toLowerCase();
  const isSecure = url.protocol === "https:";
  if (isLoopback(host)) return undefined;
  const [variable, value] = variableIn(environment, [isSecure ? "https_proxy" : "http_proxy", "all_proxy"]) ?? [];
  if (variable === undefined || value === undefined) return undefined;
  const port = url.port || (isSecure ? "443" : "80");
  if (directEntries(environment).some((entry) => isDirect(entry, host, port))) return undefined;
  const text = value.includes("://") ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  // Its value may hold a password.
  if (!proxy || !/^https?:$/.test(proxy.protocol) || proxy.hostname === "")
    throw new UserError(
      `the environment variable ${variable} does not name an HTTP proxy`,
      "Give it an address such as http://proxy.example:8080, or name the service in NO_PROXY.",
    );
  const { username, password } = proxy;
  const user = `${percentDecoded(username)}:${percentDecoded(password)}`;
  proxy.username = "";
  proxy.password = "";
  return { url: proxy, ...(username && { authorization: `Basic ${Buffer.from(user).toString("base64")}` }) };
}
