/** The cassette writer on a disk that fails: nothing that fits is lost, and what is lost is counted where it is missing. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import { installFaults } from "./faulty-disk.test-kit.ts";
import { openSource, readCassette } from "./read.ts";
import { createCassetteWriter } from "./writer.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-faults-"));
let plan = "none";
let end = (): void => {};
beforeAll(async () => void (end = await installFaults(() => plan)));
afterAll(() => {
  end();
  rmSync(folder, { recursive: true });
});

const exchange = (id: number, size = 10) =>
  exchangeOf(jsonRequest("/v1/x", [], { id, text: "x".repeat(size) }), jsonResponse({ id }));

async function writerFor(name: string, sync = false) {
  const path = join(folder, `${name}.jsonl`);
  plan = "none";
  const sentences: string[] = [];
  const writer = await createCassetteWriter(path, { sync, trouble: (sentence) => sentences.push(sentence) });
  return { path, writer, sentences };
}

async function idsIn(path: string): Promise<number[]> {
  const { exchanges } = await readCassette(path);
  return exchanges.map(({ exchange }) => JSON.parse(Buffer.from(exchange.response!.body).toString()).id);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test.each(["ENOSPC", "EIO", "EROFS"])("%s for a while loses nothing, and is reported twice", async (code) => {
  const { path, writer, sentences } = await writerFor(code);
  await writer.append(exchange(0));
  plan = code;
  const later = [1, 2, 3].map((id) => writer.append(exchange(id, id === 2 ? 3_000_000 : 10)));
  await until(() => sentences.length > 0);
  later.push(writer.append(exchange(4)));
  plan = "none";
  await Promise.all(later);
  await writer.append(exchange(5));
  await writer.close();
  expect(await idsIn(path)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(sentences).toEqual([
    expect.stringMatching(
      /: cannot be written: .* \(tried again every second\); traffic goes on without being recorded$/,
    ),
    expect.stringMatching(/: written again after \d+ s; nothing was lost$/),
  ]);
});

test("exchanges beyond what may wait are dropped, and counted behind the last one that waited", async () => {
  const { path, writer, sentences } = await writerFor("gap");
  plan = "ENOSPC";
  const kept = [writer.append(exchange(0, 15 << 20))];
  await until(() => sentences.length > 0);
  kept.push(writer.append(exchange(1)));
  const dropped = await Promise.allSettled([2, 3].map((id) => writer.append(exchange(id, 2 << 20))));
  expect(dropped.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  plan = "none";
  await Promise.all(kept);
  await writer.append(exchange(4));
  await writer.close();
  expect(await idsIn(path)).toEqual([0, 1, 4]);
  expect(sentences[1]).toMatch(/; 2 exchanges could not be kept and are missing$/);
  const { exchanges } = await readCassette(path);
  expect(exchanges.map(({ gap }) => gap?.exchanges)).toEqual([undefined, 2, undefined]);
  const source = await openSource(path);
  for await (const _ of source);
  expect(source.notes).toEqual([
    expect.stringMatching(/gap\.jsonl:3: the next 2 exchanges are missing: they ended between .*/),
  ]);
});

test("a writer marks what its predecessor had dropped, and says what is not marked yet", async () => {
  const path = join(folder, "successor.jsonl");
  plan = "none";
  const first = await createCassetteWriter(path);
  await first.append(exchange(0, 15 << 20));
  await first.close();
  const gap = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-01T00:00:01.000Z", exchanges: 3 };
  const sentences: string[] = [];
  const trouble = (sentence: string): void => void sentences.push(sentence);
  const second = await createCassetteWriter(path, { from: first.position(), gap, trouble });
  expect(second.gap()).toEqual(gap);
  plan = "ENOSPC";
  const kept = second.append(exchange(1, 15 << 20));
  await until(() => sentences.length > 0);
  await expect(second.append(exchange(2, 2 << 20))).rejects.toThrow("too many exchanges wait");
  expect(second.gap()).toMatchObject({ from: gap.from, exchanges: 4 });
  plan = "none";
  await kept;
  expect(second.gap()).toBeUndefined();
  await second.close();
  expect(sentences[1]).toMatch(/; 4 exchanges could not be kept and are missing$/);
  const { exchanges } = await readCassette(path);
  expect(exchanges.map(({ gap }) => gap?.exchanges)).toEqual([undefined, 4]);
});

test("a cassette that cannot be begun leaves no file in the way of the next attempt", async () => {
  const path = join(folder, "begun.jsonl");
  plan = "ENOSPC";
  await expect(createCassetteWriter(path)).rejects.toThrow("cannot be written: no space left on device");
  plan = "none";
  await (await createCassetteWriter(path)).close();
  expect(readFileSync(path, "utf8")).toMatch(/^{"touchstone":1}\n$/);
});

test("a disk that stays full does not hold up the end", async () => {
  const { path, writer } = await writerFor("full");
  await writer.append(exchange(0));
  plan = "ENOSPC";
  const last = expect(writer.append(exchange(1))).rejects.toThrow("cannot be written: no space left");
  await writer.close();
  await last;
  plan = "none";
  expect(await idsIn(path)).toEqual([0]);
  expect(readFileSync(path, "utf8")).toMatch(/}\n$/);
});

test("short writes lose nothing", async () => {
  const { path, writer, sentences } = await writerFor("short");
  plan = "short";
  const ids = Array.from({ length: 50 }, (_, id) => id);
  await Promise.all(ids.map((id) => writer.append(exchange(id, id % 7 === 0 ? 2_000_000 : 100))));
  await writer.close();
  expect([await idsIn(path), sentences]).toEqual([ids, []]);
});

test.each([true, false])("a disk that cannot be forced is reported, with --sync %s", async (sync) => {
  const { path, writer, sentences } = await writerFor(`fsync-${sync}`, sync);
  plan = "fsync";
  await writer.append(exchange(0));
  await writer.close();
  expect(sentences[0]).toMatch(/: written lines may not reach the disk: i\/o error$/);
  expect(await idsIn(path)).toEqual([0]);
});
