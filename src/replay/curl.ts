/** Writes a request as a `curl` command that sends it again, with credentials as environment variables. */
import type { WireRequest } from "../wire/exchange.ts";

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const longest = 100_000;
/** What would not survive being shown and pasted. */
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

/** The environment variable that stands for a credential in commands. */
export const keyVariable = "TOUCHSTONE_KEY";

/**
 * One command, or undefined for a body too long to paste.
 * @param secrets values that must not appear, longest first; each is replaced by `$TOUCHSTONE_KEY`
 */
export function curlOf(origin: string, request: WireRequest, secrets: readonly string[]): string | undefined {
  if (request.body.length > longest) return undefined;
  const shown = (text: string): string => {
    // Outside the single quotes the shell puts the variable in.
    let hidden = text;
    for (const secret of secrets)
      for (const form of new Set([secret, encodeURIComponent(secret)])) hidden = hidden.replaceAll(form, "\u0000");
    return quote(hidden).replaceAll("\u0000", `'"$${keyVariable}"'`);
  };
  const { method, target, headers, body } = request;
  const text = Buffer.from(body).toString("utf8");
  const isText = !unprintable.test(text) && Buffer.from(text, "utf8").equals(body);
  const parts = [
    `curl -sS -i -X ${method} ${shown(origin + target)}`,
    ...headers.map(([name, value]) => `-H ${shown(`${name}: ${value}`)}`),
    ...(body.length === 0 ? [] : isText ? [`--data-binary ${shown(text)}`] : ["--data-binary @-"]),
  ];
  const command = parts.join(" \\\n  ");
  return isText ? command : `base64 -d <<'BODY' | ${command}\n${Buffer.from(body).toString("base64")}\nBODY`;
}
