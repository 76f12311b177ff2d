/** Finds demands on texts that no text obeys together, so that nobody is judged by them. */
import { mayMatch } from "../check/pattern-lengths.ts";
import type { Demand, Opaque } from "./demands.ts";
import { hasText } from "./made-text.ts";
import type { OpenApi } from "./openapi.ts";

/**
 * Takes out what contradicts itself, as undecided. A contradiction that is certain is noted in the document.
 * @param samples texts of the document that may obey a format along with the rest
 */
export function dropContradictoryTexts(
  doc: OpenApi,
  demands: Map<string, Demand>,
  samples: readonly Demand[],
  opaque: Opaque[],
): void {
  if (demands.has("const") || demands.has("enum")) return;
  const [pattern, format] = [demands.get("pattern"), demands.get("format")];
  const [least, most] = [demands.get("minLength"), demands.get("maxLength")];
  const drop = (ones: readonly (Demand | undefined)[], reason: string): void => {
    for (const one of ones) {
      if (!one || !demands.delete(one.keyword)) continue;
      opaque.push({ keyword: one.keyword, pointer: one.pointer, reason });
    }
  };
  if (pattern) {
    const text = String(pattern.value);
    if (!mayMatch(text)) {
      doc.contradict(pattern.pointer, "No text matches it.");
      drop([pattern], "no text matches it");
    } else if (!mayMatch(text, least?.value as number | undefined, most?.value as number | undefined)) {
      doc.contradict(pattern.pointer, "No text that matches it has the length that is demanded.");
      drop([pattern, least, most], "no text that matches it has the length that is demanded");
    }
  }
  if (!format || !demands.has("format")) return;
  const texts = samples.map(({ value }) => value);
  const isObeyed = (ones: readonly Demand[]): boolean => hasText(new Map(ones.map((one) => [one.keyword, one])), texts);
  const all = ["format", "pattern", "minLength", "maxLength"].flatMap((keyword) => demands.get(keyword) ?? []);
  // A pattern of which no text can be made says nothing against its check: values may well obey it.
  if (isObeyed([format]) && (!pattern || isObeyed([pattern])) && !isObeyed(all))
    drop(all, "no text is found that obeys it beside the others");
}
