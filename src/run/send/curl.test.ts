/** A curl command sends the request again, and shows no credential. */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { formRequest, jsonRequest } from "../../wire/build.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { listen } from "../../wire/listen.ts";
import { bodyFile, bodyFileIn, curlOf } from "./curl.ts";
import { secretsOf } from "./secrets.ts";

describe("a curl command", () => {
  const target = {
    keys: { "*": "a/secret key", messages: "it's" },
    headers: [
      ["X-Pass", "S"],
      ["X-Provider", "openai"],
      ["Authorization", "Key hunter-22"],
      ["X.Pass", "other"],
      ["X-Odd", "q1w2e3r4t5y6"],
      ["X-Gone", ""],
    ] as const,
  };
  const secrets = secretsOf(target);

  test("has a variable of its own for each secret, and shows what is none", () => {
    const query = `/v1/x?key=${encodeURIComponent("a/secret key")}&sig=S&n=1`;
    const command = curlOf("http://h", jsonRequest(query, target.headers, { it: "it's\nfine" }), secrets)!;
    for (const part of [
      `'http://h/v1/x?key='"$TOUCHSTONE_KEY"'&sig='"$X_PASS"'&n=1'`,
      `-H 'X-Pass: '"$X_PASS"''`,
      `-H 'X-Provider: openai'`,
      `-H 'Authorization: Key '"$AUTHORIZATION"''`,
      `-H 'X.Pass: '"$X_PASS_2"''`,
      `-H 'X-Odd: '"$X_ODD"''`,
      `-H 'X-Gone;'`,
      `'{"it":"it'\\''s\\nfine"}'`,
    ])
      expect(command).toContain(part);
  });

  test("means to a shell what was sent", () => {
    const body = `{"it": "it's $HOME \`id\` \\\\ !x"}`;
    const command = curlOf(
      "http://h",
      { ...jsonRequest("/v1/x?a=[1]", target.headers, 1), body: Buffer.from(body) },
      secrets,
    )!;
    const env = Object.fromEntries(secrets.map(({ variable, value }) => [variable, value]));
    const seen = execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }\n${command}`], { env })
      .toString()
      .split("\n");
    expect(seen).toEqual(expect.arrayContaining(["X-Pass: S", "Authorization: Key hunter-22", "X-Gone;", body, "-g"]));
  });

  test.each([
    ["gzip, deflate", true],
    ["identity, br;q=0.5", true],
    ["*", true],
    ["identity", false],
    ["identity;q=1", false],
    ["", false],
  ])("has curl decode the answer where the request accepts %j: %s", (accepted, decodes) => {
    const command = curlOf("http://h", jsonRequest("/v1/x", [["Accept-Encoding", accepted]], 1), [])!;
    expect(command.includes(" --compressed ")).toBe(decodes);
  });

  test("sends bytes that are no text, and a text curl would take for a file's name, as base64", () => {
    const request = jsonRequest("/v1/x", [], 1);
    const binary = curlOf("http://h", { ...request, body: Uint8Array.of(0, 255) }, [])!;
    expect(binary).toMatch(/^base64 -d <<'BODY' \| curl .*--data-binary @-\nAP8=\nBODY$/s);
    expect(curlOf("http://h", { ...request, body: Buffer.from("@file") }, [])).toMatch(/^base64 -d/);
    expect(curlOf("http://h", { ...request, body: Buffer.from("\0hunter-22") }, secrets)).toBeUndefined();
  });

  test("reads a long body from a file that its bytes name, and shows no secret in it", () => {
    const body = Buffer.from(JSON.stringify({ long: "x".repeat(4000) }));
    const command = curlOf("http://h", { ...jsonRequest("/v1/x", [], 1), body }, secrets)!;
    expect(bodyFileIn(command)).toBe(bodyFile(body));
    expect(command).not.toContain("xxxx");
    const hidden = Buffer.from(JSON.stringify({ long: "x".repeat(4000), key: "hunter-22" }));
    expect(curlOf("http://h", { ...jsonRequest("/v1/x", [], 1), body: hidden }, secrets)).toBeUndefined();
    expect(bodyFileIn(curlOf("http://h", jsonRequest("/v1/x", [], ` --data-binary @${bodyFile(body)}`), [])!)).toBe(
      undefined,
    );
  });

  // A machine without curl has nothing to show here.
  describe.runIf(spawnSync("curl", ["--version"]).status === 0)("run by a shell", () => {
    const form = formRequest(
      "/v1/images/edits",
      [["X-Pass", "secret-one"]],
      [
        ["prompt", "it's"],
        ["image", { filename: "a.png", contentType: "image/png", bytes: Uint8Array.of(137, 80, 0, 255, 10) }],
      ],
    );
    test.each<[string, WireRequest]>([
      [
        "a text with quotes, and a secret",
        jsonRequest("/v1/x?q=[1]", [["X-Pass", "secret-one"]], { it: "it's $HOME\n`id`" }),
      ],
      ["a stream", jsonRequest("/v1/x", [["Accept-Encoding", "gzip"]], { stream: true })],
      ["a long body", jsonRequest("/v1/x", [], { long: "ü".repeat(9000) })],
      ["a long body that is no text", { ...form, body: Buffer.concat([form.body, Buffer.alloc(5000, 7)]) }],
      ["a form with a file", form],
      ["no body", { method: "GET", target: "/v1/models", headers: [["X-Pass", "secret-one"]], body: new Uint8Array() }],
      ["a body of no type", { method: "PUT", target: "/v1/x", headers: [], body: Buffer.from("{}") }],
    ])("sends the same again: %s", async (_what, request) => {
      const seen: WireRequest[] = [];
      const server = await listen((again) => {
        seen.push(again);
        return { status: 200, headers: [["content-type", "text/plain"]], pieces: [{ bytes: Buffer.from("answered") }] };
      });
      const folder = mkdtempSync(join(tmpdir(), "touchstone-curl-"));
      try {
        writeFileSync(join(folder, bodyFile(request.body)), request.body);
        const own = secretsOf({ keys: {}, headers: [["X-Pass", "secret-one"]] });
        const command = curlOf(server.url, request, own)!;
        expect(command).not.toContain("secret-one");
        expect(Math.max(...command.split("\n").map((line) => line.length))).toBeLessThan(4096);
        const shown = await promisify(execFile)("sh", ["-c", command], {
          cwd: folder,
          env: { PATH: process.env["PATH"], X_PASS: "secret-one" },
        });
        expect(shown.stdout).toContain("answered");
      } finally {
        rmSync(folder, { recursive: true });
        await server.close();
      }
      const [again] = seen;
      expect(again).toMatchObject({ method: request.method, target: request.target });
      expect(Buffer.from(again!.body).equals(request.body)).toBe(true);
      const named = (name: string, { headers }: WireRequest) =>
        headers.find(([own]) => own.toLowerCase() === name)?.[1];
      for (const name of ["content-type", "x-pass", "accept-encoding"])
        expect(named(name, again!)).toBe(named(name, request));
    });
  });
});
