/** A folder from its first day on: started, edited, proven, run, reported, verified, run in shards and compared. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { home } from "../home.ts";
import { serve } from "../index.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { documentOf, folderOf } from "./documents.test-kit.ts";

const document = documentOf(
  { type: "object", required: ["input"], properties: { input: { type: "string", maxLength: 9 } } },
  { type: "object", required: ["items"], properties: { items: { type: "array", items: { type: "integer" } } } },
);

test("a folder is started, edited, proven, run, reported, verified, run in shards and compared", async () => {
  const below = folderOf({ "api.json": document });
  /** This process is the server that commands ask. */
  const cli = async (...args: string[]) => {
    const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], { cwd: below });
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { status, stdout, stderr };
  };
  expect(await cli("new", "own", "--openapi", "api.json")).toMatchObject({ status: 0, stderr: "" });
  expect(await cli("clauses", "--documents", "own", "--write")).toMatchObject({ status: 0 });
  const file = join(below, "own", "response.clauses.json");
  const written = readFileSync(file, "utf8");
  writeFileSync(file, replaceText(written, '"items-items-type"', '"whole-numbers"'));
  expect(await cli("prove", "--documents", "own")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/ 0 silent, 0 dead\n$/),
  });
  const good = await serve({ documents: [join(below, "own")] });
  const bad = await serve({ documents: [join(below, "own")], break: ["things.response.whole-numbers"] });
  onTestFinished(async () => {
    await good.close();
    await bad.close();
  });
  const own = ["--documents", "own"];
  expect(await cli("run", good.url, ...own, "--out", "whole")).toMatchObject({ status: 0 });
  expect((await cli("run", bad.url, ...own, "--out", "broken")).stdout).toContain("things.response.whole-numbers");
  expect((await cli("report", "whole", ...own, "--format", "markdown")).stdout).toContain("things");
  expect(await cli("verify", "whole", ...own)).toMatchObject({ status: 0, stdout: expect.stringContaining("HOLDS") });
  const undocumented = await cli("verify", "whole");
  expect(undocumented).toMatchObject({ status: 2, stderr: expect.stringContaining("--documents PATH\n") });
  for (const shard of ["1/2", "2/2"])
    expect(await cli("run", good.url, ...own, "--shard", shard, "--out", `part-${shard[0]}`)).toMatchObject({
      status: 0,
    });
  expect(await cli("report", "part-1", "part-2", ...own, "--out", "both")).toMatchObject({ status: 0 });
  expect(await cli("diff", "whole", "both", ...own)).toMatchObject({ status: 0 });
  const changed = await cli("diff", "whole", "broken", ...own);
  expect(changed).toMatchObject({ status: 1, stdout: expect.stringContaining("things.response.whole-numbers") });
});
