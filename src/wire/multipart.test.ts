/** Holds form reading: order, files, and bodies that are odd but legal. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { type FormField, formRequest } from "./build.ts";
import { headerValue } from "./headers.ts";
import { type FormPart, parseForm } from "./multipart.ts";

const type = "multipart/form-data; boundary=b";
const parts = (body: string, contentType = type): readonly FormPart[] => {
  const form = parseForm(Buffer.from(body, "utf8"), contentType);
  if (!form.ok) throw new Error(form.problem);
  return form.parts;
};
const names = (body: string, contentType?: string): string[] => parts(body, contentType).map(({ name }) => name);
const part = (name: string, text: string): string =>
  `\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n--b`;

describe("a form", () => {
  test("gives texts and files in order, repeated names too", () => {
    const { body, headers } = formRequest(
      "/x",
      [],
      [
        ["image[]", { filename: "1.png", contentType: "image/png", bytes: Buffer.from([1, 13, 10, 0]) }],
        ["prompt", "zwei Häuser"],
        ["image[]", { filename: "2.png", bytes: Buffer.alloc(0) }],
      ],
    );
    expect(parseForm(body, headerValue(headers, "content-type"))).toEqual({
      ok: true,
      parts: [
        { name: "image[]", filename: "1.png", contentType: "image/png", bytes: Buffer.from([1, 13, 10, 0]) },
        { name: "prompt", bytes: Buffer.from("zwei Häuser"), text: "zwei Häuser" },
        { name: "image[]", filename: "2.png", bytes: Buffer.alloc(0) },
      ],
    });
  });

  test("may be empty", () => expect(parts("--b--\r\n")).toEqual([]));

  test.each([
    ['form-data; name="f"; filename="a;b \\"c\\".png"', 'a;b "c".png'],
    ["form-data; name=f; filename=a.png", "a.png"],
    ['form-data; name="f"; filename=""', ""],
    ['form-data; name="f"; filename="x"; filename*=UTF-8\'\'%e2%82%ac.png', "€.png"],
    ["form-data; name=\"f\"; filename*=iso-8859-1'en'%e4.png", "ä.png"],
    ['FORM-DATA; NAME="f"; FileName="a.png"', "a.png"],
  ])("names a file: %s", (disposition, filename) => {
    const [file] = parts(`--b\r\ncontent-disposition: ${disposition}\r\n\r\nx\r\n--b--`);
    expect(file).toEqual({ name: "f", filename, bytes: Buffer.from("x") });
  });
});

describe("legal but odd", () => {
  test.each([
    ["no final line end", `--b${part("a", "1")}--`],
    ["a preamble", `This is ignored\r\n--b${part("a", "1")}--\r\n`],
    ["a preamble of one empty line", `\r\n--b${part("a", "1")}--\r\n`],
    ["an epilogue", `--b${part("a", "1")}--\r\nThis too\r\n--b${part("x", "1")}--`],
    ["blanks after the boundaries", `--b  ${part("a", "1")}-- \t\r\n`],
    ["other headers", `--b\r\nX-Y: z\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--`],
  ])("%s", (_, body) => {
    expect(parts(body)).toEqual([{ name: "a", bytes: Buffer.from("1"), text: "1" }]);
  });

  test.each([" ", "\t", " \t ", "    "])("blanks after boundaries: %j", (blanks) => {
    const body = `--b${blanks}${part("a", "1")}${blanks}${part("b", "2")}${part("c", "3")}--${blanks}`;
    expect(parts(body).map(({ name, text }) => [name, text])).toEqual([
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
    ]);
  });

  test("a quoted boundary of odd characters", () => {
    const body = replaceText(`--b${part("a", "1")}--`, /--b/g, "--a b:'c/?=");
    expect(names(body, `multipart/form-data; charset=utf-8; Boundary="a b:'c/?="`)).toEqual(["a"]);
  });

  test("content that looks like a boundary but is none", () => {
    const body = `--b${part("a", "--b\r\n--\r\n-b --b--")}--`;
    expect(parts(body)[0]?.text).toBe("--b\r\n--\r\n-b --b--");
  });

  test("more than a thousand parts, and a header of 20 KB", () => {
    expect(names(`--b${part("a", "1").repeat(1500)}--`)).toHaveLength(1500);
    expect(names(`--b${part("a".repeat(20_000), "1")}--`)[0]).toHaveLength(20_000);
  });
});

describe("a problem, not an exception, is", () => {
  test.each([
    ["no boundary", "--b--", "multipart/form-data"],
    ["no header at all", "--b--", undefined],
    ["an empty body", "", type],
    ["a body without the boundary", "hello", type],
    ["a body cut short", `--b${part("a", "1")}`, type],
    ["bare line feeds", replaceText(`--b${part("a", "1")}--`, /\r\n/g, "\n"), type],
  ])("%s", (_, body, contentType) => {
    expect(parseForm(Buffer.from(body), contentType)).toMatchObject({ ok: false, problem: /./ });
  });
});

test("a text that is no UTF-8 has U+FFFD and keeps its bytes", () => {
  const body = Buffer.from(`--b${part("a", "\xff")}--`, "latin1");
  expect(parseForm(body, type)).toMatchObject({ parts: [{ text: "\uFFFD", bytes: Buffer.from([0xff]) }] });
});

test("files are views into the body, not copies", () => {
  const bytes = Buffer.alloc(8 << 20, 7);
  const { body, headers } = formRequest(
    "/x",
    [],
    [
      ["image", { filename: "a", bytes }],
      ["mask", { filename: "b", bytes }],
    ],
  );
  const form = parseForm(body, headerValue(headers, "content-type"));
  expect(form.ok && form.parts.map(({ bytes: { length, buffer } }) => [length, buffer === body.buffer])).toEqual([
    [8 << 20, true],
    [8 << 20, true],
  ]);
});

test("every form that formRequest writes is read back", () => {
  const field = fc.tuple(
    fc.string({ unit: "binary" }).filter((name) => !/[\\"\r\n]|^\s|\s$/u.test(name)),
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.record({ filename: fc.stringMatching(/^[a-z.]+$/), bytes: fc.uint8Array().map((b) => Buffer.from(b)) }),
    ),
  );
  fc.assert(
    fc.property(fc.array(field), (fields) => {
      const { body, headers } = formRequest("/x", [], fields as FormField[]);
      const form = parseForm(body, headerValue(headers, "content-type"));
      const back =
        form.ok && form.parts.map((p): FormField => [p.name, p.text ?? { filename: p.filename!, bytes: p.bytes }]);
      expect(back).toEqual(fields);
    }),
    fuzz(100),
  );
});

test("no bytes make it throw", () => {
  const pieces = fc.constantFrom(
    "--b",
    "--",
    "\r\n",
    "\n",
    " ",
    "Content-Disposition: form-data",
    '; name="',
    "a",
    '"',
    ":",
    "\r\n\r\n",
  );
  fc.assert(
    fc.property(fc.array(pieces), fc.uint8Array({ maxLength: 5 }), (texts, bytes) => {
      parseForm(Buffer.concat([Buffer.from(texts.join("")), bytes]), type);
    }),
    fuzz(500),
  );
});
