/** Holds the recorder's file: what ended is in it, in order, whatever happens to the process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { home } from "../home.ts";
import { UserError } from "../user-error.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import { positionOf } from "./open-for-writing.ts";
import { openSource, readCassette } from "./read.ts";
import { createCassetteWriter } from "./writer.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-writer-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const exchange = (id: number, size = 10) =>
  exchangeOf(jsonRequest("/v1/x", [], { id, text: "x".repeat(size) }), jsonResponse({ id }));

test("exchanges appended together stand in order, each whole", async () => {
  const path = join(folder, "a.jsonl");
  const writer = await createCassetteWriter(path, { header: { title: "t" } });
  await Promise.all(
    [3_000_000, 10, 5_000, 10].map((size, id) => writer.append(exchange(id, size), id === 1 ? { bind: [] } : {})),
  );
  await writer.close();
  await writer.close();
  const { header, exchanges } = await readCassette(path);
  expect(header).toEqual({ title: "t" });
  expect(exchanges.map(({ exchange: { response } }) => String(response?.body))).toEqual(
    [0, 1, 2, 3].map((id) => `{"id":${id}}`),
  );
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(6);
});

test.skipIf(process.platform === "win32")("nobody else may read a cassette", async () => {
  const path = join(folder, "own.jsonl");
  await (await createCassetteWriter(path)).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("the header is on disk before the first exchange", async () => {
  const path = join(folder, "b.jsonl");
  const writer = await createCassetteWriter(path);
  expect(readFileSync(path, "utf8")).toBe('{"touchstone":1}\n');
  await writer.close();
});

test("a file that exists is refused and left as it was, as is a place that does not exist", async () => {
  const path = join(folder, "c.jsonl");
  writeFileSync(path, "mine");
  for (const [place, message] of [
    [path, /exists already/],
    [join(folder, "no", "d.jsonl"), /cannot be created/],
  ] as const) {
    const failure = await createCassetteWriter(place).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UserError);
    expect(failure).toMatchObject({ message: expect.stringMatching(message) });
  }
  expect(readFileSync(path, "utf8")).toBe("mine");
});

test("a killed process leaves whole lines, and at most one torn", async () => {
  const path = join(folder, "killed.jsonl");
  const built = (name: string): string => JSON.stringify(join(home, "dist", "src", name));
  const code = `
    import { createCassetteWriter } from ${built("cassette/writer.js")};
    import { exchangeOf, jsonRequest, jsonResponse } from ${built("wire/build.js")};
    const writer = await createCassetteWriter(${JSON.stringify(path)});
    for (let id = 0; ; id++) {
      await writer.append(exchangeOf(jsonRequest("/", [], { text: "x".repeat(100_000) }), jsonResponse({ id })));
      if (id === 20) process.stdout.write("enough");
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  const source = await openSource(path);
  let count = 0;
  for await (const { exchange: seen } of source) expect(String(seen.response?.body)).toBe(`{"id":${count++}}`);
  expect(count).toBeGreaterThan(20);
  expect(source.notes.length).toBeLessThanOrEqual(1);
});

test.skipIf(process.platform === "win32")("on a full disk, the lines of a batch that fit are kept", async () => {
  const path = join(folder, "full.jsonl");
  const built = (name: string): string => JSON.stringify(join(home, "dist", "src", name));
  const code = `
    import { createCassetteWriter } from ${built("cassette/writer.js")};
    import { exchangeOf, jsonRequest, jsonResponse } from ${built("wire/build.js")};
    const writer = await createCassetteWriter(${JSON.stringify(path)});
    const one = (id, size) => exchangeOf(jsonRequest("/", [], { text: "x".repeat(size) }), jsonResponse({ id }));
    const batch = [0, 1, 2, 3, 4, 5].map((id) => writer.append(one(id, 1500)));
    await batch[0];
    const all = Promise.allSettled([...batch, writer.append(one(6, 3_000_000)), writer.append(one(7, 10))]);
    await writer.close();
    process.stdout.write((await all).map(({ status }) => (status === "fulfilled" ? "+" : "-")).join(""));`;
  // A bound on the size of files stands for the disk: 8 KiB, or 4 where the shell counts otherwise.
  const shell = 'ulimit -f 8; exec "$@"';
  const args = ["-c", shell, "sh", process.execPath, "--input-type=module", "-e", code];
  const child = spawn("sh", args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (bytes) => (said += bytes));
  await once(child, "close");
  expect(said).toMatch(/^\+{1,4}-{2,5}-[+-]$/);
  const { exchanges } = await readCassette(path);
  const kept = [...said].flatMap((sign, id) => (sign === "+" ? [`{"id":${id}}`] : []));
  expect(exchanges.map(({ exchange: { response } }) => String(response?.body))).toEqual(kept);
  expect(readFileSync(path, "utf8")).toMatch(/}\n$/);
});

describe("a file that others change while it is written", () => {
  /** Writes two exchanges, has the file changed, writes two more. */
  async function around(name: string, change: (path: string) => void) {
    const path = join(folder, `${name}.jsonl`);
    const told: string[] = [];
    const writer = await createCassetteWriter(path, { header: { title: "t" }, trouble: (what) => told.push(what) });
    for (const id of [0, 1]) await writer.append(exchange(id));
    change(path);
    for (const id of [2, 3]) await writer.append(exchange(id));
    await writer.close();
    return { path, told };
  }
  const idsIn = async (path: string): Promise<string[]> =>
    (await readCassette(path)).exchanges.map(({ exchange: { response } }) => String(response?.body));

  test("emptied: told once, and what comes then is a cassette of its own", async () => {
    const { path, told } = await around("emptied", (file) => truncateSync(file));
    expect(told).toEqual([`${path}: another program cut it short while it was written; what stood there is lost`]);
    expect(await idsIn(path)).toEqual(['{"id":2}', '{"id":3}']);
  });

  test("cut within a line: told once, no hole, and what comes then begins with a line", async () => {
    const { path, told } = await around("cut", (file) => truncateSync(file, 100));
    expect(told).toEqual([expect.stringContaining("cut it short")]);
    const lines = readFileSync(path, "utf8").split("\n");
    expect(lines[1]).toHaveLength(100 - lines[0]!.length - 1);
    expect(lines.slice(2, 4).map((line) => JSON.parse(line).response.body)).toEqual([
      { json: { id: 2 } },
      { json: { id: 3 } },
    ]);
    expect(readFileSync(path).includes(0)).toBe(false);
  });

  test("written to: told once, and what others wrote stays, even half a line", async () => {
    const { path, told } = await around("foreign", (file) => appendFileSync(file, "mine"));
    expect(told).toEqual([`${path}: another program wrote to it while it was written; it may not be readable`]);
    const lines = readFileSync(path, "utf8").split("\n");
    expect([lines[3], lines.length]).toEqual(["mine", 7]);
  });

  test("removed, renamed, replaced: told once", async () => {
    const removed = await around("removed", (file) => rmSync(file));
    expect(removed.told).toEqual([
      `${removed.path}: it was removed or replaced while it was written; what was written is lost`,
    ]);
    expect(existsSync(removed.path)).toBe(false);
    const renamed = await around("renamed", (file) => renameSync(file, `${file}.1`));
    expect(renamed.told).toEqual([expect.stringContaining("renamed or replaced")]);
    expect(await idsIn(`${renamed.path}.1`)).toHaveLength(4);
    const replaced = await around("replaced", (file) => {
      writeFileSync(`${file}.new`, "mine");
      renameSync(`${file}.new`, file);
    });
    expect(replaced.told).toEqual([expect.stringContaining("removed or replaced")]);
    expect(readFileSync(replaced.path, "utf8")).toBe("mine");
  });

  test("removed after the last exchange: told at the end", async () => {
    const path = join(folder, "late.jsonl");
    const told: string[] = [];
    const writer = await createCassetteWriter(path, { trouble: (what) => told.push(what) });
    await writer.append(exchange(0));
    rmSync(path);
    await writer.close();
    expect(told).toHaveLength(1);
  });
});

