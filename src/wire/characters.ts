/** Counts a text's characters as the documents do: in code points, without making a list of them. */

/** Code points of a text; half a surrogate pair counts as one. */
export function characters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--;
  return count;
}

/** Whether a text has more code points than `limit`; counted only where its length leaves that open. */
export function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || characters(text) > limit;
}
