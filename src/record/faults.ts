/** Keeps a recording process going when something in it fails that nobody caught. */

/** What failed and where; without its message, which may quote what passed. */
export const placeOf = ({ name, stack }: Error): string => `${name} ${/^ +(at .+)$/m.exec(stack ?? "")?.[1] ?? ""}`;

/** How many different failures are told. */
const mostTold = 20;

/** Has every failure that nobody caught told, each place of it once; traffic and storing go on. */
export function surviveFaults(tell: (what: string) => void): void {
  const told = new Set<string>();
  // Rejections that nobody handles come here, too.
  process.on("uncaughtException", (error: unknown) => {
    const place = error instanceof Error ? placeOf(error) : typeof error;
    if (told.has(place) || told.size === mostTold) return;
    told.add(place);
    tell(`internal failure: ${place}; recording goes on`);
  });
}
