/** `npm run test:package`: uses the packed package in a project of its own, with the compilers and test runners of others. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toHar } from "../../cassette/har-export.ts";
import { home } from "../../home.ts";
import { plainPng } from "../../interfaces/images/examples/small-png.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../../wire/build.ts";
import { runAction } from "../action.ts";

/** The packages of the project beside ours: the SDKs in our versions, another compiler than ours, and jest. */
const { devDependencies: ours } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const sdks = ["openai", "@anthropic-ai/sdk", "@google/genai", "@types/node"].map((name) => `${name}@${ours[name]}`);
const others = ["vitest@^3", "typescript@^5", "jest@^30", "@types/jest@^30"];

/** Versions of vitest, and what is installed along with them: 5 runs on no Node 20. */
const vitests = [["3"], ["4"], ["5", "node@^22", "@types/node@^22"]] as const;

const folder = mkdtempSync(join(tmpdir(), "touchstone-package-"));
const project = join(folder, "project");
let failures = 0;

/** Runs a program in the project; its output, whatever it ended with. */
function output(program: string, args: readonly string[], env: Record<string, string> = {}, cwd = project) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
    encoding: "utf8",
  });
  return { status, text: `${stdout}${stderr}` };
}

/** Prints one line; the output of what went wrong below it. */
function expectOf(what: string, { status, text }: ReturnType<typeof output>, wanted: number, ...words: string[]): void {
  const missing = words.filter((word) => !text.includes(word));
  const good = status === wanted && missing.length === 0;
  console.log(`${good ? "ok  " : "FAIL"} ${what}`);
  if (good) return;
  failures++;
  console.log(
    `exit code ${status}, expected ${wanted}${missing.length > 0 ? `; missing: ${missing.join("; ")}` : ""}\n${text}`,
  );
}

const bin = (name: string): string => join(project, "node_modules", ".bin", name);

