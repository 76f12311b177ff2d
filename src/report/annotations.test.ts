/** Annotations follow the command syntax of the GitHub runner, even if a target sends hostile text. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { groupsOf } from "../check/groups.test-kit.ts";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { formatAnnotations } from "./annotations.ts";
import { formatJunit } from "./junit.ts";
import { formatMarkdown } from "./markdown.ts";
import type { Results } from "./options.ts";
import { bad, finding, green, options, results } from "./results.test-kit.ts";
import { withoutCommands } from "./terminal/workflow-commands.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-actions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

const unescaped = (text: string): string =>
  text.replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%0D/g, "\r").replace(/%0A/g, "\n").replace(/%25/g, "%");

/** The commands a runner finds: `::` first in a line, after space, or `##[` anywhere. */
function commandsIn(log: string): Command[] {
  return log.split(/\r\n|\r|\n/).flatMap((line): Command[] => {
    if (line.includes("##[")) return [{ name: line, properties: {}, message: "" }];
    const [, name, list, message] = /^\s*::([a-z-]+)(?: (.*?))?::(.*)$/u.exec(line) ?? [];
    if (name === undefined)
      return line.trimStart().startsWith("::") ? [{ name: line, properties: {}, message: "" }] : [];
    const properties = (list ?? "").split(",").filter((one) => one !== "");
    return [
      {
        name,
        properties: Object.fromEntries(
          properties.map((one) => [one.slice(0, one.indexOf("=")), unescaped(one.slice(one.indexOf("=") + 1))]),
        ),
        message: unescaped(message!),
      },
    ];
  });
}

test("a failure is an error, a stale entry one at its line of the file, an expired entry a warning", () => {
  const text = `{\n  "expectations": [\n    { "clause": "messages.response.ping", "reason": "x" },\n    { "clause": "messages.response.usage", "reason": "y" }\n  ]\n}\n`;
  const expired = { ...results.expectations!, expired: ["messages.response.ping"] };
  const of: Results = { ...results, expectations: expired };
  const path = "ci/odd,name: 100%.json";
  expect(commandsIn(formatAnnotations(of, options, { path, text }))).toEqual([
    {
      name: "error",
      properties: { file: path, line: "4", title: "touchstone known failures" },
      message: "messages.response.usage is a known failure, and does not fail: take the entry out.",
    },
    {
      name: "error",
      properties: { title: "messages.response.stop-reason" },
      message: expect.stringContaining(
        `The stop-reason is as documented.\nexpected one of "end_turn", got <b>"x" & ]]>`,
      ),
    },
    { name: "error", properties: { title: "run.answered" }, message: expect.stringContaining("status 400") },
    {
      name: "warning",
      properties: { file: path, line: "3", title: "touchstone known failures" },
      message: "messages.response.ping has passed its day: the entry excuses nothing any more.",
    },
  ]);
  expect(formatAnnotations(green, options)).toBe("");
});

test("a clause that fails has one error and no warning, in however many places and ways it fails", () => {
  const ids = ["messages.response.ping", "messages.response.usage", "messages.response.cost"];
  const findings = ids
    .slice(0, 2)
    .flatMap((clause) =>
      ["/a", "/b", "/c"].flatMap((pointer) =>
        (["error", "warning"] as const).map((level) => ({ ...finding, clause, pointer, level })),
      ),
    );
  const many: Results = {
    ...green,
    clauses: ids.map((id, i) => ({ id, verdict: "fail", exercised: 3, failed: i + 1 })),
    findings,
    groups: groupsOf(findings).map((group, i) => ({ ...group, exchanges: 1, first: [i] })),
  };
  const commands = commandsIn(formatAnnotations(many, options));
  expect(commands.map(({ name, properties }) => [name, properties["title"]])).toEqual([
    ["error", "messages.response.usage"],
    ["error", "messages.response.ping"],
    // Its findings are not listed.
    ["error", "messages.response.cost"],
  ]);
  expect(commands[0]!.message).toMatch(/^The usage is as documented.\nexpected .*\nAlso violated in 5 other places.$/s);
});

test("there are ten of a level at most, and whatever a target sent makes no command", () => {
  const ids = Array.from({ length: 40 }, (_, i) => `messages.response.c${i}`);
  const wall = (level: "error" | "warning"): Results => ({
    ...green,
    clauses: ids.map((id) => ({ id, verdict: level === "error" ? "fail" : "warning", exercised: 1, failed: 1 })),
    findings: ids.map((clause) => ({ ...finding, clause, level })),
    groups: ids.map((clause, i) => ({ ...results.groups[0]!, level, clause, first: [i] })),
  });
  for (const level of ["error", "warning"] as const) {
    const commands = commandsIn(formatAnnotations(wall(level), options));
    expect(commands.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, () => level));
    const named = commands.flatMap(({ properties, message }) => [properties["title"]!, ...message.split(/[ ,]+/)]);
    expect(commands.at(-1)!.message).toMatch(/^and 31 more, which the summary of the job describes: /);
    for (const id of ids) expect(named.filter((one) => one === id)).toEqual([id]);
  }
  for (const text of ["::error::x", "%0A::error::x", "##[add-mask]x", "a\n::add-mask::x", ",line=9::x"]) {
    const hostile = { ...bad, clauses: bad.clauses.map((one) => ({ ...one, id: text + one.id })) };
    for (const one of [hostile, { ...results, findings: [{ ...finding, source: text, actual: text }] }])
      for (const { name, properties } of commandsIn(formatAnnotations(one, options))) {
        expect(["error", "warning"]).toContain(name);
        expect(Object.keys(properties)).toEqual(["title"]);
      }
  }
});

