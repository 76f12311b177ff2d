/** Keeps GitHub Actions from obeying commands that stand in what we print: its runner reads them in every line of a log. */

/** Whether a runner of GitHub Actions reads what this process prints. */
export const inActions = (): boolean => process.env["GITHUB_ACTIONS"] === "true";

/**
 * A filter for one stream: `::` at the start of a line, and `##[` anywhere, pass with their last character as JSON escapes it.
 * JSON then says the same as before. The part of a line that was printed earlier counts, too.
 */
export function withoutCommands(): (text: string) => string {
  /** Stands for what the line holds so far: nothing but space, that and a colon, or other text that ends so. */
  let before = "\n";
  return (text) => {
    const whole = before + text;
    const safe = whole
      .replace(/(\n[^\S\n]*:):/g, "$1\\u003a")
      .replaceAll("##[", "##\\u005b")
      .slice(before.length);
    const line = whole.slice(whole.lastIndexOf("\n") + 1);
    const blank = whole.includes("\n") && /^\s*(:?)$/.exec(line);
    before = blank ? `\n${blank[1]}` : `x${/#{0,2}$/.exec(line.slice(-2))![0]}`;
    return safe;
  };
}
