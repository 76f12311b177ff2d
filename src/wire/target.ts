/** The parts of a request's target. */

/** A request's target without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

/** The query of a request's target, without its question mark; empty where there is none. */
export function searchOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? "" : target.slice(end + 1);
}
