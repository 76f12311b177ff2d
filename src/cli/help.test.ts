/** `--help` is right: every option stands in a group, every example is understood, and short forms mean long ones. */

import { describe, expect, test } from "vitest";
import yargs, { type CommandModule } from "yargs";
import { commandNames, loadCommands } from "./commands.ts";
import { examples, nameOf } from "./help.ts";
import { touchstoneHere } from "./here.test-kit.ts";

/** The arguments that a command would get for this line. */
async function argumentsFor(name: string, words: readonly string[]): Promise<Record<string, unknown>> {
  let given: unknown;
  const [read] = await loadCommands([name]);
  const command = { ...read!, handler: (args: unknown) => void (given = args) };
  await yargs([name, ...words])
    .command(command as unknown as CommandModule)
    .strict()
    .exitProcess(false)
    .fail((message) => {
      throw new Error(message);
    })
    .parseAsync();
  return given as Record<string, unknown>;
}

test("each is called by the name that it is listed under", async () => {
  expect((await loadCommands(commandNames)).map(nameOf)).toEqual(commandNames);
});

describe.each(commandNames)("%s", (name) => {
  test("has each of its options in a group of help.ts, and an example", async () => {
    const { stdout } = await touchstoneHere([name, "--help"]);
    expect(stdout).toMatch(/^Output:$/m);
    expect(stdout).not.toMatch(/^Options:$/m);
    expect(stdout).toMatch(/^Examples:\n {2}touchstone /m);
    const options = [...stdout.split("Examples:")[0]!.matchAll(/^ {2,6}(?:-\w, )?--([\w-]+)/gm)].map(
      ([, option]) => option,
    );
    expect(options.length).toBeGreaterThan(0);
    expect(options).toEqual([...new Set(options)]);
  });

  test.each(examples[name]!)("understands %s", async (line) => {
    const [program, command, ...words] = line.split(" ");
    expect([program, command]).toEqual(["touchstone", name]);
    expect(await argumentsFor(name, words)).toBeDefined();
  });
});

test("short forms mean long ones, where there are these", async () => {
  const { out, header, target } = await argumentsFor("run", ["-o", "results", "-H", "X-A: b", "http://h"]);
  expect({ out, header, target }).toEqual({ out: "results", header: ["X-A: b"], target: "http://h" });
  expect(await argumentsFor("check", ["-q", "x.har"])).toMatchObject({ quiet: true, files: ["x.har"] });
  const { code, stderr } = await touchstoneHere(["serve", "-o", "x"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^touchstone: .*no such option/);
});
