/** Tells answers that show nothing from answers that can be judged: none, broken off, unreadable, or a refusal of what was granted. */
import type { Incident } from "../verdict/document.ts";
import { decodeContent } from "../wire/encoding.ts";
import type { WireRequest, WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { parseJson } from "../wire/json.ts";

const succeeded = ({ status }: WireResponse): boolean => status >= 200 && status < 300;

/** A response's body without its content encoding. */
export function plainBody(response: WireResponse): ReturnType<typeof decodeContent> {
  return decodeContent(response.body, headerValue(response.headers, "content-encoding"));
}

/** The JSON of a response, undefined where it is none. */
export function jsonOf(response: WireResponse): unknown {
  const decoded = plainBody(response);
  const json = decoded.ok ? parseJson(Buffer.from(decoded.bytes).toString("utf8")) : undefined;
  return json?.ok ? json.value : undefined;
}

/**
 * Why an answer cannot show what the recording shows; undefined where it can.
 * @param failure what went wrong on the wire, if anything did
 * @param before the recorded response
 * @param negative whether the request is broken on purpose: a refusal is then what is wanted
 */
export function incidentOf(
  { method, target }: WireRequest,
  response: WireResponse | null,
  failure: string | undefined,
  before: WireResponse | null,
  negative: boolean,
): Pick<Incident, "kind" | "problem"> | undefined {
  const asked = `${method} ${target.split("?", 1)[0]}`;
  if (failure !== undefined || !response)
    return { kind: "unanswered", problem: `${asked} was not answered in full: ${failure ?? "no answer came"}` };
  const decoded = plainBody(response);
  if (!decoded.ok)
    return { kind: "unanswered", problem: `${asked} was answered with a body nobody can read: ${decoded.problem}` };
  if (negative || !before || !succeeded(before) || succeeded(response)) return undefined;
  const said = Buffer.from(decoded.bytes.subarray(0, 2000)).toString("utf8").replace(/\s+/g, " ").trim();
  const excerpt = Array.from(said).slice(0, 200).join("");
  return {
    kind: "refused",
    problem: `${asked} was answered with status ${response.status}, and with ${before.status} when it was recorded${excerpt && `: ${excerpt}`}`,
  };
}
