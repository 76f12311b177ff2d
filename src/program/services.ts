/** Finds the services that a program would use by itself: those that its environment names, or the vendors' own. */
import type { ClientSettings, Interface } from "../check/interface.ts";
import { UserError } from "../user-error.ts";

export interface Services {
  /** By interface, the base URL that a recorder in between forwards to. */
  readonly upstreams: Readonly<Record<string, string>>;
  /** By variable, the path of its address where the environment names one: it stays when a recorder takes the origin's place. */
  readonly paths: Readonly<Record<string, string>>;
  /** By interface, the version that a client may leave out, since the address it is given lacks it. */
  readonly versions: Readonly<Record<string, string>>;
}

export interface NamedServices {
  /** The base URL of the service of all interfaces but those that `byInterface` names. */
  readonly all?: string | undefined;
  readonly byInterface?: Readonly<Record<string, string>>;
}

function addressIn(variable: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password) return url;
  throw new UserError(
    `the environment variable ${variable} is not the base URL of a service`,
    "Unset it, or give it one such as https://api.example.com/v1, without a user, a query or a fragment.",
  );
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, "");

/** The path of each variable of a client, where the environment sets some of them; the first of these decides for those it does not set. */
function pathsOf(
  baseUrls: ClientSettings["baseUrls"],
  addresses: readonly (readonly [variable: string, url: URL])[],
): Record<string, string> {
  const [first, { origin, pathname }] = addresses[0]!;
  const path = withoutSlash(pathname);
  const before = path.endsWith(baseUrls[first]!) ? path.slice(0, path.length - baseUrls[first]!.length) : path;
  return Object.fromEntries(
    Object.entries(baseUrls).map(([variable, usual]) => {
      // One recorder takes the place of one service: variables that name others get the address of the first.
      const own = addresses.find(([one, url]) => one === variable && url.origin === origin);
      return [variable, own ? withoutSlash(own[1].pathname) : before + usual];
    }),
  );
}

/**
 * The services of all interfaces. Those that somebody names come first, then the environment, then the vendor's own.
 * UserError where a variable of the environment is no address.
 */
export function servicesOf(
  interfaces: readonly Interface[],
  environment: NodeJS.ProcessEnv,
  { all, byInterface = {} }: NamedServices,
): Services {
  const upstreams: Record<string, string> = {};
  const paths: Record<string, string> = {};
  const versions: Record<string, string> = {};
  for (const { name, client } of interfaces) {
    if (!client) continue;
    const named = byInterface[name] ?? all;
    const variables = Object.keys(client.baseUrls).filter((variable) => environment[variable]);
    if (named === undefined && variables.length > 0) {
      const addresses = variables.map((variable) => [variable, addressIn(variable, environment[variable]!)] as const);
      upstreams[name] = addresses[0]![1].origin;
      Object.assign(paths, pathsOf(client.baseUrls, addresses));
    } else {
      upstreams[name] = named ?? client.service;
      versions[name] = client.version;
    }
  }
  return { upstreams, paths, versions };
}
