/** Rules on the log probabilities of a chat reply. */

import { warns } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import { isObject } from "../../../wire/json.ts";
import { editChoices } from "../examples/spoil.ts";
import { perChoice } from "../reading/choice-rule.ts";
import { faultAt, type Placed, within } from "../reading/reply.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether bytes are a whole UTF-8 text other than `token`; pieces of a character say nothing. */
function contradicts(bytes: unknown, token: unknown): boolean {
  if (!Array.isArray(bytes) || typeof token !== "string") return false;
  if (isSpelt(token, bytes)) return false;
  const wanted = Buffer.from(token);
  if (wanted.length === bytes.length && bytes.every((byte, i) => byte === wanted[i])) return false;
  if (!bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)) return false;
  try {
    return decoder.decode(Uint8Array.from(bytes as number[])) !== token;
  } catch {
    return false;
  }
}

/** Whether a token of ASCII, as most are, is spelt by its bytes. */
function isSpelt(token: string, bytes: readonly unknown[]): boolean {
  if (token.length !== bytes.length) return false;
  for (let i = 0; i < bytes.length; i++)
    if (token.charCodeAt(i) !== bytes[i] || (bytes[i] as number) > 127) return false;
  return true;
}

const listed = (entry: Placed): unknown[] => {
  const top = entry.value["top_logprobs"];
  return Array.isArray(top) ? top : [];
};

const bytesOfToken = perChoice(
  "bytes-of-token",
  ({ entries }) => entries.some(({ value }) => Array.isArray(value["bytes"])),
  function* ({ entries }) {
    const reading = warns("C-BYTES");
    for (const entry of entries) {
      const { bytes, token } = entry.value;
      const expected = (text: unknown): string => `the UTF-8 bytes of ${JSON.stringify(text)}`;
      if (contradicts(bytes, token)) yield faultAt(within(entry.spot, "bytes"), expected(token), bytes, { reading });
      for (const [i, top] of listed(entry).entries())
        if (isObject(top) && contradicts(top["bytes"], top["token"]))
          yield faultAt(within(entry.spot, `top_logprobs/${i}/bytes`), expected(top["token"]), top["bytes"], {
            reading,
          });
    }
  },
  (exchange) =>
    editChoices(exchange, ({ logprobs }) => {
      for (const entry of logprobs?.content ?? []) entry.bytes = [...Buffer.from(`${entry.token}!`)];
    }),
);

/** With twenty alternatives listed, a token that is not among them is known not to be one of the 20 most probable. */
const unlisted = (entry: Placed): boolean => {
  const top = listed(entry);
  return top.length >= 20 && top.every((one) => isObject(one) && one["token"] !== entry.value["token"]);
};

const sentinel = perChoice(
  "logprob-sentinel",
  ({ entries }) => entries.some(unlisted),
  function* ({ entries }) {
    for (const entry of entries) {
      const { logprob } = entry.value;
      if (typeof logprob === "number" && logprob !== -9999 && unlisted(entry))
        yield faultAt(within(entry.spot, "logprob"), "-9999.0 for a token that is not among the 20 listed", logprob, {
          reading: warns("C-9999"),
        });
    }
  },
  (exchange) =>
    editChoices(exchange, ({ logprobs }) => {
      for (const entry of logprobs?.content ?? []) if (entry.logprob === -9999) entry.logprob = -3.5;
    }),
);

export const rules: readonly Rule[] = [bytesOfToken, sentinel];
