/** Holds that recordings judged in parts and put together give the bytes of one whole check, wherever the parts are cut. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-shards-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An exchange that breaks a rule or two, depending on its number. */
const exchange = (i: number): object => ({
  request: {
    method: "POST",
    target: i % 7 === 0 ? `/v1/unknown/${i % 3}` : "/v1/chat/completions",
    headers: [
      ["authorization", "Bearer [redacted]"],
      ["content-type", "application/json"],
    ],
    body: {
      text: JSON.stringify({
        model: "m",
        messages: [{ role: "user", content: "é".repeat(i % 50) }],
        n: i % 4 === 0 ? "1" : 1,
      }),
    },
  },
  response: null,
});
const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify(exchange(from + i))}\n${i % 5 === 0 ? "\n" : ""}`).join("");

// Names whose order as texts is not the order in which a folder is read.
const recordings = join(folder, "recordings");
mkdirSync(join(recordings, "a"), { recursive: true });
writeFileSync(join(recordings, "a", "b.jsonl"), `{"touchstone":1}\n${lines(0, 90)}`);
writeFileSync(join(recordings, "a-b.json"), JSON.stringify({ touchstone: 1, exchanges: [exchange(4), exchange(1)] }));
writeFileSync(join(recordings, "c.jsonl"), `{"touchstone":1}\n${lines(40, 60)}`);
writeFileSync(join(recordings, "d.jsonl"), `{"touchstone":1}\n`);

/** The output of `check --format json` for a shard, kept in a file. */
async function part(name: string, shard: string, ...more: string[]): Promise<string> {
  const { stdout } = await touchstoneHere(["check", recordings, "--format", "json", "--shard", shard, ...more]);
  const file = join(folder, name);
  writeFileSync(file, stdout);
  return file;
}
const merge = (...args: string[]) => touchstoneHere(["report", ...args]);

test("parts in any number and order, one of them twice, give the bytes and the exit code of one whole check", async () => {
  const whole = await touchstoneHere(["check", recordings, "--format", "json"]);
  expect(JSON.parse(whole.stdout).summary).toMatchObject({ exchanges: 152, errors: 33 });
  for (const of of [1, 2, 5]) {
    const files: string[] = [];
    for (let i = 1; i <= of; i++) files.push(await part(`${i}.of.${of}.json`, `${i}/${of}`));
    expect(await merge(...files.reverse(), files[0]!, "--format", "json")).toEqual(whole);
  }
  const fifths = Array.from({ length: 5 }, (_, i) =>
    JSON.parse(readFileSync(join(folder, `${i + 1}.of.5.json`), "utf8")),
  );
  for (const { summary } of fifths) expect(summary.exchanges).toBeLessThan(50);
  const text = await merge(join(folder, "1.of.2.json"), join(folder, "2.of.2.json"));
  expect(text.stdout).toContain("152 exchanges judged: 33 errors");
});

test("a part that is missing, of another check, or changed since is refused", async () => {
  const [one, two] = [await part("one.json", "1/2"), await part("two.json", "2/2")];
  const other = await part("other.json", "2/2", "--level", "note");
  const refused = async (files: readonly string[], why: string): Promise<void> =>
    expect(await merge(...files)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(why) });
  await refused([one], "shard 2 of 2 is missing");
  await refused([one, other], "they differ in recordings, options");
  await refused([one, two, other], "shard 2 is there twice, and differs");
  await refused([one, join(recordings, "c.jsonl")], "is not JSON");
  const { stdout } = await touchstoneHere(["check", recordings, "--format", "json"]);
  writeFileSync(join(folder, "whole.json"), stdout);
  await refused([one, join(folder, "whole.json")], "it has no shard of recordings");
});

test("a line that cannot be read has its own number, in whichever part it stands", async () => {
  const file = join(folder, "torn.jsonl");
  writeFileSync(file, `{"touchstone":1}\n${lines(0, 30)}{"torn": `);
  const [, first] = (await touchstoneHere(["check", file])).stderr.split(":");
  expect(Number(first)).toBeGreaterThan(30);
  expect((await touchstoneHere(["check", file, "--shard", "3/3"])).stderr).toBe(
    (await touchstoneHere(["check", file])).stderr,
  );
});

test("standard input, a growing file and a file named twice have no shards", async () => {
  for (const args of [
    ["-"],
    [join(recordings, "c.jsonl"), join(recordings, "c.jsonl")],
    [join(recordings, "c.jsonl"), "--follow"],
  ])
    expect(await touchstoneHere(["check", ...args, "--shard", "1/2"])).toMatchObject({ code: 2, stdout: "" });
});
