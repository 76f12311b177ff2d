/** Writes a request as a `curl` command that sends it again, with credentials as environment variables. */

import { createHash } from "node:crypto";
import { controls } from "../../check/controls.ts";
import { utf8Text } from "../../wire/bytes.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { percentEncoded } from "../../wire/percent.ts";
import { shellWord, singleQuoted } from "../../wire/shell.ts";
import { isLong, type Secret, withoutScheme } from "./secrets.ts";

/** Bytes of a body that stand in the command itself: terminals take lines of some 4,000 characters. */
const maxShown = 3000;

/** Characters of a line of base64. */
const lineLength = 76;

/** The name of the file for a body that is too long to be pasted; it is made from its bytes. */
export function bodyFile(body: Uint8Array): string {
  const isJson = body[0] === 0x7b || body[0] === 0x5b;
  return `body-${createHash("sha256").update(body).digest("hex").slice(0, 16)}.${isJson ? "json" : "bin"}`;
}

/** The file that a command reads its body from; undefined where it holds the body itself. */
export const bodyFileIn = (curl: string): string | undefined =>
  / --data-binary @(body-[0-9a-f]{16}\.\w+)$/.exec(curl)?.[1];

/** Whether a request asks for an answer in pieces. */
const asksForStream = (target: string, text: string): boolean =>
  target.includes(":stream") || /"stream"\s*:\s*true/.test(text);

/** Stands for a secret until the rest is quoted; headers and addresses hold no NUL, and bodies that do go another way. */
const mark = (at: number): string => `\0${at}\0`;

/** Whether a text can be shown and pasted as an argument; curl reads a file for what begins with `@`. */
const isPlain = (text: string): boolean => !controls.test(text.replaceAll("\n", "")) && !text.startsWith("@");

/** The name under which we ask; it would repeat in every command, and curl has one of its own. */
const isOurName = ([name, value]: readonly [string, string]): boolean =>
  /^user-agent$/i.test(name) && value === "touchstone";

/** Whether an `Accept-Encoding` lets an answer come encoded. */
const asksForCoding = (value: string): boolean => !/^[\s,]*(?:identity(?:;[^,]*)?[\s,]*)?$/i.test(value);

/**
 * One command; a long body stands in a file beside it (`bodyFile`). Undefined where a body holds a secret and is no short text.
 * @param secrets longest first; each is replaced by its environment variable
 * @param maxBody bytes of a body that stands in the command itself
 */
export function curlOf(
  origin: string,
  request: WireRequest,
  secrets: readonly Secret[],
  maxBody = maxShown,
): string | undefined {
  const quoted = (text: string): string =>
    // Outside the single quotes the shell puts the variable in.
    singleQuoted(text).replace(/\0(\d+)\0/g, (_, at) => `'"$${secrets[Number(at)]!.variable}"'`);
  const hidden = (text: string): string => {
    let safe = text;
    for (const [at, secret] of secrets.entries())
      if (isLong(secret))
        for (const form of new Set([secret.value, percentEncoded(secret.value)]))
          safe = safe.replaceAll(form, mark(at));
    return safe;
  };
  /** A header whose value is a secret shows none of it, however short it is. */
  const headerField = ([name, value]: readonly [string, string]): string => {
    // curl leaves a header without a value away, unless a semicolon stands for its colon.
    if (value === "") return `${name};`;
    const bare = withoutScheme(value);
    const at = secrets.findIndex((secret) => secret.value === bare);
    return at < 0 ? hidden(`${name}: ${value}`) : `${name}: ${value.slice(0, value.length - bare.length)}${mark(at)}`;
  };
  /** An address whose query shows none of a secret either. */
  const address = (text: string): string =>
    hidden(
      text.replace(/([?&][^=&]*=)([^&]+)/g, (pair, name: string, value: string) => {
        const at = secrets.findIndex((secret) => [secret.value, percentEncoded(secret.value)].includes(value));
        return at < 0 ? pair : name + mark(at);
      }),
    );
  const { method, target, headers, body } = request;
  // What steers a terminal has no place in a line to paste; nor has what curl takes for an option or a file.
  const isOdd = [origin, target, method, ...headers.flat()].some((one) => controls.test(one));
  if (isOdd || !/^https?:\/\//i.test(origin) || headers.some(([name]) => name.startsWith("@"))) return undefined;
  const text = utf8Text(body);
  const isText = isPlain(text) && Buffer.from(text, "utf8").equals(body);
  const isLongBody = body.length > maxBody;
  if ((!isText || isLongBody) && hidden(text) !== text) return undefined;
  const flags = [
    "-sS -i",
    // Shows what comes as it comes.
    ...(asksForStream(target, text) ? ["-N"] : []),
    // Braces and brackets in an address are patterns to curl otherwise.
    ...(/[[\]{}]/.test(origin + target) ? ["-g"] : []),
    // Has curl decode the answer; the header below still says which codings it may have.
    ...(headers.some(([name, value]) => /^accept-encoding$/i.test(name) && asksForCoding(value))
      ? ["--compressed"]
      : []),
  ];
  const parts = [
    // curl posts what has a body.
    `curl ${flags.join(" ")}${method === "POST" && body.length > 0 ? "" : ` -X ${shellWord(method)}`} ${quoted(address(origin + target))}`,
    ...headers.filter((pair) => !isOurName(pair)).map((pair) => `-H ${quoted(headerField(pair))}`),
    // Else curl says that it sends a form.
    ...(body.length > 0 && !headers.some(([name]) => /^content-type$/i.test(name)) ? ["-H 'Content-Type:'"] : []),
    ...(body.length === 0
      ? []
      : [`--data-binary ${isLongBody ? `@${bodyFile(body)}` : isText ? quoted(hidden(text)) : "@-"}`]),
  ];
  const command = parts.join(" \\\n  ");
  if (isText || isLongBody) return command;
  const lines = Buffer.from(body)
    .toString("base64")
    .match(new RegExp(`.{1,${lineLength}}`, "g"))!;
  return `base64 -d <<'BODY' | ${command}\n${lines.join("\n")}\nBODY`;
}
