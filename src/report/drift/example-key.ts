/** How an exchange that a change names is called within a page. */

export type SideName = "before" | "after";

export const exampleKey = (
  side: SideName,
  { source, exchange }: { readonly source: string; readonly exchange: number },
): string => `${side} ${exchange} ${source}`;
