/** Tells from the answer to a good first request what stands in the way of a run. */
import { decodeContent } from "../wire/encoding.ts";
import type { WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";

/** Why a run makes no sense yet: what and where, and what to do. */
export interface Obstacle {
  readonly problem: string;
  readonly remedy: string;
  /** Whether it is the key that is not accepted. */
  readonly ofKey?: boolean;
}

const refusal =
  /not[ _-]?found|not exist|doesn'?t exist|unknown|unsupported|not support|invalid|no such|not available|unavailable|not a valid/i;

/** What the answer to a good first request says about key and model. */
export function obstacleIn(
  response: WireResponse,
  of: string,
  operation: string,
  model: string | undefined,
  keyGiven: boolean,
): Obstacle | undefined {
  const { status } = response;
  const decoded = decodeContent(response.body, headerValue(response.headers, "content-encoding"));
  // The path may hold the model; repeating the path says nothing about the model.
  const text = decoded.ok
    ? Buffer.from(decoded.bytes)
        .toString("utf8")
        .replaceAll(operation.slice(operation.indexOf(" ") + 1), "PATH")
    : "";
  const excerpt = Array.from(text.replace(/\s+/g, " ").trim()).slice(0, 160).join("");
  const said = excerpt ? ` (${excerpt})` : "";
  const variable = `TOUCHSTONE_KEY_${of.toUpperCase().replaceAll("-", "_")}`;
  const keyRefused = status === 400 && /api[ _-]?key/i.test(text) && /invalid|not valid|missing|expired/i.test(text);
  if (status === 401 || status === 403 || keyRefused)
    return {
      ofKey: true,
      problem: `the ${keyGiven ? "key for" : "target wants a key for"} ${of}${keyGiven ? " is not accepted" : ""}: ${operation} was answered ${status}${said}`,
      remedy: `Put the key into the environment variable ${variable} (or TOUCHSTONE_KEY for all), or give --key ${of}='$NAME_OF_A_VARIABLE'; --lacks ${of} leaves it out.`,
    };
  const namesModel = model !== undefined && text.includes(model);
  const speaksOfModel = /model/i.test(text) && refusal.test(text);
  if (
    model !== undefined &&
    ((status === 404 && (namesModel || speaksOfModel)) || (status === 400 && namesModel && speaksOfModel))
  )
    return {
      problem: `the target does not know the model ${model} for ${of}: ${operation} was answered ${status}${said}`,
      remedy: `Name one it has: --model ${of}=NAME (or ${model}=NAME), or "models" in a target file.`,
    };
  return undefined;
}
