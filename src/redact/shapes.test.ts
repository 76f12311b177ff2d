/** Holds the shapes of keys: each row finds what it describes, and what another list of shapes finds is hidden as well. */
import { lintSource } from "@secretlint/core";
import { creator as preset } from "@secretlint/secretlint-rule-preset-recommend";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutKeys } from "./mask.ts";
import { shapes } from "./shapes.ts";

/** Keys that a row describes, the same in every run. */
function keysOf(prefix: string, rest: RegExp, count: number): string[] {
  // Text that must not stand around is no part of a key.
  const source = rest.source.replace(/\(\?[=!](?:[^()]|\([^()]*\))*\)/g, "");
  const shape = new RegExp(`^(?:${source})$`);
  const whole = new RegExp(`^(?:${rest.source})$`);
  const keys = fc.sample(fc.stringMatching(shape), { numRuns: 24, seed: 7 }).filter((one) => whole.test(one));
  return keys
    .map((one) => prefix + one)
    .filter((key) => /\d/.test(key) && /[a-z]/i.test(key) && !/[^\x21-\x7e]/.test(key))
    .slice(0, count);
}

describe("a key of a service is hidden", () => {
  test.each(shapes.map(([service, prefix, rest]) => [service, prefix, rest] as const))("%s", (_, prefix, rest) => {
    const keys = keysOf(prefix, rest, 3);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys)
      for (const [before, after] of [
        ["see ", " ok"],
        ['{"user":"', '"}'],
        ["line\\n", "\\nline"],
        ["https://h.example/x?y=", "&z=1"],
      ] as const) {
        const safe = withoutKeys(before + key + after);
        expect(safe).toHaveLength((before + key + after).length);
        expect(safe).toMatch(/x{8}/);
        expect(safe).not.toContain(key.slice(0, 12));
      }
  });

  test("of at least 60 services, each with its source", () => {
    expect(new Set(shapes.map(([service]) => service)).size).toBeGreaterThan(60);
    for (const [service, prefix, , source] of shapes)
      expect([service, prefix.length > 1, source.startsWith("https://")]).toEqual([service, true, true]);
  });
});

const letters = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA";

test.each([
  ["a stateless token of a GitHub App", `ghs_12345_eyJhbGciOiJSUzI1NiJ9.${letters.repeat(3)}.${letters}`],
  ["a stateless token without the number of the app", `ghs_eyJ${letters.repeat(2)}.${letters.repeat(3)}.${letters}`],
  ["a routable token of GitLab", `glpat-${letters}.01.0w1abcdef`],
  ["a routable token of GitLab without its version", `glrt-t1_${letters}.0w1abcdef`],
  ["an access token of a Google service account", `ya29.c.c0A${letters.repeat(2)}`],
  ["a short-lived token of Dropbox", `sl.u.AF${letters.repeat(4)}`],
  ["a key of RunPod, in its check digits as well", `rpa_${"A1B2C3D4E5".repeat(4)}x9y8z7`],
  ["a key of xAI with a dash near its beginning", `xai-aB3-${letters.repeat(3)}`],
  ["a session token of Slack", `xoxc-123456789012-123456789012-123456789012-${"0a1b2c3d".repeat(8)}`],
  ["a longer token of Netlify", `nfp_${letters}aB3dE5gH7jK9mN1p`],
])("no part of %s is left", (_, key) => {
  for (const [before, after] of [
    ["see ", " ok"],
    ['{"user":"', '"}'],
  ] as const)
    expect(withoutKeys(before + key + after)).toBe(before + "x".repeat(key.length) + after);
});

test.each([
  "xai-grok-4-fast-non-reasoning-2025-09-with-a-long-name-of-a-model-which-is-all-lower-case",
  "pa-2024-a-branch-named-after-a-ticket-of-the-t",
  "al-2024-a-branch-named-after-a-ticket-of-the-t",
  "live_a_function_with_a_name_of_snakes_and_2_l",
  "BSArchive-2-of-the-society-now-and-then",
  "nfc_reader_2_waits_for_the_next_card_to_be_shown",
  "xoxb-your-bot-token-goes-here",
  "sbp_a_name_of_snakes_without_any_digits_in_it_at_all",
  "tvly-dev-your-key-goes-here-please",
])("a name that begins as a key does stays: %s", (name) => {
  expect(withoutKeys(`see ${name} ok`)).toBe(`see ${name} ok`);
});

test("keys that the rules of secretlint find are hidden", async () => {
  const content = [
    ...shapes.flatMap(([, prefix, rest]) => keysOf(prefix, rest, 2)),
    `aws_secret_access_key = ${"wJalrXUtnFEMI/K7MDENG+bPxRfiCYzzTESTING0"}`,
    "postgres://admin:Tr0ub4dor@db.example.com:5432/app",
    "mongodb+srv://u1:s3cr3tPassw0rd@cluster0.example.net/test",
    "https://user:Tr0ub4dor3@host.example.com/x",
    `//registry.example.com/:_authToken=npm_${letters}aB3d`,
    `-----BEGIN RSA PRIVATE KEY-----\n${letters.repeat(4)}\n-----END RSA PRIVATE KEY-----`,
    `xoxb-123456789012-1234567890123-${letters.slice(0, 24)}`,
    `https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/${letters.slice(0, 24)}`,
    `sk-ant-api03-${letters.repeat(3)}AA`,
    `SG.${letters.slice(0, 22)}.${letters}${letters.slice(0, 11)}`,
    `shpat_${"0a1b2c3d".repeat(4)}`,
    `lin_api_${letters}${letters.slice(0, 8)}`,
  ].join("\n\n");
  const rulesThatFind = async (text: string): Promise<string[]> => {
    const { messages } = await lintSource({
      source: { filePath: "a.txt", ext: ".txt", contentType: "text", content: text },
      options: { config: { rules: [{ id: "preset", rule: preset, options: {} }] } },
    });
    // A masked value may still be looked for by its name.
    return messages
      .map(({ ruleId, range }) => `${ruleId}: ${text.slice(...range)}`)
      .filter((one) => !/x{16}/.test(one));
  };
  const found = await rulesThatFind(content);
  expect(new Set(found.map((one) => one.split(":")[0])).size).toBeGreaterThanOrEqual(8);
  expect(await rulesThatFind(withoutKeys(content))).toEqual([]);
});
