/** How an exchange that a change names is called within a page. */
import type { ExchangeName, SeenIn } from "../../drift/document.ts";

export type SideName = "before" | "after";

export const exampleKey = (side: SideName, { source, exchange }: ExchangeName): string =>
  `${side} ${exchange} ${source}`;

/** The exchange of a side that is shown: one that shows the change, else one that could. */
export const exchangeShown = ({ example, lacking }: SeenIn): ExchangeName | null => example ?? lacking;
