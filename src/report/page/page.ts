/** The page about one target: results and exchanges as one HTML file. */
import type { Results } from "../options.ts";
import { pageHtml } from "./html.ts";
import { type PackedExchanges, packed } from "./pack.ts";
import { type PageSources, pageDataOf } from "./page-data.ts";

/** The page, in pieces. @param bundle script and style of the page `report` */
export function* reportPage(
  results: Results,
  sources: PageSources,
  { index, blocks }: PackedExchanges,
  bundle: { readonly script: string; readonly style: string },
): Generator<string> {
  const data = pageDataOf(results, sources, index);
  const title = `${data.name} · touchstone`;
  yield* pageHtml({
    ...bundle,
    title,
    summary: data.verdict.sentence,
    blocks: [packed(JSON.stringify(data)), ...blocks],
  });
}
