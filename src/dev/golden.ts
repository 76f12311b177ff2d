/**
 * `npm run golden`: compares digests of what every command prints and writes with those in `golden.json`. A change of structure
 * then shows what it changes for users. `-- --write` keeps the digests of now. `-- --keep DIR` leaves the outputs there: those
 * of two checkouts compare with `diff -r`.
 */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { inflateRawSync } from "node:zlib";
import { home } from "../home.ts";
import { printable } from "../report/clean.ts";
import { reservePort } from "../wire/reserve-port.test-kit.ts";

const digestsFile = join(home, "src", "dev", "golden.json");
const program = join(home, "dist", "src", "cli.js");
const folder = mkdtempSync(join(tmpdir(), "touchstone-golden-"));
const recordings = join(home, "recordings");

/** Clauses that the second server breaks: a shape, a behaviour, an event, a law and a refusal. */
const broken = [
  "chat-completions.response.finish-reason-values",
  "messages.streaming.message-stop-last",
  "messages.response.input-tokens-range",
  "generate-content.response.finish-reason-values",
  "images.response.created-type",
];

const commands = "run record check play report diff verify serve convert clauses prove init gateway completion".split(
  " ",
);
const reportFormats = ["text", "json", "junit", "markdown", "html", "sarif", "gitlab"];

interface Printed {
  readonly name: string;
  readonly args: readonly string[];
}

/** A gateway, and where it looks for its upstream. */
interface Gateway {
  readonly url: string;
  /** `HOST:PORT` */
  readonly upstream: string;
}

/** Features that a gateway is not asked for here, which keeps its run short. */
const lacks = "tools,images,streaming,structured-output,json-mode,logprobs,n,audio,documents,image-input";

/** The commands, in this order, in a folder of their own. `good` and `bad` are the addresses of two references. */
const runs = (good: string, bad: string, gateway: Gateway): readonly Printed[] => [
  { name: "help", args: ["--help"] },
  ...commands.map((command) => ({ name: `help ${command}`, args: [command, "--help"] })),
  { name: "completion", args: ["completion", "bash"] },
  { name: "clauses", args: ["clauses"] },
  { name: "clauses as JSON", args: ["clauses", "--format", "json"] },
  { name: "clauses search", args: ["clauses", "temperature", "range"] },
  { name: "clauses one", args: ["clauses", "messages.request.temperature-range"] },
  { name: "clauses readings", args: ["clauses", "--readings"] },
  { name: "prove", args: ["prove"] },
  ...["text", "json", "ndjson"].map((format) => ({
    name: `check as ${format}`,
    args: ["check", recordings, "--format", format],
  })),
  { name: "check --out", args: ["check", recordings, "--out", "checked"] },
  { name: "run --dry-run", args: ["run", good, "--dry-run"] },
  { name: "run", args: ["run", good, "--name", "good", "--out", "good"] },
  { name: "run of a broken server", args: ["run", bad, "--name", "bad", "--out", "bad", "--shrink", "0"] },
  {
    name: "run --verbose",
    args: ["run", bad, "--name", "bad", "--verbose", "--interface", "messages", "--shrink", "0"],
  },
  {
    name: "run with a baseline",
    args: ["run", bad, "--baseline", "bad", "--interface", "messages", "--no-probes", "--verbose"],
  },
  { name: "verify", args: ["verify", "bad"] },
  ...reportFormats.map((format) => ({ name: `report as ${format}`, args: ["report", "bad", "--format", format] })),
  ...["text", "json", "markdown", "html"].map((format) => ({
    name: `side by side as ${format}`,
    args: ["report", "good=good", "bad=bad", "--format", format],
  })),
  { name: "badge", args: ["report", "bad", "--badge", "badge.svg"] },
  ...["text", "json", "markdown", "html"].map((format) => ({
    name: `diff of results as ${format}`,
    args: ["diff", "good", "bad", "--format", format],
  })),
  { name: "diff of recordings", args: ["diff", join(recordings, "messages"), "--against", bad] },
  {
    name: "convert",
    args: ["convert", join(recordings, "messages", "tools"), "--to", "har", "--out", "converted.har"],
  },
  {
    name: "gateway",
    args: ["gateway", gateway.url, ...route(gateway.upstream), "--lacks", lacks],
  },
  { name: "init", args: ["init", good, "--out", "started"] },
];

const route = (upstream: string): string[] => [
  "--from",
  "messages",
  "--to",
  "chat-completions",
  "--upstream",
  upstream,
];

/** Whether a number of seconds is a time of this run, and none that was recorded. */
const isNow = (seconds: number): boolean => Math.abs(Date.now() / 1000 - seconds) < 3600;

