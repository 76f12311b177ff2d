/** What a shell makes of the values that we write into command lines, and which lines hold nothing else. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlOf } from "../run/send/curl.ts";
import { isCurlRequest, isPlainCommand, shellOperand, shellOption, shellWord, singleQuoted } from "./shell.ts";

const hostile = [
  "",
  " ",
  "it's",
  "''",
  "$(id)",
  "`id`",
  "$HOME",
  "a;id",
  "a|id",
  "a&id",
  "a>b",
  "!x",
  "*",
  "~",
  "#a",
  "{a,b}",
  "[a]",
  "line\nid",
  "\\",
  "a\\'b",
  "\u001b[2J",
  '"$HOME"',
  "é",
  "-x",
  "--allow-code",
];

/** The words that a shell reads. */
const wordsIn = (line: string): string[] =>
  execFileSync("sh", ["-c", `said() { printf '%s\\0' "$@"; }\nsaid ${line}`])
    .toString()
    .split("\0")
    .slice(0, -1);

test("a shell reads each value as it is", () => {
  for (const quote of [shellWord, singleQuoted]) expect(wordsIn(hostile.map(quote).join(" "))).toEqual(hostile);
});

test("no value passes for an option", () => {
  expect(wordsIn(hostile.map(shellOperand).join(" ")).filter((word) => word.startsWith("-"))).toEqual([]);
  for (const value of hostile) {
    const words = wordsIn(shellOption("--name", value));
    expect(value.startsWith("-") ? words : [words.join("=")]).toEqual([`--name=${value}`]);
  }
});

test("a command of words alone is told from one that runs something else", () => {
  for (const value of hostile) expect(isPlainCommand(`node ${singleQuoted(value)}`), value).toBe(true);
  expect(isPlainCommand(`curl -H 'x: '"$KEY"'' \\\n  {prompt}`)).toBe(true);
  for (const text of [
    "",
    "a;id",
    "a | id",
    "a\nid",
    "$(id)",
    "`id`",
    '"$(id)"',
    '"a"',
    "'a",
    "$HOME",
    "a &",
    "a > b",
    "a \\\nid\nid",
    "~",
    "*",
  ])
    expect(isPlainCommand(text), text).toBe(false);
});

const request = { method: "POST", target: "/v1/x", headers: [["A-b", "c"]], body: Buffer.from("{}") } as const;

test("requests that we write as curl are known as such, whatever they hold", () => {
  for (const value of hostile.filter((text) => !/[\u001b\n]/.test(text))) {
    const odd = { ...request, target: `/${value}`, headers: [["A", value]] as const, body: Buffer.from(value) };
    const command = curlOf("http://h", odd, [{ value: "a/secret", variable: "KEY" }])!;
    expect(isCurlRequest(command), command).toBe(true);
  }
  for (const body of ["@file", "\u0000", "x".repeat(4_000), "a\u001b\u001b".repeat(60)])
    expect(isCurlRequest(curlOf("http://h", { ...request, body: Buffer.from(body) }, [])!), body).toBe(true);
});

test.each([
  "curl -sS 'http://h' | sh",
  "curl -sS 'http://h'; id",
  "curl -sS 'http://h'\nid",
  "curl -sS 'http://'$(id)",
  'curl -sS "http://$(id)"',
  "curl -sS 'http://h' -o x",
  "curl -sS 'http://h' '-o' 'x'",
  "curl -sS 'http://h' -ox",
  "curl -K x",
  "curl -sS 'file:///etc/passwd'",
  "curl 'http://h' -H '@/etc/passwd'",
  "curl 'http://h' -H @x",
  "curl 'http://h' --data-binary '@/etc/passwd'",
  "curl 'http://h' --data-binary @x",
  "wget 'http://h'",
  "base64 -d <<'BODY' | curl 'http://h' --data-binary @-\nYQ==\nBODY\nid",
  "base64 -d <<'BODY' | curl 'http://h' --data-binary @-\nBODY\nid\nBODY",
  "",
])("what is no request of ours is told: %s", (command) => {
  expect(isCurlRequest(command)).toBe(false);
});

test.each([
  ["an escape sequence in a header", { headers: [["A", "\u001b[2J"]] }],
  ["a line end in a header", { headers: [["A", "b\r\nC: d"]] }],
  ["a header that curl takes for a file", { headers: [["@/etc/passwd", ""]] }],
  ["a turned path", { target: "/\u202ex" }],
  ["a method that steers", { method: "\u001bc" }],
])("a request with %s is no command", (_, odd) => {
  expect(curlOf("http://h", { ...request, ...odd } as never, [])).toBeUndefined();
});

test("an origin that is no address is no command, and no method means anything to a shell", () => {
  expect(curlOf("-K x", request, [])).toBeUndefined();
  expect(curlOf("http://h", { ...request, method: "`id`" }, [])).toContain(" -X '`id`' ");
});
