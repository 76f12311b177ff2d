/** Explains in one line why a valid first request failed. */
import { decodeContent } from "../../wire/encoding.ts";
import type { WireResponse } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";

/** Why a run makes no sense yet: what and where, and what to do. */
export interface Obstacle {
  readonly problem: string;
  readonly remedy: string;
  /** Whether it is the key that is not accepted. */
  readonly ofKey?: boolean;
  /** Whether it is the model that is not known. */
  readonly ofModel?: boolean;
  /** Whether it is that requests are sent on to another address. */
  readonly isRedirection?: boolean;
}

/** A good request and its answer. */
export interface FirstAnswer {
  readonly response: WireResponse;
  readonly interface: string;
  /** Method and path. */
  readonly operation: string;
  readonly model: string | undefined;
  readonly keyGiven: boolean;
  /** Names of the headers that were sent, lower-case. */
  readonly sent: readonly string[];
  /** The target's address. */
  readonly url: string;
  /** The address to which the answer sends the request on. */
  readonly location?: string | null | undefined;
}

const refusal =
  /not[ _-]?found|not exist|doesn'?t exist|unknown|unsupported|not support|invalid|no such|not (?:available|loaded|allowed|permitted|have access)|unavailable|not a valid/i;

const speaksOfKey = /api[ _-]?key|credential|\bauthorization\b|unauthori[sz]ed|unauthenticated|\baccess token\b/i;
const isAmiss =
  /invalid|not valid|incorrect|missing|expired|required|not (?:provided|set|found|passed)|\bno\b|must|provide/i;

/** Names of headers in a text: `x-tenant`, and what is called a header. */
const headerName =
  /\bx(?:-[a-z\d]+)+\b|\b[a-z\d]+(?:-[a-z\d]+)+(?=['"`:]* +header\b)|(?<=\bheader:? +['"`]?)[a-z\d]+(?:-[a-z\d]+)+\b/gi;

const credential = /^(?:x-api-key|api-key|x-goog-api-key|authorization)$/;

/** Reads what the answer to a good first request says about its address, headers, key and model. */
export function obstacleIn(first: FirstAnswer): Obstacle | undefined {
  const { response, operation, model } = first;
  const { status } = response;
  if (status >= 200 && status <= 299) return undefined;
  const decoded = decodeContent(response.body, headerValue(response.headers, "content-encoding"));
  // The path may hold the model; repeating the path says nothing about the model.
  const text = decoded.ok
    ? Buffer.from(decoded.bytes)
        .toString("utf8")
        .replaceAll(operation.slice(operation.indexOf(" ") + 1), "PATH")
    : "";
  const excerpt = Array.from(text.replace(/\s+/g, " ").trim()).slice(0, 160).join("");
  const answered = `${operation} was answered ${status}${excerpt ? ` (${excerpt})` : ""}`;
  const ofModel = lacksModel(status, model, first.interface, text, answered);
  return (
    redirected(first, answered) ??
    wantsHeader(first, text, answered) ??
    (blamesModel.test(text) ? ofModel : undefined) ??
    refusesKey(first, text, answered) ??
    ofModel
  );
}

/** Requests do not follow: a key would go with them, perhaps to somebody else. */
function redirected({ response, url, location, operation }: FirstAnswer, answered: string): Obstacle | undefined {
  if (response.status < 300 || response.status > 399 || !location || !URL.canParse(location, url)) return undefined;
  const to = new URL(location, url);
  const path = operation.slice(operation.indexOf(" ") + 1).replace(new URL(url).pathname.replace(/\/$/, ""), "");
  const base = to.origin + (to.pathname.endsWith(path) ? to.pathname.slice(0, -path.length) : to.pathname);
  return {
    isRedirection: true,
    problem: `the target sends requests on to ${to.origin + to.pathname}: ${answered}`,
    remedy: `Keys are not sent after a redirection; if that is the target, give its address: ${base}`,
  };
}

function wantsHeader({ response, sent, keyGiven }: FirstAnswer, text: string, answered: string): Obstacle | undefined {
  if (response.status < 400 || !/required|missing|must|provide|expected|need/i.test(text)) return undefined;
  const named = [...new Set((text.match(headerName) ?? []).map((name) => name.toLowerCase()))];
  const wanted = named.filter((name) => !credential.test(name) && !sent.includes(name) && name !== "content-type");
  if (wanted.length === 0 || (!keyGiven && named.some((name) => credential.test(name)))) return undefined;
  const versions = wanted.filter((name) => name.endsWith("-version"));
  const problem = `the target wants the header ${wanted.slice(0, 3).join(" or ")}: ${answered}`;
  const bind = `Say what it is called there: --bind partner-version=${versions[0]}, or --preset vendors for the names of well-known services.`;
  const give = `Give it: ${wanted
    .slice(0, 3)
    .map((name) => `--header "${name}: VALUE"`)
    .join(" or ")}.`;
  return { problem, remedy: versions.length > 0 ? bind : give };
}

function refusesKey(
  { response: { status }, interface: of, keyGiven }: FirstAnswer,
  text: string,
  answered: string,
): Obstacle | undefined {
  const says = status >= 400 && status !== 404 && status !== 429 && speaksOfKey.test(text) && isAmiss.test(text);
  if (status !== 401 && status !== 403 && !says) return undefined;
  const variable = `TOUCHSTONE_KEY_${of.toUpperCase().replaceAll("-", "_")}`;
  return {
    ofKey: true,
    problem: `the ${keyGiven ? "key for" : "target wants a key for"} ${of}${keyGiven ? " is not accepted" : ""}: ${answered}`,
    remedy: `Put the key into the environment variable ${variable} (or TOUCHSTONE_KEY for all), or give --key ${of}='$NAME_OF_A_VARIABLE'; --lacks ${of} leaves it out.`,
  };
}

/** An error says that the model is at fault: in its code, in the member that it names, or in words. */
const blamesModel = new RegExp(
  [
    /"param":\s{0,9}"model"/,
    /"(?:code|type)":\s{0,9}"model_not_found"/,
    /"loc":\s{0,9}\[[^\]]{0,200}"model"\s{0,9}\]/,
    // Not `max_tokens of this model must be`.
    /(?:^|["':.]\s{0,9})(?:the )?['"`\\]{0,2}model['"`\\]{0,2} (?:id |name )?(?:must|should|has to|needs to) be\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

function lacksModel(
  status: number,
  model: string | undefined,
  of: string,
  text: string,
  answered: string,
): Obstacle | undefined {
  if (model === undefined) return undefined;
  const namesModel = text.includes(model);
  const speaksOfModel = /model/i.test(text) && refusal.test(text);
  const isRejected =
    ([400, 403, 404, 422].includes(status) && blamesModel.test(text)) ||
    (status === 404 && (namesModel || speaksOfModel)) ||
    ((status === 400 || status === 422) && namesModel && speaksOfModel);
  if (!isRejected) return undefined;
  return {
    ofModel: true,
    problem: `the target does not know the model ${model} for ${of}: ${answered}`,
    remedy: `Name one it has: --model ${of}=NAME (or ${model}=NAME), or "models" in a target file.`,
  };
}
