/** Finds what a request asks that the interface of the upstream has no word for, and whose answer would break what was asked. */
import { linkedCalls } from "../../interfaces/common/facts/links.ts";
import type { Modalities, Part, RequestFacts } from "../../interfaces/common/facts/model.ts";
import { factData, hasWord } from "../../interfaces/fact-data.ts";
import { isObject } from "../../wire/json.ts";
import type { Route } from "../trip.ts";

/** Whether a setting asks for anything. */
const asks = (value: unknown): boolean =>
  typeof value === "number"
    ? value > 1
    : isObject(value)
      ? value["on"] !== false
      : value !== undefined && value !== false;

/** Settings without which a reply is not what was asked for, or cannot be made at all. */
const promised = ["choices", "log-probabilities", "web-search", "code-execution", "tools.built-in", "cached-content"];

const media = ["image", "audio", "video", "document"] as const;

/** Whether a medium is lost in another interface: it takes none of its kind, or not by address or id. */
function isLost(part: Part, { to }: Route): boolean {
  if (!media.includes(part.kind as (typeof media)[number])) return false;
  const entry = factData().request[part.kind]!;
  if (!hasWord(entry, to)) return true;
  const { data, url } = part as { data?: string; url?: string };
  return data === undefined && !(url !== undefined && entry.addresses?.includes(to));
}

/** The fact that cannot be said, or undefined. Between ends of one interface everything can. */
export function unsayable(asked: RequestFacts, route: Route): string | undefined {
  const { from, to } = route;
  if (from === to) return undefined;
  const has = (fact: string): boolean => hasWord(factData().request[fact]!, to);
  const setting = promised.find((fact) => !has(fact) && asks(asked.settings[fact]));
  if (setting !== undefined) return setting;
  if (asked.output && asked.output.form !== "text" && !has("structured-output")) return "structured-output";
  if (asked.parallel === false && asked.tools && !has("tools.parallel")) return "tools.parallel";
  const modalities = asked.settings["modalities"] as Modalities | undefined;
  const kinds = factData().request["modalities"]?.details;
  const isOtherKind = modalities?.kinds.some((kind) => kind !== "text" && !kinds?.[kind]?.includes(to));
  if (modalities && (!has("modalities") || isOtherKind || (modalities.format ?? "wav") !== "wav")) return "modalities";
  // A result that names no call answers nothing.
  if (linkedCalls(asked).results.some(({ call }) => call === undefined)) return "tool-result";
  const parts = asked.turns.flatMap((turn) => turn.parts);
  return parts.find((part) => isLost(part, route))?.kind;
}

/** The name of a fact in the client's interface: its first member. */
export const wordOf = (fact: string, { from }: Route): string =>
  factData().request[fact]?.at[from]?.[0]?.split("/").at(-1) ?? fact;
