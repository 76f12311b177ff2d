/** The folder of a gateway: what it holds, and that nothing in it can be changed unseen. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { touchstoneHere } from "../../cli/here.test-kit.ts";
import { writeGateway } from "./folders.test-kit.ts";
import { changed, flip, problemsIn, reportFiles, withExchanges, withResults } from "./tampering.test-kit.ts";

const top = mkdtempSync(join(tmpdir(), "touchstone-gateway-"));
afterAll(() => rmSync(top, { recursive: true }));
const [gateway, lossy] = [join(top, "gateway"), join(top, "lossy")];
/** A gateway that drops the temperature. */
const dropped = {
  change(body: string): string {
    if (!body.startsWith("{")) return body;
    const { temperature: _temperature, ...rest } = JSON.parse(body);
    return JSON.stringify(rest);
  },
};
beforeAll(async () => {
  await writeGateway(gateway);
  await writeGateway(lossy, dropped);
}, 120_000);

const files = ["exchanges.jsonl", ...reportFiles, "manifest.json", "results.json"].sort();
const sourceOf = (line: string): string => JSON.parse(line).asked.source;

test("the folder of a gateway holds all that it should, for its owner alone, and holds", async () => {
  const names = readdirSync(lossy);
  expect(names.filter((name) => !name.startsWith("body-")).sort()).toEqual(files);
  expect(statSync(lossy).mode & 0o777).toBe(0o700);
  for (const name of names) expect(statSync(join(lossy, name)).mode & 0o777).toBe(0o600);
  expect(await problemsIn(gateway)).toEqual([]);
  const { code, stdout } = await touchstoneHere(["verify", lossy]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^HOLDS: what the folder claims of http:\/\/127\.0\.0\.1:\d+ follows from these \d+ exchanges.*\nIt claims: \S/,
  );
  const { facts } = JSON.parse(readFileSync(join(lossy, "results.json"), "utf8"));
  expect(facts[0]).toMatchObject({ fact: "sampling.temperature", outcome: "dropped" });
});

test("one byte of each report is seen, whether or not the manifest was adapted", async () => {
  const flipAll = (isListed: boolean) => problemsIn(changed(lossy, (path) => flip(...reportFiles.map(path)), isListed));
  const wrong = "it is not the report of what the exchanges come to";
  expect(await flipAll(true)).toEqual(expect.arrayContaining(reportFiles.map((name) => `${name}: ${wrong}`)));
  expect(await flipAll(false)).toEqual(
    expect.arrayContaining(reportFiles.map((name) => `${name}: it is not the file of the manifest`)),
  );
});

test.each(["exchanges.jsonl", "results.json"])(
  "one byte of %s is seen, whether or not the manifest was adapted",
  async (name) => {
    for (const isListed of [true, false])
      expect(await problemsIn(changed(lossy, (path) => flip(path(name)), isListed))).not.toEqual([]);
  },
);

test("one byte of the manifest is seen", async () => {
  expect(await problemsIn(changed(lossy, (path) => flip(path("manifest.json")), false))).not.toEqual([]);
});

test.each(files)("the folder without its %s is refused", async (name) => {
  const [problem] = await problemsIn(changed(lossy, (path) => rmSync(path(name)), false));
  expect(problem).toMatch(/is missing/);
});

test("another outcome of a fact is named", async () => {
  const folder = withResults(lossy, ({ facts }: Record<string, object[]>) => {
    Object.assign(facts![0]!, { outcome: "kept", level: null });
  });
  expect(await problemsIn(folder)).toContain(
    'results.json: request sampling.temperature: what became of a fact: outcome is "kept", and should be "dropped"',
  );
});

test("a trip that was taken out is missing, however well all else was adapted", async () => {
  const folder = withExchanges(lossy, (kept) => kept.filter((line) => sourceOf(line) !== sourceOf(kept[0]!)));
  expect(await problemsIn(folder)).toContainEqual(
    expect.stringMatching(/^exchanges\.jsonl: \S+: the trip is missing$/),
  );
});

test("exchanges that were added, moved or told of another trip are seen", async () => {
  const twice = await problemsIn(withExchanges(lossy, (kept) => [...kept, kept.at(-1)!]));
  expect(twice.join()).toMatch(/cannot be made of its evidence/);
  const moved = await problemsIn(withExchanges(lossy, ([first, second, ...rest]) => [second!, first!, ...rest]));
  expect(moved.join()).toMatch(/moved/);
  const renamed = await problemsIn(
    withExchanges(lossy, (kept) =>
      kept.map((line) => line.replaceAll(`"source":"${sourceOf(kept[0]!)}"`, '"source":"a"')),
    ),
  );
  expect(renamed.join()).toMatch(/the trip was not to be made/);
});

test("a route that nobody can have asked does not hold", async () => {
  const folder = withResults(lossy, ({ route }) => void Object.assign(route!, { from: "telegraph" }));
  expect((await problemsIn(folder)).join()).toContain("there is no interface telegraph");
});

test("side by side, facts are rows and gateways are columns; diff lists what was lost", async () => {
  const both = await touchstoneHere(["report", `good=${gateway}`, `bad=${lossy}`]);
  expect(both.stdout).toMatch(/^What was asked\s+good\s+bad$/m);
  expect(both.stdout).toMatch(/^sampling\.temperature\s+kept\s+dropped \(\d+ of \d+\)$/m);
  const diff = await touchstoneHere(["diff", gateway, lossy]);
  expect(diff.stdout).toMatch(/^Got worse: 1\n {2}request\/sampling\.temperature: kept -> dropped$/m);
});
