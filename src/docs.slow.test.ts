/** Runs the console blocks of README.md and docs/: each command prints what its page says, numbers apart. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exchangeLine, headerLine } from "./cassette/write.ts";
import { home } from "./home.ts";
import { examples } from "./interfaces/examples.ts";
import { reservePort } from "./wire/reserve-port.test-kit.ts";

interface Step {
  readonly command: string;
  /** The expected output; a line of three dots stands for any lines. */
  readonly printed: string;
}

/** The commands of a page's console blocks, in order. */
function stepsOf(page: string): Step[] {
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command, ...printed] = step.split("\n");
        return { command: command!, printed: printed.join("\n") };
      }),
  );
}

/** A pattern for what is printed, in which any number stands for any other; any output fits a command that shows none. */
function patternOf(printed: string): RegExp {
  if (printed.trim() === "") return /^/;
  const lines = printed.trimEnd().split("\n");
  const pattern = lines.map((line) =>
    line === "..."
      ? "(?:.*\\n)*?"
      : `${line
          .trimEnd()
          .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
          .replace(/\d[\d,.]*/g, "\\d[\\d,.]*")
          .replace(/ {2,}/g, " +")} *\\n`,
  );
  return new RegExp(`^${pattern.join("")}`);
}

/** Servers go on until the page ends, recorders until something reads what they kept. */
const listens = (command: string): boolean => /touchstone (?:serve|record|play) /.test(command);

/** Writes the files that a page shows: a block that names one, as in "yaml openapi.yaml". */
function writeFilesOf(page: string, folder: string): void {
  for (const [, name, content] of page.matchAll(/^```\w+ ([\w./-]+)\n([\s\S]*?)^```/gm)) {
    mkdirSync(dirname(join(folder, name!)), { recursive: true });
    writeFileSync(join(folder, name!), content!);
  }
}

const pages = ["README.md", ...readdirSync(join(home, "docs")).map((name) => `docs/${name}`)]
  .map((name) => [name, readFileSync(join(home, name), "utf8")] as const)
  .filter(([, page]) => stepsOf(page).length > 0);

test("pages have commands, and a pattern fits what differs in numbers alone", () => {
  expect(pages.length).toBeGreaterThan(6);
  const pattern = patternOf("a  12 of 1,300\n...\nend\n");
  expect("a     7 of 5\nx\ny\nend\n").toMatch(pattern);
  expect("b 7 of 5\nend\n").not.toMatch(pattern);
});

const reference =
  "npx --no-install touchstone serve --listen 127.0.0.1:4400 --break messages.streaming.message-stop-last";

test.each(pages)("%s: each command prints what stands below it", async (_name, page) => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-docs-"));
  writeFilesOf(page, folder);
  // Pages speak of a project in which the client libraries are installed.
  symlinkSync(join(home, "node_modules"), join(folder, "node_modules"));
  const servers: { readonly command: string; readonly child: ChildProcess }[] = [];
  onTestFinished(() => {
    for (const { child } of servers) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const ports = new Map<string, number>();
  for (const [port] of `${page} 127.0.0.1:4400`.matchAll(/(?<=127\.0\.0\.1:)\d+/g))
    if (!ports.has(port)) ports.set(port, await reservePort());
  const here = (text: string): string => text.replace(/(?<=127\.0\.0\.1:)\d+/g, (port) => String(ports.get(port)));
  const env = { ...process.env, NO_COLOR: "1", TOUCHSTONE_KEY: "test-key", COLUMNS: "100" };
  /** The output of a command, to its end, or to the line with which a server says that it listens. */
  async function printedBy(command: string): Promise<string> {
    const line = here(command)
      .replace(/^npx --no-install touchstone/, `exec '${process.execPath}' '${join(home, "dist", "src", "cli.js")}'`)
      .replace(/ &$/, "");
    const child = spawn("bash", ["-c", line], { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
    if (listens(command)) servers.push({ command, child });
    let text = "";
    return new Promise((resolve) => {
      child.stdout.on("data", (piece) => {
        text += piece;
        if (listens(command) && /^listening on .*\n/m.test(text)) resolve(text);
      });
      child.on("close", () => resolve(text));
    });
  }
  if (!page.includes("serve --listen 127.0.0.1:4400")) await printedBy(reference);
  const [example] = examples["chat-completions"]!;
  writeFileSync(join(folder, "session.jsonl"), `${headerLine({})}\n${exchangeLine(example!.exchange)}\n`);
  const [known] = page.match(/(?<=```json\n)\{\n {2}"expectations": [\s\S]*?(?=```)/) ?? [];
  if (known) writeFileSync(join(folder, "expectations.json"), known);
  for (const { command, printed } of stepsOf(page)) {
    if (command.includes("--out session.jsonl")) rmSync(join(folder, "session.jsonl"));
    if (command.includes("touchstone check"))
      for (const { command: earlier, child } of servers)
        if (earlier.includes("touchstone record") && child.kill("SIGINT")) await once(child, "exit");
    expect(await printedBy(command), command).toMatch(patternOf(here(printed)));
  }
});
