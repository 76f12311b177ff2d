/** The options of a recording session and how they are read: where to forward to, how much to keep, where to write. */
import type { JudgingArgs } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";

export interface RecordOptions extends JudgingArgs {
  /** Base URL of the service: `https://api.example.com`. */
  readonly upstream?: string | undefined;
  /** Base URLs of services for one interface each, by its name; `upstream` takes the rest. */
  readonly upstreams?: Readonly<Record<string, string>> | undefined;
  /** Whether each service also has an address of its own: what no interface owns reaches the right one there. */
  readonly apart?: boolean | undefined;
  /** By interface, the version that stands before paths (`/v1`), for clients whose base URL lacks it. */
  readonly versions?: Readonly<Record<string, string>> | undefined;
  /** Makes the recorder a forward proxy that opens the traffic with these hosts; `*` stands for a part of a name. */
  readonly intercept?: readonly string[] | undefined;
  /** The cassette to create (.jsonl); a new one in the working folder, named after the time, unless said. */
  readonly out?: string | undefined;
  /** `HOST:PORT`; a free port of the loopback address unless said. */
  readonly listen?: string | undefined;
  /** On a loopback address: further names that pages may reach it by; `*` is any. */
  readonly allowHost?: readonly string[] | undefined;
  /** On a loopback address: origins whose pages may send requests; `*` is any. */
  readonly allowOrigin?: readonly string[] | undefined;
  /** Answers requests that violate an error-level clause, instead of forwarding them. */
  readonly enforce?: boolean | undefined;
  /** Bytes of each body that are kept: `64M`, which it is unless said, or a number. */
  readonly maxBody?: string | number | undefined;
  /** Headers whose values are kept, beside those that are known to hold no secret. */
  readonly keepHeaders?: readonly string[] | undefined;
  /** Regular expressions of further secrets to take out. */
  readonly redact?: readonly string[] | undefined;
  /** Forces each exchange onto the disk as it is written, instead of once a second. */
  readonly sync?: boolean | undefined;
  /** Accepts any certificate of a service. */
  readonly insecure?: boolean | undefined;
}

/** What is recorded: one of these members is required. */
export type RecordedServices =
  | { readonly upstream: string }
  | { readonly upstreams: Readonly<Record<string, string>> }
  | { readonly intercept: readonly string[] };

export interface Upstreams {
  readonly default?: URL;
  readonly byInterface: Readonly<Record<string, URL>>;
}

/** An upstream's base URL, and what was changed about it. */
function upstreamUrl(text: string, notes: string[]): URL {
  const remedy = "Give a base URL such as https://api.example.com.";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UserError(`${text} is not a URL`, remedy);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new UserError(`${text} is not an HTTP URL`, remedy);
  if (url.username || url.password)
    throw new UserError(
      `the upstream ${url.protocol}//${url.host} has a user or a password in its URL`,
      "Let the client send its credentials itself.",
    );
  if (url.search || url.hash)
    throw new UserError(`the upstream ${url.protocol}//${url.host} has a query or a fragment in its URL`, remedy);
  // People copy base URLs of clients, whose paths begin behind the version; ours begin before it.
  const version = /\/(v1|v1beta)\/?$/.exec(url.pathname);
  if (version) {
    url.pathname = url.pathname.slice(0, version.index);
    notes.push(`Clients send /${version[1]} themselves, so requests go to ${url.href}.`);
  }
  return url;
}

const noUpstreamOf = (text: string, interfaces: readonly string[]): UserError =>
  new UserError(
    `--upstream ${text} is not INTERFACE=URL`,
    `Interfaces are ${interfaces.join(", ")}: --upstream messages=https://api.example.com.`,
  );

/** `INTERFACE=URL` texts as upstreams by interface; UserError for what is none. */
export function upstreamsByInterface(
  texts: readonly string[],
  interfaces: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, base] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
      if (!name || !base || !interfaces.includes(name)) throw noUpstreamOf(text, interfaces);
      return [name, base];
    }),
  );
}

/** The upstreams; UserError for what is no URL, no known interface, or nothing at all. */
export function upstreamsFrom(
  { upstream, upstreams = {}, intercept }: Pick<RecordOptions, "upstream" | "upstreams" | "intercept">,
  interfaces: readonly string[],
  notes: string[],
): Upstreams {
  const byInterface: Record<string, URL> = {};
  for (const [name, base] of Object.entries(upstreams)) {
    if (!interfaces.includes(name)) throw noUpstreamOf(`${name}=${base}`, interfaces);
    byInterface[name] = upstreamUrl(base, notes);
  }
  if (upstream === undefined && Object.keys(upstreams).length === 0 && !intercept)
    throw new UserError(
      "no upstream is given",
      "Name the service to record: touchstone record https://api.example.com. Or name a program: touchstone record -- node agent.mjs.",
    );
  return { ...(upstream !== undefined && { default: upstreamUrl(upstream, notes) }), byInterface };
}

/** A cassette's name from the time: `touchstone-20260102-030405.jsonl`. */
export function cassetteName(now: Date): string {
  const [day, time] = now
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .split("T");
  return `touchstone-${day}-${time}.jsonl`;
}