try {
  const pack = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  const [{ filename, unpackedSize }] = JSON.parse(execFileSync("npm", pack, { cwd: home, encoding: "utf8" }));
  console.log(`${filename}, ${(unpackedSize / 1e6).toFixed(1)} MB unpacked`);
  cpSync(join(home, "src", "dev", "package", "project"), project, { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }\n');
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const add = (...packages: string[]): unknown =>
    execFileSync("npm", [...install, ...packages], { cwd: project, stdio: "inherit" });
  add(join(folder, filename), ...sdks, ...others);

  const headers = [["Authorization", "Bearer test-key"]] as const;
  const asked = { model: "m", messages: [{ role: "user", content: "Hi" }], temperature: 3 };
  const refused = {
    error: { message: "temperature is at most 2", type: "invalid_request_error", param: null, code: null },
  };
  const faulty = exchangeOf(jsonRequest("/v1/chat/completions", headers, asked), jsonResponse(refused, 400));
  writeFileSync(join(project, "cat.png"), plainPng({ width: 64, height: 64, alpha: true }));
  mkdirSync(join(project, "har"));
  writeFileSync(join(project, "har", "faulty.har"), JSON.stringify(toHar([faulty], "0")));

  // Declarations of libraries beside ours fit together for the one compiler only.
  for (const config of ["nodenext", "bundler", "jest"]) {
    const compiled = ["-p", `tsconfig.${config}.json`, "--noEmit"];
    expectOf(`types, ${config}, typescript 5`, output(bin("tsc"), compiled), 0);
    const tsc = join(home, "node_modules", ".bin", "tsc");
    expectOf(`types, ${config}, our typescript`, output(tsc, [...compiled, "--skipLibCheck"]), 0);
  }
  expectOf("a script is compiled", output(bin("tsc"), ["-p", "tsconfig.nodenext.json"]), 0);
  const judged = output(process.execPath, [join("out", "script.js")]);
  expectOf("it judges a folder of HAR files", judged, 1, "har/faulty.har: chat-completions.request.temperature-range");
  for (const [version, ...beside] of vitests) {
    if (version !== "3") add(`vitest@^${version}`, ...beside);
    const node = beside.length === 0 ? process.execPath : bin("node");
    const vitest = (args: readonly string[], specs?: string) =>
      output(node, [join(project, "node_modules", "vitest", "vitest.mjs"), "run", "--reporter=verbose", ...args], {
        ...(specs !== undefined && { SPECS: specs }),
      });
    const passed = ["15 passed", "5 skipped", "images > edits > tall", "[the target lacks edits]"];
    expectOf(`vitest ${version}`, vitest([]), 0, ...passed);
    expectOf("-t runs the tests it names alone", vitest(["-t", "generations"]), 0, "4 passed");
    expectOf(
      "a server that breaks a clause has the tests go red that show it",
      vitest([], "red-conformance.ts"),
      1,
      "messages > whole replies > text",
      "Error: messages/streaming/text.json: 1 clause fails",
      "FAIL messages.streaming.message-stop-last",
      "messages/streaming/text.json, exchange 0: event 9 of the stream at /type",
      "1 failed | 1 passed",
    );
    expectOf(
      "a client of a server that breaks a clause goes red with it",
      vitest([], "red.ts"),
      1,
      "expected 1 exchange to conform, but 1 clause fails",
      "FAIL chat-completions.response.finish-reason-values",
      "memory, exchange 0: response body at /choices/0/finish_reason",
      'expected  one of "stop", "length", "content_filter", "tool_calls", "function_call"',
      'actual    "stop-not"',
    );
  }
  const jest = ["--experimental-vm-modules", join(project, "node_modules", "jest", "bin", "jest.js")];
  expectOf(
    "jest",
    output(process.execPath, [...jest, "--testMatch", "**/*.jest.js", "--testTimeout", "180000"]),
    0,
    "3 passed",
  );
  // As most projects have it: no ES modules, and types that know nothing of "exports".
  const commonjs = join(folder, "commonjs");
  cpSync(join(home, "src", "dev", "package", "commonjs"), commonjs, { recursive: true });
  const added = [join(folder, filename), "jest@^30", "ts-jest@^29", "typescript@^5", "@types/jest@^30", sdks.at(-1)!];
  execFileSync("npm", [...install, ...added], { cwd: commonjs, stdio: "inherit" });
  const tsJest = [join("node_modules", "jest", "bin", "jest.js"), "--testTimeout", "180000"];
  expectOf("jest of CommonJS, with ts-jest", output(process.execPath, tsJest, {}, commonjs), 0, "5 passed");

  const script = [join("out", "script.js")];
  expectOf("types, node16 of CommonJS", output("npx", ["tsc", "-p", "tsconfig.node16.json"], {}, commonjs), 0);
  const found = ['{"found":["chat-completions.response.finish-reason-values"],"pass":false}', "one library: true"];
  const refusal = "conformance() declares tests of vitest";
  for (const node of [process.execPath, bin("node")]) {
    const required = output(node, script, {}, commonjs);
    expectOf(`require(), on Node ${output(node, ["-v"]).text.trim()}`, required, 0, ...found, refusal);
  }

  // Both check that each kind of import finds code and types that belong together.
  const checkers = join(folder, "checkers");
  mkdirSync(checkers);
  writeFileSync(join(checkers, "package.json"), '{ "private": true }\n');
  execFileSync("npm", [...install, "@arethetypeswrong/cli@^0.18", "publint@^0.3"], { cwd: checkers, stdio: "inherit" });
  const checked = (...command: string[]) => output("npx", [...command, join(folder, filename)], {}, checkers);
  expectOf("attw", checked("attw"), 0, "No problems found");
  expectOf("publint", checked("publint", "--strict"), 0, "All good!");

  const inputs = { package: join(folder, filename), args: "--interface\nimages\n--no-probes", artifact: "" };
  mkdirSync(join(folder, "checkout"));
  const step = runAction(inputs, join(folder, "checkout"), {
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
  });
  const text = `${step.stdout}${step.stderr}${readFileSync(join(folder, "summary"), "utf8")}`;
  const judgedBy = ["conforms as far as tested", "Kept in touchstone-results", "# touchstone: the embedded reference"];
  expectOf("the action, of the packed package", { status: step.status, text }, 0, ...judgedBy);
  expectOf("the program", output(bin("touchstone"), ["check", "har"]), 1, "does not conform");
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failures > 0 ? 1 : 0;