test("no line of the output is a command, in whatever pieces it is written, and JSON says the same as before", () => {
  const part = fc.constantFrom("::", ":", "#", "##[", "[", "\n", " ", "\t", "\u3000", "error", "x");
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 6 }), { maxLength: 8 }), (pieces) => {
      const filter = withoutCommands();
      const texts = pieces.map((piece) => piece.join(""));
      const safe = texts.map(filter).join("");
      expect(commandsIn(safe)).toEqual([]);
      expect(safe.replaceAll("\\u003a", ":").replaceAll("\\u005b", "[")).toBe(texts.join(""));
      const json = JSON.stringify(texts, null, 1);
      expect(JSON.parse(withoutCommands()(json))).toEqual(texts);
    }),
    {
      examples: [
        [
          [
            [" ", ":"],
            [":", "x"],
          ],
        ],
        [[["x", "#"], ["#"], ["["]]],
        [[["x"], ["::"], ["\n"], ["::"]]],
      ],
    },
  );
});

test("a check in GitHub Actions does as well, and a shard leaves it to who puts shards together", async () => {
  const recording = join(folder, "wrong.json");
  const sample = readFileSync(join(home, "recordings", "messages", "response", "text.json"), "utf8");
  writeFileSync(recording, replaceText(sample, '"end_turn"', '"finished"'));
  const summary = join(folder, "summary-of-check");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const check = (...args: string[]) => touchstoneHere(["check", recording, "--preset", "vendors", ...args], env);
  const title = "messages.response.stop-reason-values";
  expect(commandsIn((await check()).stderr)).toMatchObject([{ name: "error", properties: { title } }]);
  expect(readFileSync(summary, "utf8")).toContain(title);
  rmSync(summary);
  const part = await check("--shard", "1/1", "--format", "json");
  expect(part.stderr).toBe("");
  expect(existsSync(summary)).toBe(false);
  const file = join(folder, "part.json");
  writeFileSync(file, part.stdout);
  const merged = await touchstoneHere(["report", file], env);
  expect(commandsIn(merged.stderr)).toMatchObject([{ name: "error", properties: { title } }]);
  expect(readFileSync(summary, "utf8")).toContain(title);
});

test("a run in GitHub Actions writes its annotations, and a summary after that of others", async () => {
  const expectations = join(folder, "expectations.json");
  const summary = join(folder, "summary");
  const entry = { clause: "messages.response.stop-reason-values", reason: "no longer so" };
  writeFileSync(expectations, JSON.stringify({ expectations: [entry] }, null, 2));
  writeFileSync(summary, "of another step\n");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: folder };
  const args = ["run", "--interface", "messages", "--no-probes", "--expectations", expectations];
  const { code, stdout, stderr } = await touchstoneHere(args, env);
  expect(code).toBe(1);
  expect(commandsIn(stdout)).toEqual([]);
  expect(commandsIn(stderr)).toMatchObject([{ name: "error", properties: { file: "expectations.json", line: "4" } }]);
  expect(readFileSync(summary, "utf8")).toMatch(/^of another step\n# touchstone: the embedded reference/);
  const wrong = await touchstoneHere(["run", "http://%::error::x"], env);
  expect(wrong.code).toBe(2);
  expect(commandsIn(wrong.stderr)).toMatchObject([{ name: "error", properties: { title: "touchstone" } }]);
  writeFileSync(summary, "x".repeat(1 << 20));
  await touchstoneHere(args, env);
  expect(readFileSync(summary, "utf8")).toHaveLength(1 << 20);
});

test("no line of the Markdown and JUnit files is a command, whatever a server, a file name or a body says", () => {
  const hostile = "x\n::error::a\n  ::add-mask::b\n##[error]c\n\u00a0::stop-commands::d\n:::e";
  const loud = { ...finding, source: `::error::${hostile}`, actual: hostile, expected: hostile, message: hostile };
  const of = {
    ...results,
    findings: [loud],
    groups: results.groups.map((group) => ({ ...group, first: [0] })),
    incidents: results.incidents.map((one) => ({ ...one, source: `::${hostile}`, problem: `::${hostile}` })),
    clauses: results.clauses.map((one) => ({
      ...one,
      ...(one.needs && { needs: [hostile] }),
      ...(one.expected && { expected: { reason: `::error::${hostile}` } }),
    })),
    reproduce: [{ source: loud.source, exchange: loud.exchange, curl: `curl -d '\n${hostile}'` }],
    expectations: { ...results.expectations!, stale: [`::${hostile}`] },
  } as unknown as Results;
  const texts = [formatJunit(of, options), formatMarkdown(of, options)];
  for (const text of texts) {
    expect(text).toContain("stop-commands");
    expect(commandsIn(text)).toEqual([]);
  }
  expect(texts[0]).toMatch(/^:\\u003aerror::a$/m);
});
