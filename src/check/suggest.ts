/** Near misses: the name somebody probably meant. */

/** The closest known member name to a mistyped one, or undefined when none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const fold = (text: string): string => text.toLowerCase().replace(/[_\-\s]/g, "");
  const same = known.find((candidate) => fold(candidate) === fold(name));
  if (same) return same;
  const limit = name.length <= 4 ? 1 : 2;
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(fold(name), fold(candidate), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
