/** The variables of an intercepted command: what goes through the proxy, what it trusts, and hosts that are named. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { interceptedEnvironment } from "./environment.ts";
import { hostsOf } from "./hosts.ts";
import { trustIn } from "./trust.ts";

const hosts = ["api.openai.com", "*.openai.azure.com", "*-aiplatform.googleapis.com"];
const variablesIn = (environment: NodeJS.ProcessEnv, more: readonly string[] = []) =>
  interceptedEnvironment(environment, { proxy: "http://127.0.0.1:1", trust: { T: "t" }, hosts: [...hosts, ...more] });

test("every spelling of a proxy names ours", () => {
  const variables = variablesIn({ https_proxy: "http://company:8080" });
  for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
    expect(variables[name]).toBe("http://127.0.0.1:1");
  expect(variables).toMatchObject({ T: "t", NODE_USE_ENV_PROXY: "1" });
});

test.each([
  ["", "localhost,127.0.0.1,::1"],
  ["*", "localhost,127.0.0.1,::1"],
  ["intra.example, .corp.example:443 localhost", "intra.example,.corp.example:443,localhost,127.0.0.1,::1"],
  ["api.openai.com,openai.com,.openai.com,*.com,com", "localhost,127.0.0.1,::1"],
  [
    "us.openai.azure.com,azure.com,googleapis.com,mail.example",
    "us.openai.azure.com,mail.example,localhost,127.0.0.1,::1",
  ],
])("NO_PROXY %s keeps what is not opened", (before, after) => {
  expect(variablesIn({ NO_PROXY: before })).toMatchObject({ NO_PROXY: after, no_proxy: after });
});

test("this machine goes through the proxy where it is opened", () => {
  expect(variablesIn({}, ["localhost"])["NO_PROXY"]).toBe("127.0.0.1,::1");
});

test("options of Node stay", () => {
  expect(variablesIn({ NODE_OPTIONS: "--no-warnings" })["NODE_OPTIONS"]).toMatch(/^--no-warnings --require ".*\.cjs"$/);
});

test("a variable keeps what it names, and the authority beside it; the others name what the system trusts", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-trust-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const company = join(folder, "company.pem");
  writeFileSync(company, "COMPANY\n");
  const environment = { NODE_EXTRA_CA_CERTS: company, CURL_CA_BUNDLE: company, REQUESTS_CA_BUNDLE: "/no/such/file" };
  const variables = trustIn({ certificate: "OURS\n", path: join(folder, "certificate.pem") }, environment);
  const read = (name: string): string => readFileSync(variables[name]!, "utf8");
  expect(read("NODE_EXTRA_CA_CERTS")).toBe("COMPANY\nOURS\n");
  expect(read("CURL_CA_BUNDLE")).toBe("COMPANY\nOURS\n");
  expect(read("DENO_CERT")).toBe("OURS\n");
  for (const name of ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
    expect(read(name)).toMatch(/-----BEGIN CERTIFICATE-----[\s\S]*\nOURS\n$/);
  expect(statSync(variables["SSL_CERT_FILE"]!).mode & 0o777).toBe(0o600);
});

test("hosts are named with and without stars", () => {
  const opens = hostsOf([...hosts, "Example.COM.", "::1"]);
  const known = ["api.openai.com", "us.openai.azure.com", "us-east1-aiplatform.googleapis.com", "example.com", "::1"];
  expect(known.filter(opens)).toEqual(known);
  expect(
    ["openai.com", "a.b.openai.azure.com", "aiplatform.googleapis.com", "evil-api.openai.com.example"].filter(opens),
  ).toEqual([]);
  for (const text of ["", "*", "*.*", "https://x", "a b", "x:443", "-", `${"a".repeat(64)}.com`])
    expect(() => hostsOf([text])).toThrow(`--intercept-host ${text} is not the name of a host`);
});
