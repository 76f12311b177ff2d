/** How interfaces grade base64 that decodes, but is not written in the standard form (reading X-BASE64). */
import { strictOnly, warns } from "../../check/clause.ts";
import type { Fault } from "../../check/rule.ts";
import { base64Blemish } from "../../wire/base64.ts";

/** The departure of a decodable text from the standard form; undefined if there is none. */
export function base64Departure(text: string): Required<Pick<Fault, "hint" | "reading">> | undefined {
  const blemish = base64Blemish(text);
  if (blemish !== undefined) return { hint: blemish, reading: warns("X-BASE64") };
  const hint = base64Blemish(text, true);
  return hint === undefined ? undefined : { hint, reading: strictOnly("X-BASE64") };
}
