/** Which hosts are intercepted: names, in which `*` stands for a part of a name. */
import { UserError } from "../user-error.ts";
import { normalHost } from "../wire/authority.ts";

/** Whether a host is among them; as `normalHost` spells it. */
export type Hosts = (host: string) => boolean;

/** The part of a pattern that holds for all its hosts: a domain; empty where the end of their names is open. */
const fixedPart = (pattern: string): string => /\*[^*.]*(?:\.([^*]*))?$/.exec(pattern)?.[1] ?? "";

/** Names and addresses that hosts lie at or below. @param patterns as `hostsOf` takes them */
export const namesOf = (patterns: readonly string[]): string[] => [
  ...new Set(patterns.map((text) => (text.includes("*") ? fixedPart(text.toLowerCase()) : normalHost(text)!))),
];

/** @param patterns `api.example.com`, or `*.example.com`; UserError for what is neither */
export function hostsOf(patterns: readonly string[]): Hosts {
  const exact = new Set<string>();
  const wild: RegExp[] = [];
  for (const text of patterns) {
    // What a star stands for is a part of a name, so a name with letters in their place is one, too.
    const host = normalHost(text.replaceAll("*", "star"));
    if (host === undefined || /^[*.]*$/.test(text))
      throw new UserError(
        `--intercept-host ${text} is not the name of a host`,
        "Give a name without a scheme, a port or a path: api.example.com, or *.example.com.",
      );
    if (!text.includes("*")) exact.add(host);
    else {
      const parts = text.toLowerCase().replace(/\.$/, "").split("*");
      wild.push(new RegExp(`^${parts.map((part) => part.replaceAll(".", "\\.")).join("[a-z\\d_-]+")}$`));
    }
  }
  return (host) => exact.has(host) || wild.some((one) => one.test(host));
}
