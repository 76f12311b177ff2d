/** Finds the place of a change in one exchange that shows it, or that could. */
import type { Change } from "../../drift/document.ts";
import type { ViewedBody, ViewedExchange } from "../../view/viewed.ts";
import { parseJson } from "../../wire/json.ts";
import { pointer, tokensOf } from "../../wire/pointer.ts";
import type { Mark } from "../components/marks.ts";

/** Items of a list that are looked at. */
const maxItems = 1_000;

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
  const items = value.slice(0, maxItems).map((item, i) => [i, item] as const);
  const isOf = ([, item]: readonly [number, unknown]): boolean =>
    typeof item === "object" && item !== null && isOfVariant(item, where);
  const ofVariant = items.filter(isOf);
  for (const [i, item] of ofVariant.length > 0 ? ofVariant : items) {
    const below = stepsIn(item, rest, where);
    if (below) return [String(i), ...below];
  }
  return undefined;
}

/** How many of the variants that a change is told of stand on the way to a place. */
function variantsOn(value: unknown, steps: readonly string[], where: readonly string[]): number {
  const met = new Set<string>();
  let at = value;
  for (const step of [...steps, ""]) {
    if (typeof at !== "object" || at === null) break;
    for (const label of where) if (isOfVariant(at, [label])) met.add(label);
    at = Object.hasOwn(at, step) ? (at as Record<string, unknown>)[step] : undefined;
  }
  return met.size;
}

interface FoundPlace {
  readonly pointer: string;
  readonly isThere: boolean;
  readonly variants: number;
}

/** The same as a pointer; of what is missing the place where it would be. */
function pointerIn(text: string, { pointer: at, where }: Change): FoundPlace | undefined {
  const json = parseJson(text);
  if (!json.ok) return undefined;
  const tokens = tokensOf(at);
  const whole = stepsIn(json.value, tokens, where);
  const steps = whole ?? stepsIn(json.value, tokens.slice(0, -1), where)?.concat(tokens.at(-1)!);
  if (!steps) return undefined;
  return { pointer: pointer(...steps), isThere: whole !== undefined, variants: variantsOn(json.value, steps, where) };
}

function inStream(body: ViewedBody & { readonly kind: "stream" }, change: Change): Pick<Mark, "event" | "pointer"> {
  let best: (FoundPlace & { readonly event: number }) | undefined;
  for (const { position, text } of change.pointer === "" ? [] : body.events) {
    const found = pointerIn(text, change);
    if (!found) continue;
    // An event of another variant may hold a member of the same name.
    const isBetter = !best || found.variants > best.variants;
    const isAsGood = best?.variants === found.variants;
    if (isBetter || (isAsGood && found.isThere && !best?.isThere)) best = { ...found, event: position };
  }
  return best ? { event: best.event, pointer: best.pointer } : { event: null, pointer: "" };
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
