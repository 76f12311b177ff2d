/** Asks a target one question an interface before any suite runs, so that a wrong address, key or model is one line and no wall of failures. */
import { decodeContent } from "../wire/encoding.ts";
import type { Exchange, WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import type { Sender } from "../wire/send.ts";
import { adapt, keyFor } from "./adapt.ts";
import type { Asking } from "./ask.ts";
import { modelOf } from "./model.ts";
import type { Recording } from "./recordings.ts";
import { withoutSecrets } from "./secrets.ts";
import { targetNames } from "./target.ts";

/** Why a run makes no sense yet: what and where, and what to do. */
export interface Obstacle {
  readonly problem: string;
  readonly remedy: string;
  /** Whether it is the key that is not accepted. */
  readonly ofKey?: boolean;
}

/** A request that a target answers with its key in a header, having refused the one that is as documented (reading G-KEY). */
export interface KeyInHeader {
  readonly interface: string;
  readonly source: string;
  /** Without the key. */
  readonly exchange: Exchange;
}

export interface Preflight {
  /** What stands in the way; undefined where nothing does. */
  readonly obstacle?: Obstacle;
  readonly keysInHeaders: readonly KeyInHeader[];
}

/** Sends the first good request of each interface. */
export async function preflight(recordings: readonly Recording[], asking: Asking, sender: Sender): Promise<Preflight> {
  const { target } = asking;
  const absent: string[] = [];
  const keysInHeaders: KeyInHeader[] = [];
  const stopped = (obstacle: Obstacle): Preflight => ({ obstacle, keysInHeaders });
  const probes = firstOfEach(recordings);
  for (const recording of probes) {
    const { interface: of } = recording;
    const first = await askFirst(recording, asking, sender);
    if ("problem" in first) return stopped(first);
    const { response, operation, refused } = first;
    if (refused?.ofKey) {
      const again = await askFirst(recording, withKeyInHeader(asking, of), sender);
      if (!("problem" in again) && !again.refused) {
        keysInHeaders.push({ interface: of, source: recording.source, exchange: again.exchange });
        continue;
      }
    }
    if (refused) return stopped(refused);
    if (response.status === 404 || response.status === 405) absent.push(operation);
  }
  if (probes.length > 0 && absent.length === probes.length)
    return stopped({
      problem: `${target.url} knows no operation: it answered ${absent.join(", ")} with 404 or 405`,
      remedy: "Give the address before /v1 or /v1beta, for example http://127.0.0.1:8080 or https://host/gateway.",
    });
  return { keysInHeaders };
}

const withKeyInHeader = ({ target, ...asking }: Asking, of: string): Asking => ({
  ...asking,
  target: { ...target, keysInHeaders: [...(target.keysInHeaders ?? []), of] },
});

/** The answer to a first request. */
interface First {
  /** Without the key. */
  readonly exchange: Exchange;
  readonly response: WireResponse;
  readonly operation: string;
  readonly refused: Obstacle | undefined;
}

/** Sends the first request of a recording; an obstacle where no answer came to it. */
async function askFirst(
  { interface: of, bindings, exchanges }: Recording,
  asking: Asking,
  sender: Sender,
): Promise<First | Obstacle> {
  const { target } = asking;
  const recorded = { interface: of, bindings, negative: false };
  const asked = adapt(exchanges[0]!.exchange.request, recorded, target, asking.knownModels);
  const sent = await sender.send(asked.origin, asked.request);
  const { failure } = sent;
  const operation = `${asked.request.method} ${asked.request.target.split("?", 1)[0]}`;
  if (failure?.kind === "unreachable")
    return {
      problem: `${target.url} cannot be reached: ${failure.problem}`,
      remedy: "Start the target, or correct its address; touchstone run without a target judges the embedded one.",
    };
  if (failure?.kind === "unsendable") throw new Error(`${operation} cannot be sent: ${failure.problem}`);
  const exchange = withoutSecrets(sent.exchange, target, targetNames(target, bindings));
  const { response } = exchange;
  if (!response)
    return {
      problem: `${target.url} does not answer ${operation}: ${failure?.problem}`,
      remedy: `Make sure an HTTP server for ${of} listens there, or choose others with --interface or --lacks ${of}.`,
    };
  const refused = obstacleIn(response, of, operation, modelOf(asked.request), keyFor(target, of) !== undefined);
  return { exchange, response, operation, refused };
}

function firstOfEach(recordings: readonly Recording[]): Recording[] {
  const first = new Map<string, Recording>();
  for (const recording of recordings) {
    const response = recording.exchanges[0]?.exchange.response;
    if (recording.violates.length > 0 || !response || response.status < 200 || response.status > 299) continue;
    if (!first.has(recording.interface)) first.set(recording.interface, recording);
  }
  return [...first.values()];
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
