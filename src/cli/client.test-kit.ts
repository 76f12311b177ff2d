/** Small programs for the tests of `touchstone client`: each asks by chat completions and prints what it makes of the answer. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const asks = `
  const answer = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: process.argv.at(-1) }] }),
  });
  if (!answer.ok) throw new Error("status " + answer.status);
  let text = "";
  for (const event of (await answer.text()).split("\\n\\n"))
    if (event.startsWith("data: {")) text += JSON.parse(event.slice(6)).choices[0]?.delta.content ?? "";`;

/** A client that splits at two LF, behind some code and before some. */
export const asking = (before = "", after = ""): string[] => [
  "--",
  process.execPath,
  "--input-type=module",
  "-e",
  `${before};${asks};process.stdout.write(text);${after}`,
  "--",
  "{prompt}",
];

/** Cases that it does well, three of them, and one that it fails. */
export const few = ["--case", "stream/lf", "--case", "failure/400", "--case", "stream/crlf"];

/** A folder for the time of a test. */
export function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