/** The same text whatever the time, the ports, and this checkout's place. */
const neutral = (text: string): string =>
  text
    .replaceAll(folder, "FOLDER")
    .replaceAll(home, "HOME")
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z| \d\d(:|&#58;)\d\d UTC)?/g, "TIME")
    .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, "TIME")
    .replace(/"created":(\d{10})\b/g, (all, seconds) => (isNow(Number(seconds)) ? `"created":TIME` : all))
    .replace(/ time="[\d.]+"/g, ' time="0"')
    .replace(/^\d+ of \d+ recordings and groups of probes\n/gm, "")
    .replace(/\bnode"( value=|: )"[\d.]+"/gi, "NODE");

/** Leaves out of an index of exchanges which block holds each. */
const placeless = (json: string): string => json.replace(/"(block|item|shared)":\[[\d,-]*\]/g, "");

/**
 * A page: its text, and the data of its first block, which is shown at once. The positions of exchanges in the other blocks
 * differ with their order.
 */
const pageText = (html: string): string =>
  html.replace(/(<script type="application\/x-deflate" id="block-(\d+)">)([^<]*)/g, (_all, tag, number, block) =>
    number === "0" ? `${tag}${placeless(inflateRawSync(Buffer.from(block, "base64")).toString())}` : "",
  );

/** Evidence arrives in any order with ids of its own: what was asked and answered, sorted. */
function evidenceText(lines: string): string {
  const [head, ...exchanges] = lines.trimEnd().split("\n");
  const asked = exchanges.map((line) => {
    const { asked, request, response } = JSON.parse(line);
    return `${asked.source} #${asked.exchange} ${request.method} ${request.target} ${response?.status}`;
  });
  return [head, ...asked.sort()].join("\n");
}

function fileText(path: string): string {
  const text = readFileSync(path, "utf8");
  if (path.endsWith("exchanges.jsonl")) return evidenceText(text);
  return path.endsWith(".html") ? pageText(text) : text;
}

/** Digests of files differ with the times in them. */
const isCompared = (path: string): boolean => !path.endsWith("manifest.json");

function filesBelow(at: string): string[] {
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isCompared)
    .sort();
}

const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, COLUMNS: "100" };

const print = (args: readonly string[]): Promise<string> =>
  new Promise((done) => {
    execFile(
      process.execPath,
      [program, ...args],
      { cwd: folder, env: environment, maxBuffer: 1 << 30 },
      (error, out, complaints) => done(`exit ${error?.code ?? 0}\n${out}\n--\n${complaints}`),
    );
  });

/** Starts a reference; its address is the first that it prints. */
function serve(args: readonly string[]): Promise<{ url: string; close(): void }> {
  const server = spawn(process.execPath, [program, "serve", ...args], { env: environment });
  return new Promise((done, fail) => {
    let said = "";
    server.stdout.on("data", (piece) => {
      said += piece;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (url !== undefined) done({ url, close: () => server.kill() });
    });
    server.on("exit", () => fail(new Error(`serve ended: ${said}`)));
  });
}

async function collect(): Promise<Map<string, string>> {
  const outputs = new Map<string, string>();
  const good = await serve([]);
  const bad = await serve(broken.flatMap((clause) => ["--break", clause]));
  const upstream = `127.0.0.1:${await reservePort()}`;
  const translator = await serve([
    ...["--gateway", "messages=chat-completions", "--upstream", `http://${upstream}`],
    ...["--break-fact", "stop.sequences=drop"],
  ]);
  for (const { name, args } of runs(good.url, bad.url, { url: translator.url, upstream })) {
    const text = await print(args);
    outputs.set(name, neutral(args.includes("html") ? pageText(text) : text));
  }
  for (const { close } of [good, bad, translator]) close();
  for (const path of filesBelow(folder)) outputs.set(relative(folder, path), neutral(fileText(path)));
  for (const path of filesBelow(join(home, "dist", "generated")))
    if (!path.endsWith(".sha256")) outputs.set(relative(home, path), readFileSync(path, "utf8"));
  return outputs;
}

const options = process.argv.slice(2);
const kept = options.includes("--keep") ? options[options.indexOf("--keep") + 1] : undefined;
const outputs = await collect();
rmSync(folder, { recursive: true });
if (kept !== undefined)
  for (const [name, text] of outputs) {
    const path = join(kept, `${name}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
const digests = Object.fromEntries(
  [...outputs].map(([name, text]) => [name, createHash("sha256").update(text).digest("hex").slice(0, 16)]),
);
if (options.includes("--write")) writeFileSync(digestsFile, `${JSON.stringify(digests, undefined, 2)}\n`);
const known = JSON.parse(readFileSync(digestsFile, "utf8")) as Record<string, string>;
const changed = [...new Set([...Object.keys(known), ...Object.keys(digests)])].filter(
  (name) => known[name] !== digests[name],
);
const word = (name: string) => (name in digests ? (name in known ? "changed" : "new") : "gone");
process.stdout.write(changed.map((name) => `${word(name)}: ${printable(name)}\n`).join(""));
process.stdout.write(`${outputs.size} outputs compared, ${changed.length} differ\n`);
process.exitCode = changed.length > 0 ? 1 : 0;
