/** `touchstone client -- COMMAND`: its output, files and exit codes. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ClientDocument } from "../cases/document.ts";
import { home } from "../home.ts";
import { asking, few, folderOfTest } from "./client.test-kit.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const client = (...args: readonly string[]) => touchstoneHere(["client", ...args]);

test("a failing case fails the command, whose folder holds and stands beside another", async () => {
  const folder = folderOfTest();
  const out = join(folder, "a");
  const { code, stdout, stderr } = await client(...few, "--out", out, ...asking());
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^✗ crashes +stream\/crlf +it refused a legal answer: SyntaxError/m);
  expect(stdout).toMatch(/^cases: 1 crashes, 1 error, 2 works; /m);
  expect(stdout).toMatch(/^DOES NOT CONFORM: 1 case fails$/m);
  expect(readdirSync(out).filter((name) => name.endsWith(".unsorted"))).toEqual([]);
  const verified = await touchstoneHere(["verify", out]);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
  const side = await touchstoneHere(["report", `one=${out}`, `two=${out}`]);
  expect(side.stdout).toMatch(/^stream\/crlf +CRASHES +CRASHES$/m);
  const again = await client(...few, "--out", out, "--resume", ...asking());
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("holds a run that ended, so nothing is left to resume");
  expect((await touchstoneHere(["verify", out])).code).toBe(0);
});

test("known failures pass, and stale ones are named where all cases were tried", async () => {
  const file = join(folderOfTest(), "known.json");
  const entry = (name: string) => ({ cassette: `chat-completions/${name}`, reason: "We know." });
  writeFileSync(file, JSON.stringify({ expectations: [entry("stream/crlf")] }));
  const known = await client(...few, "--expectations", file, ...asking());
  expect(known.code, known.stderr).toBe(0);
  expect(known.stdout).toMatch(/^conforms: nothing fails; 1 known failure$/m);
  writeFileSync(file, JSON.stringify({ expectations: [entry("stream/clrf")] }));
  const unknown = await client(...few, "--expectations", file, ...asking());
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch(
    /there is no case chat-completions\/stream\/clrf\ntouchstone client --list lists them/,
  );
});

test("--format json prints one document", async () => {
  const { code, stdout } = await client("--case", "stream/lf", "--format", "json", ...asking());
  const { client: name, cases, complete } = JSON.parse(stdout) as ClientDocument;
  expect([code, complete, cases.map((one) => [one.case, one.outcome])]).toEqual([
    0,
    true,
    [
      ["plain", "works"],
      ["stream/lf", "works"],
    ],
  ]);
  expect(name).toContain(process.execPath);
});

test("numbers among the arguments of the program stay as they are written", async () => {
  const program = "process.stderr.write(JSON.stringify(process.argv.slice(1)))";
  const { stderr } = await client(
    "--case",
    "stream/lf",
    "--",
    process.execPath,
    "-e",
    program,
    "--",
    "007",
    "1e3",
    "-",
  );
  expect(stderr).toContain('it printed: ["007","1e3","-"]');
});

const script = (code: string): string[] => ["--", process.execPath, "--input-type=module", "-e", code];

test.each<[what: string, args: string[], line: string]>([
  ["no program", [], "no client is named"],
  ["a package and a program", ["openai", ...script("")], "both openai and a program are named"],
  [
    "a program that is not there",
    ["--", "/no/such/program"],
    "cannot start /no/such/program: there is no such program",
  ],
  ["a program that ends at once", script(""), "asked nothing: it printed nothing"],
  [
    "a program that fails at once",
    script("process.exit(3)"),
    "asked nothing: it exited with 3, and it printed nothing",
  ],
  [
    "a program that asks and prints nothing",
    asking("process.stdout.write = () => true"),
    "nothing of the text came out",
  ],
  [
    "a program that speaks HTTP/2",
    script(
      "import { connect } from 'node:http2'; connect(process.env.OPENAI_BASE_URL).on('error', () => process.exit(1))",
    ),
    "sent bytes that are no request of HTTP/1.1: no request line: PRI * HTTP/2.0",
  ],
  ["another interface", ["--interface", "messages", ...asking()], "which is of chat-completions"],
  ["a case that is not there", ["--case", "no/such", ...script("")], "no case is called no/such"],
  ["no time", ["--timeout", "0", ...script("")], "--timeout 0 is no number of seconds"],
  ["--resume without a folder", ["--resume", ...script("")], "--resume needs --out"],
])("%s is told in two lines", async (_, args, line) => {
  const { code, stdout, stderr } = await client(...args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^touchstone: .*\n.*\n$/);
  expect(stderr).toContain(line);
});

test("--resume refuses a folder whose files are pipes, in which reading would wait for ever", () => {
  const out = folderOfTest();
  execFileSync("mkfifo", [join(out, "results.json")]);
  const program = join(home, "dist", "src", "cli.js");
  const args = [program, "client", ...few, "--out", out, "--resume", ...asking()];
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    timeout: 120_000,
    killSignal: "SIGKILL",
  });
  expect([status, stderr.split("\n")[0]]).toEqual([
    2,
    `touchstone: ${join(out, "results.json")} is a pipe, and only plain files are read here`,
  ]);
});

test("--resume takes no folder of another client, and leaves it as it is", async () => {
  const folder = folderOfTest();
  const unfinished = await client("--case", "stream/lf", "--out", folder, ...script("setTimeout(() => {}, 10)"));
  expect(unfinished.code).toBe(2);
  const before = readFileSync(join(folder, "results.json"), "utf8");
  const other = await client("--case", "stream/lf", "--out", folder, "--resume", ...asking());
  expect(other.code).toBe(2);
  expect(other.stderr).toContain("holds a run with another setting (client)");
  const options = await client(
    "--case",
    "stream/l*",
    "--out",
    folder,
    "--resume",
    ...script("setTimeout(() => {}, 10)"),
  );
  expect(options.stderr).toContain('holds a run with another setting (--case): ["stream/lf"] there, ["stream/l*"] now');
  expect(readFileSync(join(folder, "results.json"), "utf8")).toBe(before);
  expect(existsSync(join(folder, "manifest.json"))).toBe(false);
});
