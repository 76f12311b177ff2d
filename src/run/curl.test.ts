/** A curl command sends the request again, and shows no credential. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { jsonRequest } from "../wire/build.ts";
import { curlOf } from "./curl.ts";
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
});
