/** Finds passwords in short options of commands, whose meaning depends on the command: `redis-cli -a …`, `mysql -p…`. */
import { blank } from "./characters.ts";
import { addSpan, looseEnd, quotedEnd, type Scan, textBetween, valueStart } from "./delimiters.ts";
import { isKey } from "./looks.ts";
import { isMember } from "./values.ts";

/** The text between a command and its option: no end of a line or of the command, except for a line that goes on. */
const between = String.raw`(?:\\+\n|\\{2,}n|(?!\\n)[^\n|;&]){0,400}$`;
const behind = (commands: string): RegExp => new RegExp(String.raw`(?:\b|\\n)(?:${commands})${between}`);

interface ShortOption {
  readonly command: RegExp;
  /** Whether the value follows its letter at once; a word of its own is something else. */
  readonly attached?: boolean;
  /** Whether the value is a cookie: without an equals sign it names a file of cookies. */
  readonly cookie?: boolean;
}

const shortOptions = new Map<number, readonly ShortOption[]>(
  Object.entries({
    a: [{ command: behind(String.raw`(?:redis|valkey|keydb)-cli\b`) }],
    b: [{ command: behind(String.raw`curl\b`), cookie: true }],
    p: [
      {
        command: behind(
          String.raw`sshpass|mongo(?:sh|dump|restore|export|import|stat|top)?\b|(?:docker|podman|nerdctl|buildah|skopeo|crane|oras|az|oc|helm registry)\s+login\b`,
        ),
      },
      { command: behind(String.raw`(?:mysql|mariadb)[\w-]*|7z[ar]?\b`), attached: true },
    ],
    w: [{ command: behind(String.raw`ldap(?:search|modify|add|delete|whoami|passwd|compare|modrdn)\b`) }],
    P: [{ command: behind(String.raw`(?:sqlcmd|bcp|isql|zip|unzip)\b`) }],
  }).map(([letter, options]) => [letter.charCodeAt(0), options]),
);

/** Letters of such options. */
export const isShortOption = new Uint8Array(256);
for (const letter of shortOptions.keys()) isShortOption[letter] = 1;

/** The end of what a short option whose dash stands at `at` gives, where it is secret; else `at`. */
export function shortOption(scan: Scan, at: number): number {
  const { bytes } = scan;
  const before = textBetween(bytes, Math.max(0, at - 420), at);
  const isApart = bytes[at + 2] === blank;
  const option = shortOptions
    .get(bytes[at + 1]!)
    ?.find(({ command, attached, cookie }) => (isApart ? !attached : !cookie) && command.test(before));
  if (!option) return at;
  const value = valueStart(bytes, at + 2);
  const to = value.mark === 0 ? looseEnd(scan, value.at) : quotedEnd(scan, value.at, value.mark, value.escapes);
  const said = textBetween(bytes, value.at, to);
  // Another option, or the end of a string around the command.
  if (/^(?:-|$|[\s,:}\]])/.test(said) || !isMember(said)) return at;
  return !option.cookie || said.includes("=") || isKey(said) ? addSpan(scan, value.at, to) : at;
}
