/**
 * `text.replace(from, to)` for tests that edit a text.
 *
 * @throws if the text stays the same: the test would then check nothing
 */
export function replaceText(text: string, from: string | RegExp, to: string | ((found: string) => string)): string {
  const changed = typeof to === "string" ? text.replace(from, to) : text.replace(from, to);
  if (changed === text) throw new Error(`${from} changes nothing in: ${text.slice(0, 200)}`);
  return changed;
}
