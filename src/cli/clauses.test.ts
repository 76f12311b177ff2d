/** Finding clauses: by id, by words, and by words that are spelt nearly right. */
import { expect, test } from "vitest";
import { touchstoneHere } from "./here.test-kit.ts";

test("an exact id is explained, though other ids and sentences hold it, too", async () => {
  const { code, stdout } = await touchstoneHere(["clauses", "chat-completions.request.n-type"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^chat-completions\.request\.n-type\n[\s\S]*\n {2}example {3}/);
});

test("words are found in ids, sentences and headings, whatever their case, and each hit says where its document has it", async () => {
  const { code, stdout } = await touchstoneHere(["clauses", "Temperature", "between", "--interface", "messages"]);
  const lines = stdout.trimEnd().split("\n");
  expect(code).toBe(0);
  expect(lines.length).toBeGreaterThan(1);
  for (const [at, line] of lines.entries())
    expect(line).toMatch(at % 2 === 0 ? /^messages\.\S+ {2}\[(must|should|may)\] {2}\S/ : /^ {4}\S.*, \S/);
  const { stdout: byHeading } = await touchstoneHere(["clauses", lines[1]!.trim().split(/, |; /)[1]!]);
  expect(byHeading).toContain(lines[0]);
});

test("hits as JSON are clauses as the list has them", async () => {
  const listed = async (...words: string[]): Promise<unknown[]> =>
    JSON.parse((await touchstoneHere(["clauses", ...words, "--format", "json"])).stdout);
  const hits = await listed("temperature range");
  const all = await listed();
  expect(hits.length).toBeGreaterThan(0);
  expect(hits.length).toBeLessThan(all.length);
  for (const hit of hits) expect(all).toContainEqual(hit);
});

test.each([
  [["temprature"], "Did you mean temperature?"],
  [["chat-completions.request.n-tpye"], "Did you mean chat-completions.request.n-type?"],
  [["temprature", "range"], "Did you mean temperature range?"],
  [["xyzzyplugh"], "touchstone clauses lists them all."],
])("no hit for %j: two lines and exit code 2", async (words, remedy) => {
  const { code, stdout, stderr } = await touchstoneHere(["clauses", ...words]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(`touchstone: there is no clause ${words.join(" ")}, and none that says so\n${remedy}\n`);
});
