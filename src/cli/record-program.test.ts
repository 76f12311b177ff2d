/** `touchstone record -- COMMAND` as users meet it: a real program between real sockets. */
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../index.ts";
import { linesOf, start, until } from "../record/recorder.test-kit.ts";

interface Kept {
  readonly origin: string;
  readonly request: { readonly target: string };
}

const node = (script: string): string[] => ["--", process.execPath, "--input-type=module", "-e", script];

async function reference(): Promise<string> {
  const { url, close } = await serve();
  onTestFinished(close);
  return url;
}

test("each service has an address of its own, so that paths of no document reach the right one", async () => {
  const [one, other] = [await reference(), await reference()];
  const script = `
    const { OPENAI_BASE_URL, ANTHROPIC_BASE_URL } = process.env;
    for (const url of [OPENAI_BASE_URL + "/files", ANTHROPIC_BASE_URL + "/v1/files"]) await (await fetch(url)).text();`;
  const args = ["--upstream", `messages=${one}`, "--quiet", ...node(script)];
  const { said, ended, cassette } = start(args, undefined, undefined, { OPENAI_BASE_URL: `${other}/own/v1` });
  expect(await ended, said.stderr).toBe(0);
  const exchanges = linesOf(cassette) as unknown as Kept[];
  expect(exchanges.map(({ origin, request }) => origin + request.target)).toEqual([
    `${other}/own/v1/files`,
    `${one}/v1/files`,
  ]);
});

test("a signal reaches the program, and the session is kept and judged after it", async () => {
  const script = `
    process.on("SIGTERM", () => { console.log("told"); process.exit(9); });
    console.log("ready");
    setInterval(() => {}, 1000);`;
  const { child, said, ended } = start(["http://127.0.0.1:9", ...node(script)]);
  await until(() => said.stdout.includes("ready"));
  child.kill("SIGTERM");
  expect(await ended).toBe(9);
  expect(said.stdout).toBe("ready\ntold\n");
  expect(said.stderr).toMatch(/0 exchanges are kept in/);
});
