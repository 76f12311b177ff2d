/** The models that a target lists, for runs without a model of their own. */
import { UserError } from "../../user-error.ts";
import { isObject, parseJsonBytes } from "../../wire/json.ts";
import { createSender, defaultLimits } from "../../wire/send.ts";
import type { RunOptions } from "../options.ts";
import { readTarget } from "../plan/target-options.ts";

/** Ids of models that do not generate text. */
const noText = /embed|whisper|tts|image|dall|moderation|rerank|audio|transcri/i;

/** The target rejected the model of the first request. */
export class UnknownModel extends UserError {}

/**
 * Finds a model to use after the target rejected the recorded one.
 * @returns the only model for text in the target's list; undefined for any other error, if there are several, or if the user
 * chose a model
 */
export async function onlyModel(
  error: unknown,
  target: string | undefined,
  options: RunOptions,
): Promise<string | undefined> {
  if (!(error instanceof UnknownModel) || target === undefined || (options.model?.length ?? 0) > 0) return undefined;
  const { url, models = {} } = readTarget(target);
  if (Object.keys(models).length > 0) return undefined;
  const [model, ...others] = await listedModels(url, options);
  return others.length === 0 ? model : undefined;
}

/**
 * Requests the list of models, at /v1/models or /v1beta/models.
 * @returns the ids of models for text, or all ids if no model is for text; empty without a list
 */
export async function listedModels(url: string, { insecure = false }: RunOptions): Promise<string[]> {
  const { origin, host, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, "").replace(/\/v1(?:beta)?$/, "");
  const key = process.env["TOUCHSTONE_KEY"];
  const sender = createSender({ ...defaultLimits, maxIdleMs: 10_000, insecure });
  try {
    for (const list of ["/v1/models", "/v1beta/models"]) {
      const headers: [string, string][] = [
        ["host", host],
        ["accept", "application/json"],
        ...(key ? [["authorization", `Bearer ${key}`] satisfies [string, string]] : []),
      ];
      const request = { method: "GET", target: `${path}${list}`, headers, body: new Uint8Array() };
      const { exchange } = await sender.send(origin, request);
      const { response } = exchange;
      if (response?.status !== 200) continue;
      const parsed = parseJsonBytes(response.body);
      const content = parsed.ok && isObject(parsed.value) ? parsed.value : {};
      const items = [content["data"], content["models"]].find(Array.isArray) ?? [];
      const ids = items.flatMap((item: unknown) => {
        const id = isObject(item) ? (item["id"] ?? item["name"]) : undefined;
        return typeof id === "string" && /^[\w./:@-]{1,200}$/.test(id) ? [id.replace(/^models\//, "")] : [];
      });
      const forText = ids.filter((id: string) => !noText.test(id));
      if (ids.length > 0) return forText.length > 0 ? forText : ids;
    }
    return [];
  } finally {
    await sender.close();
  }
}
