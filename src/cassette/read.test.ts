/** Holds reading of recordings: every form and packing, torn and damaged files, and complaints people can act on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { replaceText } from "../replace-text.test-kit.ts";
import { UserError } from "../user-error.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import { toHar } from "./har-export.ts";
import { openSource, openStream, readCassette, type Source } from "./read.ts";
import { listSources } from "./sources.ts";
import { exchangeLine, formatCassette, headerLine } from "./write.ts";

const exchanges = [1, 2, 3].map((id) => exchangeOf(jsonRequest("/v1/x", [], { id }), jsonResponse({ id })));
const header = { title: "three" };
const lines = `${[headerLine(header), ...exchanges.map((exchange) => exchangeLine(exchange))].join("\n")}\n`;
const pretty = formatCassette({ header, exchanges: exchanges.map((exchange) => ({ exchange })) });
const har = JSON.stringify(toHar(exchanges, "1"));

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-read-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function idsOf(source: Source): Promise<string[]> {
  const ids: string[] = [];
  for await (const { exchange, index } of source) ids.push(`${index}:${Buffer.from(exchange.response!.body)}`);
  return ids;
}
const three = ['0:{"id":1}', '1:{"id":2}', '2:{"id":3}'];

describe("a recording is read", () => {
  test.each([
    ["lines", lines],
    ["a pretty document", pretty],
    ["a document on one line", `${JSON.stringify(JSON.parse(pretty))}`],
    ["a HAR file", har],
    ["a pretty HAR file", JSON.stringify(JSON.parse(har), null, 2)],
    ["lines behind a byte order mark and blank ones", `\uFEFF\n${replaceText(lines, /\n/g, "\r\n\r\n")}`],
    ["lines without the last line end", lines.trimEnd()],
  ])("from %s, whatever it is called, gzipped or not", async (_, content) => {
    expect(await idsOf(await openSource(file("a", content)))).toEqual(three);
    expect(await idsOf(await openSource(file("a.gz", gzipSync(content))))).toEqual(three);
  });

  test("from a stream cut anywhere", async () => {
    for (const content of [Buffer.from(lines), gzipSync(lines), Buffer.from(har)]) {
      const pieces = Array.from(content, (byte) => Buffer.from([byte]));
      expect(await idsOf(await openStream("-", Readable.from(pieces)))).toEqual(three);
    }
  });

  test("with what it says of itself before its exchanges", async () => {
    const source = await openSource(file("a.jsonl", lines));
    expect([source.name, source.header]).toEqual([join(folder, "a.jsonl"), header]);
  });

  test("with no exchange at all", async () => {
    expect(await idsOf(await openSource(file("a.jsonl", headerLine({}))))).toEqual([]);
  });

  test("only as far as it is asked for", async () => {
    let given = 0;
    const endless = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(lines);
      for (;;) {
        if (given++ > 100) throw new Error("read on");
        yield Buffer.from(lines.slice(lines.indexOf("\n") + 1));
      }
    };
    for await (const { index } of await openStream("-", endless())) if (index === 10) break;
    expect(given).toBeLessThan(10);
  });
});

describe("a torn last line", () => {
  test.each([1, 10, 100])("of %i bytes is dropped and noted", async (length) => {
    const next = exchangeLine(exchanges[0]!);
    const source = await openSource(file("torn.jsonl", lines + next.slice(0, length)));
    expect(await idsOf(source)).toEqual(three);
    expect(source.notes).toEqual([expect.stringMatching(/torn\.jsonl:5: the last line is torn/)]);
  });
});

describe("unreadable input says what, where and what to do:", () => {
  const damaged = lines.split("\n").toSpliced(2, 1, "{damaged").join("\n");
  const wrong = replaceText(lines, '"method":"POST"', '"method":1');
  test.each([
    ["an empty file", "", /empty/],
    ["blank lines", "\n\n", /empty/],
    ["no JSON", "hello", /not JSON/],
    ["a JSON document that is neither", '{"openapi":"3.1.0"}', /neither a cassette nor a HAR/],
    ["a JSON text", '"x"', /neither/],
    ["a JSON list", "[1]", /neither/],
    ["another version", '{"touchstone":2,"exchanges":[]}', /cassette version 2/],
    ["another version in lines", '{"touchstone":2}\n', /x:1: cassette version 2/],
    ["bindings that are no object", '{"touchstone":1,"bindings":[]}\n', /^x:1: \/bindings is not an object$/],
    [
      "a bound name that is no name",
      '{"touchstone":1,"bindings":{"names":{"a":5}}}\n',
      /^x:1: \/bindings\/names\/a is not a/,
    ],
    [
      "a name beside names",
      '{"touchstone":1,"bindings":{"names":{"a":["b",1]}},"exchanges":[]}',
      /names\/a\/1 is not a string/,
    ],
    [
      "models that are no list",
      '{"touchstone":1,"bindings":{"models":{"a":"o1"}}}\n',
      /bindings\/models\/a is not a list/,
    ],
    [
      "credentials of a third kind",
      '{"touchstone":1,"bindings":{"credentials":"no"}}\n',
      /bindings\/credentials is not "kept" or/,
    ],
    ["no header line", lines.slice(lines.indexOf("\n") + 1), /x:1: the header line is missing/],
    ["a damaged line in the middle", damaged, /x:3: the line is damaged/],
    ["a damaged last line", `${lines}{\n`, /x:5: the line is damaged/],
    ["a line of another shape", wrong, /x:2: \/request\/method is not a string/],
    [
      "an exchange of another shape",
      replaceText(pretty, '"status": 200', '"status": "ok"'),
      /\/exchanges\/0\/response\/status is not a number/,
    ],
    ["exchanges that are no list", '{"touchstone":1,"exchanges":{}}', /\/exchanges is not a list/],
    ["a HAR without entries", '{"log":{}}', /\/log\/entries is not a list/],
    ["a HAR entry without URL", '{"log":{"entries":[{"request":{}}]}}', /\/log\/entries\/0\/request\/url/],
    ["gzip cut short", gzipSync(lines).subarray(0, 60), /cannot be read: unexpected end of file/],
  ])("%s", async (_, content, message) => {
    const failure = await readCassette(Buffer.from(content), "x").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UserError);
    expect(failure).toMatchObject({ message: expect.stringMatching(message), remedy: expect.stringMatching(/\.$/) });
    expect((failure as Error).message).toMatch(/^x\b/);
  });

  test("a missing file, a folder", async () => {
    await expect(openSource(join(folder, "none"))).rejects.toMatchObject({
      message: expect.stringMatching(/none: cannot be read: there is no such file/),
    });
    await expect(openSource(folder)).rejects.toMatchObject({ message: expect.stringMatching(/it is a folder/) });
  });
});

describe("the sources of a command line", () => {
  test("are files as given and the recordings of folders, sorted, hidden ones left out", async () => {
    const root = join(folder, "tree");
    for (const path of ["b", "a/z", ".hidden", "empty"]) mkdirSync(join(root, path), { recursive: true });
    const names = [
      "b/2.har",
      "b/10.json",
      "a/z/x.JSONL.gz",
      "a.json.gz",
      "a/note.md",
      ".hidden/x.json",
      ".x.json",
      "b/.y.har",
    ];
    for (const name of names) writeFileSync(join(root, name), "");
    expect(await listSources(["-", join(root, "a/note.md"), root])).toEqual([
      "-",
      ...["a/note.md", "a/z/x.JSONL.gz", "a.json.gz", "b/10.json", "b/2.har"].map((name) => join(root, name)),
    ]);
    await expect(listSources([join(root, "empty")])).rejects.toMatchObject({
      message: expect.stringMatching(/holds no recordings/),
    });
    await expect(listSources([join(root, "none")])).rejects.toMatchObject({
      message: expect.stringMatching(/no such file/),
    });
  });
});
