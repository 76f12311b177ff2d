/** Answers with pictures: each case draws its own. */
import { jsonRequest } from "../../wire/build.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Said } from "../speech.ts";
import type { Json, Voice } from "../voice.ts";

/** Members of a request that change the shape of its answer. */
const shaping = ["model", "n", "response_format"];

function ask(_request: WireRequest, json: Json, text: string): WireRequest {
  const taken = Object.fromEntries(shaping.flatMap((name) => (json[name] == null ? [] : [[name, json[name]]])));
  // Fields of a form are texts.
  if (taken["n"] !== undefined) taken["n"] = Number(taken["n"]);
  const body = { ...taken, ...(json["response_format"] === "b64_json" && { size: "256x256" }), prompt: text };
  return jsonRequest("/v1/images/generations", [["Authorization", "Bearer case-key"]], body);
}

/** The pictures of a reply, one after another: addresses by their path, which no port changes. */
function said(template: unknown): Said {
  const data = isObject(template) && Array.isArray(template["data"]) ? template["data"].filter(isObject) : [];
  const each = data.map(({ url, b64_json: base64 }) =>
    typeof url === "string" ? new URL(url).pathname : String(base64),
  );
  return { text: each.join("\n"), calls: [] };
}

export const voice: Voice = {
  interface: "images",
  ask,
  tools: () => [],
  callsIn: () => [],
  events: (template) => template,
  body: (template) => template,
  said,
  failure: (status, message) => ({
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code: null },
  }),
};
