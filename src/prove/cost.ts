/** What a probe costs a target that accepts it: bounds on what is generated, and which requests ask for much all the same. */
import type { Interface } from "../check/interface.ts";
import { needsShownBy } from "../interfaces/needs.ts";
import { type FormField, formRequest, utf8 } from "../wire/build.ts";
import { editBody } from "../wire/edit.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { isObject, parseJson } from "../wire/json.ts";
import { parseForm } from "../wire/multipart.ts";

/** Tokens that a reply to a probe may have, where nothing in the request needs more. */
const shortReply = 16;

/** Tokens that a reply may have which is worth nothing where it is cut: a call, a value for a schema, thoughts. */
const wholeReply = 512;

/** Needs of requests whose replies are worth nothing where they are cut; some targets refuse the request then. */
const spoiltByCutting = new Set([
  ...["audio", "code-execution", "computer-use", "functions", "grounding", "image-output", "json-mode", "prediction"],
  ...["reasoning", "speech", "structured-output", "thinking", "tools", "url-context", "web-search"],
]);

/** Tokens from which a reply is long. */
const longReply = 1000;

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

function jsonOf({ body }: WireRequest): Members | undefined {
  const json = parseJson(Buffer.from(body).toString("utf8"));
  return json.ok && isObject(json.value) ? json.value : undefined;
}

/**
 * Members with every number under these names brought down to `most`, and up to `least`, and the last name added where none is there.
 */
function within(members: Members, least: number, most: number, names: readonly string[], isAdded: boolean): Members {
  const present = names.filter((name) => typeof members[name] === "number");
  const moved = present.filter((name) => Number(members[name]) > most || Number(members[name]) < least);
  const added = isAdded && present.length === 0 ? [names.at(-1)!] : [];
  return { ...members, ...Object.fromEntries([...moved, ...added].map((name) => [name, most])) };
}

const isLarge = (size: unknown): boolean => typeof size === "string" && /^(?:1792x|1536x|1024x1[57])/.test(size);
const isFine = (quality: unknown): boolean => quality === "hd" || quality === "high";

/** What costs least of what image models take, in place of what costs more. */
const cheapest = (name: string, value: unknown): unknown =>
  name === "n" && Number(value) > 1
    ? typeof value === "string"
      ? "1"
      : 1
    : name === "size" && isLarge(value)
      ? "1024x1024"
      : name === "quality" && isFine(value)
        ? value === "hd"
          ? "standard"
          : "low"
        : value;

/** A form that asks for one image, small and plain. */
function withOneImage(exchange: Exchange): Exchange {
  const { request } = exchange;
  if (!isCostly(request)) return exchange;
  const form = parseForm(request.body, headerValue(request.headers, "content-type"));
  if (!form.ok) return exchange;
  const fields = form.parts.map(({ name, filename, contentType, bytes }): FormField => {
    if (filename !== undefined) return [name, { filename, ...(contentType && { contentType }), bytes }];
    return [name, String(cheapest(name, Buffer.from(bytes).toString("utf8")))];
  });
  const others = request.headers.filter(([name]) => !/^content-(type|length)$/i.test(name));
  return { ...exchange, request: formRequest(request.target, others, fields) };
}

/** The request with one short reply asked for: an accepted probe costs little then. */
export function bounded(exchange: Exchange, of: Interface | undefined): Exchange {
  const { target } = exchange.request;
  const body = jsonOf(exchange.request);
  if (!body) return withOneImage(exchange);
  const put = (changed: Members): Exchange => editBody(exchange, "request", utf8(JSON.stringify(changed)));
  const single = within(body, 0, 1, ["n"], false);
  const isWhole = needsShownBy(exchange.request, of).some((need) => spoiltByCutting.has(need));
  const [least, most] = isWhole ? [wholeReply, wholeReply] : [0, shortReply];
  if (target.startsWith("/v1/chat/completions"))
    return put(within(single, least, most, ["max_tokens", "max_completion_tokens"], true));
  // The budget of thinking lies below the bound on the reply.
  if (target.startsWith("/v1/messages"))
    return "thinking" in body ? exchange : put(within(body, least, most, ["max_tokens"], false));
  if (!target.includes("enerateContent"))
    return put(Object.fromEntries(Object.entries(body).map(([name, value]) => [name, cheapest(name, value)])));
  const name = "generation_config" in body ? "generation_config" : "generationConfig";
  const config = body[name] ?? {};
  if (!isObject(config)) return exchange;
  const bounds = name === "generationConfig" ? ["maxOutputTokens"] : ["maxOutputTokens", "max_output_tokens"];
  const one = within(config, 0, 1, ["candidateCount", "candidate_count"], false);
  return put({ ...body, [name]: within(one, least, most, bounds, true) });
}

const isAbove = (value: unknown, least: number): boolean => typeof value === "number" && value > least;

/** Whether a request, where it is accepted, has several replies or images, a large or fine image, or a long text made. */
export function isCostly(request: WireRequest): boolean {
  const form = parseForm(request.body, headerValue(request.headers, "content-type"));
  if (form.ok) {
    const fields = form.parts.map(({ name, bytes }) => [name, Buffer.from(bytes.subarray(0, 20)).toString()]);
    const { n, size, quality } = Object.fromEntries(fields) as Record<string, unknown>;
    return Number(n) > 1 || isLarge(size) || isFine(quality);
  }
  const body = jsonOf(request);
  if (!body) return false;
  // What the plainest model is asked for, it does not have.
  if (isLarge(body["size"]) || (isFine(body["quality"]) && body["model"] !== "image-v2")) return true;
  const config = membersOf(body["generationConfig"] ?? body["generation_config"]);
  return (
    [body["n"], config["candidateCount"], config["candidate_count"]].some((count) => isAbove(count, 1)) ||
    [
      body["max_tokens"],
      body["max_completion_tokens"],
      config["maxOutputTokens"],
      config["max_output_tokens"],
      membersOf(body["thinking"])["budget_tokens"],
      membersOf(config["thinkingConfig"])["thinkingBudget"],
    ].some((tokens) => isAbove(tokens, longReply))
  );
}
