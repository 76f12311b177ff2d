/** Our images interface as a folder outside the package gives what it gives inside: the same ids, findings, verdicts and replies. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { withoutProgress } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import { readCassette, serve } from "../index.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { imagesFolder } from "./images-folder.test-kit.ts";

const below = mkdtempSync(join(tmpdir(), "touchstone-images-"));
afterAll(() => rmSync(below, { recursive: true }));
let folder = "";
beforeAll(async () => {
  folder = await imagesFolder(below);
}, 60_000);

/** What a command prints. This process may be the server that it asks. */
async function printed(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], {
    cwd: below,
    env: { ...process.env, NO_COLOR: "1" },
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  // Digests say which files judged, and the options that a folder was named: they are others, and nothing else is.
  const alike = stdout
    .replace(/"chat-completions-and-images": "\w{64}"/, "")
    .replace(/,\n *"images\/rules\.mjs": "\w{64}"/, "")
    .replace(/,\n *"started": \{\n *"documents": \[\n *"[^"]*"\n *\]\n *\}/, "")
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "URL");
  return `${alike}\n${withoutProgress(stderr)}\nexit ${code}`;
}

/** What a command prints of the shipped interface, and of the folder. */
async function both(...args: string[]): Promise<{ shipped: string; own: string }> {
  const isOfAll = args[0] === "check";
  return {
    shipped: await printed(...args, ...(isOfAll ? [] : ["--interface", "images"])),
    own: await printed(...args, "--documents", folder),
  };
}

test.each<string[][]>([
  [["clauses", "--format", "json"]],
  [["clauses"]],
  [["clauses", "images.edits.image-v2-square"]],
  [["clauses", "images.generations.n-type"]],
  [["prove", "--format", "json"]],
  [["prove"]],
  [["check", join(home, "recordings", "images", "edits"), "--format", "json"]],
  [["check", join(home, "recordings", "images"), "--reading", "strict", "--format", "json"]],
  [["check", join(home, "recordings", "images")]],
  [["run", "--format", "json"]],
  [["run", "--reading", "strict", "--lacks", "keys"]],
])("%j: the folder prints what the shipped interface prints", { timeout: 120_000 }, async (args) => {
  const { shipped, own } = await both(...args);
  expect(own).toBe(shipped);
  expect(own.length).toBeGreaterThan(80);
});

test.each([
  ["images.response.created-type", false],
  ["images.response.data-count", true],
])(
  "a run finds the same in a server that breaks %s; the folder breaks it: %s",
  { timeout: 300_000 },
  async (id, isOwn) => {
    const server = await serve({ break: [id], documents: isOwn ? [folder] : [] });
    onTestFinished(server.close);
    const { shipped, own } = await both("run", server.url, "--no-probes", "--format", "json");
    expect(own).toBe(shipped);
    expect(own).toContain('"verdict": "fail"');
  },
);

test("the reference answers as it answers inside, also what it refuses", { timeout: 60_000 }, async () => {
  const shipped = await serve();
  const own = await serve({ documents: [folder] });
  onTestFinished(async () => {
    await shipped.close();
    await own.close();
  });
  const { exchanges } = await (await openCatalogue()).examples();
  const answers = async (url: string): Promise<string[]> => {
    const said: string[] = [];
    for (const { exchange } of exchanges["images"]!) {
      const { method, target, headers, body } = exchange.request;
      const kept = headers.filter(([name]) => !/^(?:host|content-length|connection|transfer-encoding)$/i.test(name));
      const response = await fetch(url + target, {
        method,
        headers: kept.map(([a, b]): [string, string] => [a, b]),
        body: Buffer.from(body),
      });
      const reply = (await response.text()).replaceAll(url, "URL").replace(/"created":\d+/, "");
      said.push(`${response.status} ${response.headers.get("content-type")} ${reply}`);
    }
    return said;
  };
  const said = await answers(own.url);
  expect(said).toEqual(await answers(shipped.url));
  expect(new Set(said.map((one) => one.slice(0, 3)))).toEqual(new Set(["200", "400", "401"]));
});

test("a folder whose code judges otherwise is not taken for the shipped interface", { timeout: 120_000 }, async () => {
  const other = join(below, "other");
  const changed = await imagesFolder(other);
  writeFileSync(
    join(changed, "interface.json"),
    JSON.stringify({ name: "images", operations: [{ name: "POST /v1/images/edits" }] }),
  );
  await expect(openCatalogue([changed])).rejects.toThrow(/its export operations has POST \/v1\/images\/generations/);
  expect((await readCassette(join(folder, "recordings", "generations", "hd.json"))).exchanges.length).toBeGreaterThan(
    0,
  );
});
