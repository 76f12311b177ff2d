/** The models that a target lists, for runs without a model of their own. */
import { UserError } from "../../user-error.ts";
import type { HeaderPairs } from "../../wire/exchange.ts";
import { isObject, parseJsonBytes } from "../../wire/json.ts";
import type { Sender } from "../../wire/send.ts";
import type { RunOptions } from "../options.ts";

/** Ids of models that do not generate text. */
const noText = /embed|whisper|tts|image|dall|moderation|rerank|audio|transcri/i;

/** Models that a message names. */
const maxNamed = 5;

/** The target rejected the model of the first request. */
export class UnknownModel extends UserError {
  /** A value of `--model` to run with instead; undefined if nothing or more than one thing fits, or if the user chose the model. */
  readonly instead: string | undefined;
  constructor(message: string, remedy: string, instead: string | undefined) {
    super(message, remedy);
    this.instead = instead;
  }
}

/** The options for a run after the target rejected the recorded model; undefined for any other error. */
export function withOnlyModel<T extends RunOptions>(error: unknown, options: T): T | undefined {
  const { model: chosen = [] } = options;
  if (!(error instanceof UnknownModel) || error.instead === undefined || chosen.includes(error.instead))
    return undefined;
  return { ...options, model: [...chosen, error.instead] };
}

/** The models for text in a list, or all if none is for text. */
export function textModels(ids: readonly string[]): readonly string[] {
  const forText = ids.filter((id) => !noText.test(id));
  return forText.length > 0 ? forText : ids;
}

/** The ids as the end of a message; empty without any. */
export function listText(ids: readonly string[]): string {
  if (ids.length === 0) return "";
  const rest = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : "";
  return ` It lists ${ids.slice(0, maxNamed).join(", ")}${rest}.`;
}

/**
 * Requests the list of models, at /v1/models or /v1beta/models.
 * @param headers the credentials, and what else the target wants in each request
 * @returns the ids; empty without a list
 */
export async function listedModels(url: string, headers: HeaderPairs, sender: Sender): Promise<string[]> {
  const { origin, host, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, "").replace(/\/v1(?:beta)?$/, "");
  for (const list of ["/v1/models", "/v1beta/models"]) {
    const request = {
      method: "GET",
      target: `${path}${list}`,
      headers: [
        ["host", host],
        ["accept", "application/json"],
        ...headers.filter(([name]) => !/^(?:host|accept|content-.*|transfer-encoding)$/i.test(name)),
      ] satisfies HeaderPairs,
      body: new Uint8Array(),
    };
    const { response } = (await sender.send(origin, request)).exchange;
    if (response?.status !== 200) continue;
    const parsed = parseJsonBytes(response.body);
    const content = parsed.ok && isObject(parsed.value) ? parsed.value : {};
    const items = [content["data"], content["models"]].find(Array.isArray) ?? [];
    const ids = items.flatMap((item: unknown) => {
      const id = isObject(item) ? (item["id"] ?? item["name"]) : undefined;
      return typeof id === "string" && /^[\w./:@-]{1,200}$/.test(id) ? [id.replace(/^models\//, "")] : [];
    });
    if (ids.length > 0) return ids;
  }
  return [];
}
