/** Finds the place of a change in one exchange that shows it, or that could. */
import type { Change } from "../../drift/document.ts";
import type { ViewedBody, ViewedExchange } from "../../view/viewed.ts";
import { parseJson } from "../../wire/json.ts";
import { pointer, tokensOf } from "../../wire/pointer.ts";
import type { Mark } from "../components/marks.ts";

/** Items of a list that are looked at. */
const mostItems = 1_000;

/** Whether an object is of one of the variants that a change is told of, such as `type: tool_use`. */
const isOfVariant = (value: object, where: readonly string[]): boolean =>
  where.some((label) =>
    label.split(", ").every((pair) => {
      const at = pair.indexOf(": ");
      return at > 0 && String((value as Record<string, unknown>)[pair.slice(0, at)] ?? "-") === pair.slice(at + 2);
    }),
  );

/** The steps to the first place that the tokens lead to; undefined where they lead nowhere. */
function stepsIn(value: unknown, tokens: readonly string[], where: readonly string[]): string[] | undefined {
  const [token, ...rest] = tokens;
  if (token === undefined) return [];
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) {
    if (!Object.hasOwn(value, token)) return undefined;
    const below = stepsIn((value as Record<string, unknown>)[token], rest, where);
    return below && [token, ...below];
  }
  const items = value.slice(0, mostItems).map((item, i) => [i, item] as const);
  const isOf = ([, item]: readonly [number, unknown]): boolean =>
    typeof item === "object" && item !== null && isOfVariant(item, where);
  for (const [i, item] of [...items.filter(isOf), ...items]) {
    const below = stepsIn(item, rest, where);
    if (below) return [String(i), ...below];
  }
  return undefined;
}

/** The same as a pointer; of what is missing the place where it would be. */
function pointerIn(text: string, change: Change): { readonly pointer: string; readonly isThere: boolean } | undefined {
  const json = parseJson(text);
  if (!json.ok) return undefined;
  const tokens = tokensOf(change.pointer);
  const whole = stepsIn(json.value, tokens, change.where);
  if (whole) return { pointer: pointer(...whole), isThere: true };
  const holder = stepsIn(json.value, tokens.slice(0, -1), change.where);
  return holder && { pointer: pointer(...holder, tokens.at(-1)!), isThere: false };
}

function inStream(body: ViewedBody & { readonly kind: "stream" }, change: Change): Pick<Mark, "event" | "pointer"> {
  let missing: Pick<Mark, "event" | "pointer"> | undefined;
  for (const { position, text } of change.pointer === "" ? [] : body.events) {
    const found = pointerIn(text, change);
    if (found?.isThere) return { event: position, pointer: found.pointer };
    if (found) missing ??= { event: position, pointer: found.pointer };
  }
  return missing ?? { event: null, pointer: "" };
}

/** The mark of a change in an exchange of one side. */
export function markOfChange(change: Change, exchange: ViewedExchange, says: string): Mark {
  const { side, in: place } = change;
  const level = change.allowed === false ? "error" : "difference";
  const mark = { level, side, in: place, event: null, pointer: change.pointer, says, isFocus: true } as const;
  const body = exchange[side]?.body;
  if (place === "stream" && body?.kind === "stream") return { ...mark, ...inStream(body, change) };
  if (place !== "body" || body?.kind !== "json") return mark;
  const found = pointerIn(body.text, change);
  return { ...mark, pointer: found?.pointer ?? "" };
}
