/** Whatever a target does with the key it is asked with, nothing that a run writes or prints has it, however it is read. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import { hunt } from "../record/canary-hunt.test-kit.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { listen, type Reply } from "../wire/listen.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-run-canary-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = "canary/key+0123456789-ABCDEFGHIJKLMNOP";
const added = "canary-gateway-QRSTUVWXYZ-9876543210-token";
/** Headers a user may add: secret by name, by look, in a cookie; and one that is none. */
const extra = {
  "X-Pass": "canary-pass-hunter-twenty-two",
  "X-Tenant": "canary7Gq2Lx9Rt4Bn6",
  Cookie: "sid=canary-cookie-value; theme=dark",
  "X-Provider": "openai",
};
const secrets = [key, added, extra["X-Pass"], extra["X-Tenant"], "canary-cookie-value"];

/** Spellings in which services repeat what they were sent. */
const spellings: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => encodeURIComponent(secret),
  (secret) => Buffer.from(`key:${secret}`).toString("base64"),
  (secret) => replaceText(secret, /\//g, "\\/"),
  // A report that shortens what came may cut it in two.
  (secret) => `${"x".repeat(60)}${secret}`,
  (secret) => `${"x".repeat(170)}${secret}`,
];

test.each([
  [
    "in errors",
    400,
    (echo: string) => ({ error: { message: `bad key ${echo}`, type: echo, code: echo, param: null } }),
  ],
  ["in answers", 200, (echo: string) => ({ id: echo, object: echo, model: echo, type: echo, [echo]: echo })],
])("a target that repeats its keys %s", async (name, status, body) => {
  let turn = 0;
  const target = await listen(async (): Promise<Reply> => {
    const spell = spellings[turn++ % spellings.length]!;
    const text = JSON.stringify(body(`openai ${secrets.map(spell).join(" ")}`));
    const packed = turn % 3 === 0;
    return {
      status,
      headers: [
        ["content-type", "application/json"],
        ["x-echo", key],
        ...(packed ? ([["content-encoding", "gzip"]] as const) : []),
      ],
      pieces: [{ bytes: packed ? gzipSync(text) : Buffer.from(text) }],
    };
  });
  const out = join(folder, name.replace(" ", "-"));
  const { code, stdout, stderr } = await touchstoneHere(
    [
      "run",
      target.url,
      "--recordings",
      join(home, "src", "run", "samples"),
      "--key",
      "$CANARY_KEY",
      "--header",
      `x-gateway-token: ${added}`,
      ...Object.entries(extra).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
      "--out",
      out,
      "--verbose",
    ],
    { CANARY_KEY: key },
  );
  await target.close();
  expect(code).toBe(1);
  expect(readdirSync(out).sort()).toContain("exchanges.jsonl");
  const left = [
    ["output", stdout + stderr],
    ...readdirSync(out).map((file) => [file, readFileSync(join(out, file), "utf8")]),
  ];
  for (const [where, text] of left) expect([where, hunt(text!, secrets)]).toEqual([where, []]);
  const results = readFileSync(join(out, "results.json"), "utf8");
  for (const variable of ["CANARY_KEY", "X_GATEWAY_TOKEN", "X_PASS", "X_TENANT", "COOKIE"])
    expect(results).toContain(`'\\"$${variable}\\"'`);
  expect(results).toContain("X-Provider: openai");
  // A command to paste names the variable that is there, and says what to put into the others.
  expect(results).not.toContain("TOUCHSTONE_KEY");
  expect(stdout).toMatch(
    /re-run:\n +touchstone run .* --key '\$CANARY_KEY' .*\n +\(set X_GATEWAY_TOKEN to the value of the header x-gateway-token, and X_PASS /,
  );
  // Text that is no secret stays when it is repeated.
  expect(results).toMatch(/openai x{20}/);
});
