/** Keeps a recording process going when something in it fails that nobody caught. */
import { UserError } from "../user-error.ts";

/** The kind and place of a failure; without its message, which may quote what passed. */
export function placeOf(error: Error): string {
  if (error instanceof UserError && error.place !== undefined) return error.place;
  return `${error.name} ${/^ +(at .+)$/m.exec(error.stack ?? "")?.[1] ?? ""}`;
}

/** Different failures that are reported. */
const maxReported = 20;

/** Has every failure that nobody caught reported, once for each place it came from; traffic and storing go on. */
export function surviveFaults(report: (what: string) => void): void {
  const reported = new Set<string>();
  // Rejections that nobody handles come here, too.
  process.on("uncaughtException", (error: unknown) => {
    const place = error instanceof Error ? placeOf(error) : typeof error;
    if (reported.has(place) || reported.size === maxReported) return;
    reported.add(place);
    report(`internal failure: ${place}; recording goes on`);
  });
}
