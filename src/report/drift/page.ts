/** The page of what changed: its data, and one HTML file made of it. */
import type { DriftDocument, VerdictsDocument } from "../../drift/document.ts";
import { pageHtml } from "../page/html.ts";
import { packed } from "../page/pack.ts";
import type { Examples, InPage } from "./examples.ts";
import { totalText, verdictsTotal } from "./words.ts";

/** The data of the page. */
export interface DriftPage {
  /** The name of the first side. */
  readonly before: string;
  readonly after: string;
  /** ISO time at which it was compared. */
  readonly compared: string;
  readonly document: DriftDocument | VerdictsDocument;
  /** The sentences of the clauses that it names, by their ids. */
  readonly sentences: Readonly<Record<string, string>>;
  /** The exchanges that changes name as examples, as far as there is room, by `exampleKey`. */
  readonly examples: Readonly<Record<string, InPage>>;
}

/** The page, in pieces. @param bundle script and style of the page `drift` */
export function* driftPage(
  told: Omit<DriftPage, "examples">,
  { places: examples, blocks }: Examples,
  bundle: { readonly script: string; readonly style: string },
): Generator<string> {
  const data: DriftPage = { ...told, examples };
  const { document } = data;
  yield* pageHtml({
    ...bundle,
    title: `${data.before} and ${data.after} · touchstone diff`,
    summary: "verdicts" in document ? verdictsTotal(document.verdicts.length) : totalText(document.summary),
    blocks: [packed(JSON.stringify(data)), ...blocks],
  });
}
