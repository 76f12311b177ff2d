/** The variables that have one command use a forward proxy for some hosts, and trust its authority. */
import { join } from "node:path";
import { home } from "../home.ts";
import { directEntries, isDirect, loopbackEntries } from "../wire/proxy-environment.ts";

export interface InterceptedCommand {
  /** The address of the forward proxy. */
  readonly proxy: string;
  /** Variables that name what it trusts. */
  readonly trust: Readonly<Record<string, string>>;
  /** The hosts that are opened, as `hostsOf` takes them. */
  readonly hosts: readonly string[];
}

/** Whether an entry of NO_PROXY is about one of the hosts, or about some that a star stands for. */
const concerns = (entry: string, host: string): boolean =>
  isDirect(entry, host.replace(/^\*[.-]?/, ""), /:(\d+)$/.exec(entry)?.[1] ?? "");

/** Hosts that go without the proxy: those of the environment, but for the opened ones, and this machine. */
function directHosts(environment: NodeJS.ProcessEnv, hosts: readonly string[]): string {
  const kept = [...directEntries(environment), ...loopbackEntries].filter(
    (entry) => !hosts.some((host) => concerns(entry, host)),
  );
  return [...new Set(kept)].join(",");
}

/** A path in the spelling of NODE_OPTIONS. */
const quoted = (path: string): string => `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** The variables, beside those of an environment. */
export function interceptedEnvironment(
  environment: NodeJS.ProcessEnv,
  { proxy, trust, hosts }: InterceptedCommand,
): Readonly<Record<string, string>> {
  const direct = directHosts(environment, hosts);
  const names = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  const preload = `--require ${quoted(join(home, "dist", "src", "intercept", "node-preload.cjs"))}`;
  return {
    ...Object.fromEntries(names.map((name) => [name, proxy])),
    NO_PROXY: direct,
    no_proxy: direct,
    ...trust,
    // Node 24 and 22.21; the preload is for those before.
    NODE_USE_ENV_PROXY: "1",
    NODE_OPTIONS: [environment["NODE_OPTIONS"] ?? "", preload].join(" ").trim(),
  };
}
