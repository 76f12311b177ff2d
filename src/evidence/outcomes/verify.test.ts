/** The folder of a client: what it holds, and that nothing in it can be changed unseen. */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { touchstoneHere } from "../../cli/here.test-kit.ts";
import { writeClient } from "./folders.test-kit.ts";
import {
  changed,
  flip,
  linesOf,
  problemsIn,
  reportFiles,
  withExchanges,
  withResults,
  writeLines,
} from "./tampering.test-kit.ts";

const top = mkdtempSync(join(tmpdir(), "touchstone-client-"));
afterAll(() => rmSync(top, { recursive: true }));
const client = join(top, "client");
const worse = join(top, "worse");
beforeAll(async () => {
  await writeClient(client);
  await writeClient(worse, ["id-drops-event"]);
});

const evidence = ["exchanges.jsonl", "observations.jsonl"];
const files = [...evidence, ...reportFiles, "manifest.json", "results.json"].sort();

test("the folder of a client holds all that it should, for its owner alone, and holds", async () => {
  expect(readdirSync(client).sort()).toEqual(files);
  expect(statSync(client).mode & 0o777).toBe(0o700);
  for (const name of files) expect(statSync(join(client, name)).mode & 0o777).toBe(0o600);
  expect(await problemsIn(client)).toEqual([]);
  expect(await problemsIn(worse)).toEqual([]);
  const { code, stdout } = await touchstoneHere(["verify", worse]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^HOLDS: what the folder claims of proof client: id-drops-event follows .*\nIt claims: DOES NOT CONFORM: \d cases fail/,
  );
});

test("one byte of each report is seen, whether or not the manifest was adapted", async () => {
  const flipAll = (isListed: boolean) =>
    problemsIn(changed(client, (path) => flip(...reportFiles.map(path)), isListed));
  const wrong = "it is not the report of what the exchanges come to";
  expect(await flipAll(true)).toEqual(expect.arrayContaining(reportFiles.map((name) => `${name}: ${wrong}`)));
  const unlisted = await flipAll(false);
  expect(unlisted).toEqual(
    expect.arrayContaining(reportFiles.map((name) => `${name}: it is not the file of the manifest`)),
  );
});

test.each([...evidence, "results.json"])(
  "one byte of %s is seen, whether or not the manifest was adapted",
  async (name) => {
    for (const isListed of [true, false])
      expect(await problemsIn(changed(client, (path) => flip(path(name)), isListed))).not.toEqual([]);
  },
);

test("one byte of the manifest is seen", async () => {
  expect(await problemsIn(changed(client, (path) => flip(path("manifest.json")), false))).not.toEqual([]);
});

test.each(files)("the folder without its %s is refused", async (name) => {
  const [problem] = await problemsIn(changed(client, (path) => rmSync(path(name)), false));
  expect(problem).toMatch(/is missing/);
});

test("another outcome of a case is named", async () => {
  const folder = withResults(client, ({ cases }: Record<string, object[]>) => {
    Object.assign(cases![0]!, { outcome: "loses", level: "error" });
  });
  expect(await problemsIn(folder)).toContain(
    'results.json: messages/plain: what was made of a case: outcome is "loses", and should be "works"',
  );
});

test("a case that was taken out is missing, however well all else was adapted", async () => {
  const folder = changed(client, (path) => {
    const [first, ...others] = linesOf(path("observations.jsonl"));
    const { case: id, interface: of } = JSON.parse(first!);
    writeLines(path("observations.jsonl"), others);
    const kept = linesOf(path("exchanges.jsonl"));
    writeLines(
      path("exchanges.jsonl"),
      kept.filter((line) => JSON.parse(line).asked?.source !== `${of}/${id}`),
    );
  });
  expect(await problemsIn(folder)).toContainEqual(
    expect.stringMatching(/^observations\.jsonl: messages\/\S+: the case is missing$/),
  );
});

test("exchanges that were taken out or told twice are seen", async () => {
  expect(await problemsIn(withExchanges(client, (kept) => kept.slice(1)))).not.toEqual([]);
  const twice = await problemsIn(withExchanges(client, (kept) => [...kept, kept.at(-1)!]));
  expect(twice.join()).toMatch(/cannot be made of its evidence/);
});

test("what a client handed back cannot become better", async () => {
  const folder = changed(worse, (path) => {
    const better = linesOf(path("observations.jsonl")).map((line) => {
      const seen = JSON.parse(line);
      return JSON.stringify({ ...seen, handed: { ...seen.handed, text: "all of it" } });
    });
    writeLines(path("observations.jsonl"), better);
  });
  expect((await problemsIn(folder)).join("\n")).toMatch(/what was made of a case: outcome is/);
});

test("what says nothing of a case, and what was broken off, is no evidence and no result", async () => {
  const odd = changed(client, (path) => writeLines(path("observations.jsonl"), ['{"case":1}']));
  expect((await problemsIn(odd)).join()).toContain("says nothing of a case");
  const broken = withResults(client, (document) => void Object.assign(document, { complete: false }));
  expect((await problemsIn(broken)).join()).toContain("did not finish");
  const { code, stderr } = await touchstoneHere(["report", broken]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("did not finish")]);
});

test("report renders a folder again, sets two side by side, and diff lists what changed", async () => {
  const again = await touchstoneHere(["report", worse, "--format", "json"]);
  expect([again.code, JSON.parse(again.stdout).kind]).toEqual([1, "client"]);
  const both = await touchstoneHere(["report", `good=${client}`, `bad=${worse}`, "--out", join(top, "both")]);
  expect(both.code).toBe(1);
  expect(both.stdout).toMatch(/^How it handles answers: messages\s+good\s+bad$/m);
  expect(both.stdout).toMatch(/^stream\/id-before-data\s+works\s+CRASHES$/m);
  expect(readdirSync(join(top, "both")).sort()).toEqual(["side-by-side.html", "side-by-side.json", "side-by-side.md"]);
  const diff = await touchstoneHere(["diff", client, worse, "--format", "json"]);
  expect(diff.code).toBe(1);
  expect(JSON.parse(diff.stdout).verdicts).toContainEqual({
    clause: "messages/stream/id-before-data",
    before: "works",
    after: "crashes",
    turn: 1,
  });
  const text = await touchstoneHere(["diff", worse, client]);
  expect(text.stdout).toContain("messages/stream/id-before-data: crashes -> works");
  expect((await touchstoneHere(["diff", client, client])).code).toBe(0);
});

test("formats and options of runs are refused in one line", async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await touchstoneHere(["report", ...args]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused(client, "--format", "gitlab")).toContain("--format gitlab shows a run");
  expect(await refused(client, worse, "--format", "junit")).toContain("--format junit shows one gateway or client");
  expect(await refused(client, "--badge", join(top, "x.svg"))).toContain("--for and --badge are of runs");
  expect(await refused(client, "--out", join(top, "copy"))).toContain("holds all its reports already");
});