describe("a cassette that another process has begun", () => {
  /** A cassette of two exchanges, and how far it was when the first was written. */
  async function begun(name: string) {
    const path = join(folder, `${name}.jsonl`);
    const writer = await createCassetteWriter(path, { header: { title: "t" } });
    await writer.append(exchange(0));
    const first = writer.position();
    await writer.append(exchange(1));
    await writer.close();
    return { path, first, last: writer.position() };
  }
  const idsOf = async (path: string): Promise<string[]> =>
    (await readCassette(path)).exchanges.map(({ exchange: { response } }) => String(response?.body));

  test("goes on behind its last whole line, and counts what is there", async () => {
    const { path, first, last } = await begun("again");
    expect([first.exchanges, last.exchanges, last.bytes]).toEqual([1, 2, statSync(path).size]);
    appendFileSync(path, '{"request":{"method":"GET","target":"/torn');
    expect(await positionOf(path, first)).toEqual(last);
    const writer = await createCassetteWriter(path, { from: first });
    expect([writer.position(), statSync(path).size]).toEqual([last, last.bytes]);
    await writer.append(exchange(2));
    await writer.close();
    expect(writer.position()).toEqual({ ...last, exchanges: 3, bytes: statSync(path).size });
    expect(await idsOf(path)).toEqual([0, 1, 2].map((id) => `{"id":${id}}`));
  });

  test.each([
    ["half of its header", 5, 0],
    ["its header and half an exchange", 40, 0],
  ])("may have been cut down to %s", async (name, size, exchanges) => {
    const { path, last } = await begun(name);
    truncateSync(path, size);
    const writer = await createCassetteWriter(path, { header: { title: "t" }, from: last });
    expect(writer.position().exchanges).toBe(exchanges);
    await writer.append(exchange(2));
    await writer.close();
    expect(await idsOf(path)).toEqual(['{"id":2}']);
  });

  test("is refused where another file has its name by now, or none, which stays as it is", async () => {
    const { path, last } = await begun("swapped");
    renameSync(path, `${path}.old`);
    const again = () => createCassetteWriter(path, { from: last }).catch((error: unknown) => error);
    expect(await again()).toMatchObject({ message: expect.stringMatching(/cannot be opened again/) });
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, "mine");
    expect(await again()).toMatchObject({ message: expect.stringMatching(/renamed or replaced/) });
    expect([readFileSync(path, "utf8"), await positionOf(path, last)]).toEqual(["mine", undefined]);
  });
});
