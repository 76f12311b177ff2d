/** `record` and `run` behind the proxy of a company, and `--intercept`: vendors by their own names, with clients as people use them. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { home } from "../home.ts";
import { serve } from "../index.ts";
import { makeAuthority } from "../intercept/certificates.ts";
import { key, linesOf, start, until } from "../record/recorder.test-kit.ts";
import { companyProxy, proxyPassword } from "../wire/connect-proxy.test-kit.ts";

interface Kept {
  readonly origin: string;
  readonly request: { readonly target: string };
  readonly response: { readonly status: number } | null;
}

const vendors = ["api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com"];

/** The reference behind TLS, as the vendors, and a company whose proxy leads to it. Only who trusts the authority in `env` gets there. */
async function company() {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-company-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const reference = await serve({ allowHost: ["*"] });
  onTestFinished(reference.close);
  const authority = await makeAuthority("a company", [...vendors, "other.test"]);
  const hosts: Record<string, number> = {};
  for (const host of [...vendors, "other.test"]) {
    const { certificate: cert, key: secret } = await authority.issue(host);
    const server = https.createServer({ cert, key: secret }, (req, res) => {
      const { port } = new URL(reference.url);
      const to = http.request({ host: "127.0.0.1", port, path: req.url, method: req.method, headers: req.headers });
      to.on("response", (answer) => answer.pipe(res.writeHead(answer.statusCode!, answer.rawHeaders as never)));
      to.on("error", () => res.destroy());
      req.pipe(to);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    hosts[`${host}:443`] = (server.address() as AddressInfo).port;
  }
  const proxy = await companyProxy(hosts);
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const trusted = join(folder, "company.pem");
  writeFileSync(trusted, authority.certificate);
  const env = {
    HTTPS_PROXY: proxy.url,
    https_proxy: "",
    NO_PROXY: "",
    no_proxy: "",
    NODE_EXTRA_CA_CERTS: trusted,
    XDG_DATA_HOME: join(folder, "data"),
    TMPDIR: temporary,
    OPENAI_API_KEY: key,
    ANTHROPIC_API_KEY: key,
    GEMINI_API_KEY: key,
  };
  return { proxy, env, folder };
}

const moduleAt = (path: string): string => JSON.stringify(pathToFileURL(join(home, "node_modules", path)).href);

/** Official SDKs as they are, with nothing but keys. */
const agent = `
  const { default: OpenAI } = await import(${moduleAt("openai/index.mjs")});
  const { default: Anthropic } = await import(${moduleAt("@anthropic-ai/sdk/index.mjs")});
  const { GoogleGenAI } = await import(${moduleAt("@google/genai/dist/node/index.mjs")});
  const messages = [{ role: "user", content: "Hello" }];
  const stream = await new OpenAI().chat.completions.create({ model: "m", messages, stream: true });
  for await (const chunk of stream);
  await new Anthropic().messages.create({ model: "m", max_tokens: 20, messages });
  await new GoogleGenAI({}).models.generateContent({ model: "m", contents: "Hello" });
  console.log("done");`;
const node = (script: string): string[] => ["--", process.execPath, "--input-type=module", "-e", script];

/** What the recorder kept, by origin and target. */
const keptIn = (cassette: string): string[] =>
  (linesOf(cassette) as unknown as Kept[]).map(
    ({ origin, request, response }) => `${response?.status} ${origin}${request.target}`,
  );
const vendorsAsked = [
  "200 https://api.openai.com/v1/chat/completions",
  "200 https://api.anthropic.com/v1/messages",
  "200 https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
];

/** Neither what was printed nor what was kept holds a secret, and the files that the command trusted are gone. */
function expectClean(said: { stdout: string; stderr: string }, cassette: string, env: NodeJS.ProcessEnv): void {
  const texts = [said.stdout, said.stderr, readFileSync(cassette, "utf8")].join("\n");
  for (const secret of [proxyPassword, key, "PRIVATE KEY", "BEGIN CERTIFICATE"]) expect(texts).not.toContain(secret);
  expect(readdirSync(env["TMPDIR"]!)).toEqual([]);
}

test("the vendors' own addresses are reached through the proxy of a company", async () => {
  const { proxy, env } = await company();
  const { said, ended, cassette } = start(node(agent), undefined, undefined, env);
  expect(await ended, said.stderr).toBe(0);
  expect(said.stdout).toBe("done\n");
  expect(keptIn(cassette)).toEqual(vendorsAsked);
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(vendors.map((host) => `${host}:443`)));
  expectClean(said, cassette, env);
});

test("official SDKs of Node are intercepted at the vendors' own addresses, and other hosts are left alone", async () => {
  const { proxy, env } = await company();
  const other = `${agent} console.log(await (await fetch("https://other.test/v1/files")).text());`;
  const { said, ended, cassette } = start(["--intercept", ...node(other)], undefined, undefined, env);
  expect(await ended, said.stderr).toBe(0);
  expect(said.stdout).toMatch(/^done\n\{"error"/);
  expect(keptIn(cassette)).toEqual(vendorsAsked);
  expect(proxy.asked.map(({ target }) => target)).toContain("other.test:443");
  expectClean(said, cassette, env);
});

const chat = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] });
const url = "https://api.openai.com/v1/chat/completions";
const python = (lines: string): string[] => ["--", "python3", "-c", lines];
/** Whether Python has a package; those of Debian are not installed everywhere. */
const hasPython = (name: string): boolean => spawnSync("python3", ["-c", `import ${name}`]).status === 0;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

const clients: readonly (readonly [name: string, isThere: boolean, command: string[]])[] = [
  [
    "curl",
    spawnSync("curl", ["--version"]).status === 0,
    [
      "--",
      "curl",
      "-sS",
      "--fail",
      url,
      "-H",
      `authorization: Bearer ${key}`,
      "-H",
      "content-type: application/json",
      "-d",
      chat,
    ],
  ],
  [
    "node:https",
    major >= 24 || (major === 22 && minor >= 21),
    node(`
      import https from "node:https";
      const headers = { authorization: "Bearer " + process.env.OPENAI_API_KEY, "content-type": "application/json" };
      https.request("${url}", { method: "POST", headers }, (answer) => answer.pipe(process.stdout)).end(${JSON.stringify(chat)});`),
  ],
  [
    "urllib of Python",
    hasPython("urllib.request"),
    python(`
import os, urllib.request
headers = {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "content-type": "application/json"}
print(urllib.request.urlopen(urllib.request.Request("${url}", b'${chat}', headers)).read().decode())`),
  ],
  [
    "requests of Python",
    hasPython("requests"),
    python(`
import os, requests
headers = {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "content-type": "application/json"}
answer = requests.post("${url}", data='${chat}', headers=headers)
answer.raise_for_status()
print(answer.text)`),
  ],
  [
    "httpx of Python",
    hasPython("httpx"),
    python(`
import os, httpx
headers = {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "content-type": "application/json"}
answer = httpx.post("${url}", content='${chat}', headers=headers)
answer.raise_for_status()
print(answer.text)`),
  ],
];
for (const [name, isThere, command] of clients)
  test.runIf(isThere)(`${name} is intercepted`, async () => {
    const { env } = await company();
    const { said, ended, cassette } = start(["--intercept", ...command], undefined, undefined, env);
    expect(await ended, said.stderr).toBe(0);
    expect(JSON.parse(said.stdout)).toHaveProperty("choices");
    expect(keptIn(cassette)).toEqual([vendorsAsked[0]]);
    expectClean(said, cassette, env);
  });

test("a client that trusts nothing but its own authorities is told of, with the host and what to do", async () => {
  const { env } = await company();
  // Silent: it would write its error in pieces, with our line between them.
  const curl = ["--", "curl", "-s", "--cacert", env.NODE_EXTRA_CA_CERTS, url];
  const { said, ended } = start(["--intercept", ...curl], undefined, undefined, env);
  expect(await ended).not.toBe(0);
  const told = said.stderr.match(/^touchstone: .*$/gm);
  expect(told).toEqual([
    expect.stringMatching(/does not trust the certificate for api\.openai\.com .*: have it trust .*certificate\.pem/),
  ]);
});

test.runIf(process.platform === "linux")(
  "a thousand hosts are opened, each trusted, and memory does not grow with every one",
  async () => {
    const { env } = await company();
    const script = `
    import { once } from "node:events";
    import { readFileSync } from "node:fs";
    import net from "node:net";
    import tls from "node:tls";
    const { hostname, port, username, password } = new URL(process.env.HTTPS_PROXY);
    const credentials = Buffer.from(username + ":" + password).toString("base64");
    const memory = () => Number(/^VmRSS:\\s+(\\d+)/m.exec(readFileSync("/proc/" + process.ppid + "/status", "utf8"))[1]);
    async function open(host, request) {
      const socket = net.connect(port, hostname);
      socket.write("CONNECT " + host + ":443 HTTP/1.1\\r\\nHost: " + host + ":443\\r\\nProxy-Authorization: Basic " + credentials + "\\r\\n\\r\\n");
      await once(socket, "data");
      const secure = tls.connect({ socket, servername: host });
      await once(secure, "secureConnect");
      if (request) secure.write("GET / HTTP/1.1\\r\\nHost: " + host + "\\r\\nConnection: close\\r\\n\\r\\n");
      else secure.end();
      secure.resume();
      await once(secure, "close");
    }
    let warm = 0;
    for (let i = 0; i < 1200; i++) {
      // Connections without a request are no sign of distrust, where the host was trusted before.
      await open(i + ".many.test", true);
      if (i % 40 === 0) await open(i + ".many.test", false);
      if (i === 100) warm = memory();
    }
    console.log(memory() - warm);`;
    const args = ["--intercept", "--intercept-host", "*.many.test", ...node(script)];
    const { said, ended, cassette } = start(args, undefined, undefined, env);
    expect(await ended, said.stderr).toBe(0);
    expect(said.stderr).not.toContain("does not trust");
    expect(keptIn(cassette).length).toBe(1200);
    // Of each host, a certificate is kept, and its name.
    expect(Number(said.stdout) / 1024).toBeLessThan(200);
  },
);

test("certificates of services are verified: one that touchstone does not trust gets no request", async () => {
  const { env } = await company();
  const { said, ended, cassette } = start(["--intercept", ...node(agent)], undefined, undefined, {
    ...env,
    NODE_EXTRA_CA_CERTS: "",
  });
  expect(await ended).not.toBe(0);
  expect(said.stderr).toContain("https://api.openai.com gave no answer: unable to verify the first certificate");
  expect(new Set(keptIn(cassette))).toEqual(new Set(["undefined https://api.openai.com/v1/chat/completions"]));
});

test("--enforce refuses within TLS, and --gate counts it", async () => {
  const { env, proxy } = await company();
  const ask = `
    const body = JSON.stringify({ model: "m", messages: [], temperature: 9 });
    const headers = { "content-type": "application/json", authorization: "Bearer " + process.env.OPENAI_API_KEY };
    const answer = await fetch("${url}", { method: "POST", headers, body });
    console.log(answer.status, await answer.text());`;
  const args = ["--intercept", "--enforce", "--gate", ...node(ask)];
  const { said, ended } = start(args, undefined, undefined, env);
  expect(await ended).toBe(1);
  expect(said.stdout).toMatch(/^400 \{"error":\{"message":.*temperature/);
  expect(proxy.asked).toEqual([]);
});

test("without a program, --intercept prints what to set; its authority goes with it, and one of an older version at once", async () => {
  const { env, folder } = await company();
  const data = join(folder, "data", "touchstone", "authority");
  mkdirSync(data, { recursive: true });
  for (const name of ["certificate.pem", "key.pem"]) writeFileSync(join(data, name), "x");
  const { child, said, ended } = start(["--intercept"], undefined, undefined, env);
  await until(() => said.stderr.includes("Ctrl+C"));
  expect(said.stdout).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n$/);
  const proxy = /http:\S+/.exec(said.stdout)![0];
  const withPassword = /export HTTPS_PROXY='(http:\/\/\w{32}:\w{32}@.*)'/.exec(said.stderr)![1]!;
  expect(withPassword.replace(/\w+:\w+@/, "")).toBe(proxy);
  for (const line of [`export http_proxy='${withPassword}'`, "export NODE_EXTRA_CA_CERTS='", "export SSL_CERT_FILE='"])
    expect(said.stderr).toContain(line);
  const exports = said.stderr.match(/^ {2}export .*$/gm)!.join("\n");
  const shell = spawn("sh", ["-c", `${exports}\n exec curl -sS -o /dev/null -w '%{http_code}' ${url}`]);
  let code = "";
  shell.stdout.on("data", (bytes) => (code += bytes));
  await once(shell, "close");
  expect(code).toBe("401");
  expect(readdirSync(join(folder, "data"))).toEqual([]);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name), "utf8")).not.toContain("PRIVATE KEY");
  expect(files.map(({ name }) => name)).toContain("certificate.pem");
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});

test("a proxy for this machine alone: --intercept listens nowhere else", async () => {
  const { env } = await company();
  const { said, ended, cassette } = start(["--intercept", "--listen", "0.0.0.0:0"], undefined, undefined, env);
  expect(await ended).toBe(2);
  expect(said.stderr).toMatch(/^touchstone: --intercept cannot listen on 0\.0\.0\.0: .*\n.*\n$/);
  expect(statSync(cassette, { throwIfNoEntry: false })).toBeUndefined();
});

test("run and diff go through the proxy of a company", async () => {
  const { proxy, env, folder } = await company();
  const cli = (...args: string[]) => {
    const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], {
      env: { ...process.env, ...env },
    });
    let text = "";
    child.stdout.on("data", (bytes) => (text += bytes));
    child.stderr.on("data", (bytes) => (text += bytes));
    return once(child, "close").then(([code]) => ({ code, text }));
  };
  const out = join(folder, "results");
  const run = await cli(
    "run",
    "https://api.openai.com",
    "--interface",
    "chat-completions",
    "--section",
    "tools",
    "--no-probes",
    "--key",
    "$OPENAI_API_KEY",
    "--out",
    out,
  );
  expect(run.code, run.text).toBe(0);
  const diff = await cli(
    "diff",
    join(home, "recordings", "messages", "tools"),
    "--against",
    "https://api.anthropic.com",
    "--key",
    "$ANTHROPIC_API_KEY",
  );
  expect([0, 1], diff.text).toContain(diff.code);
  expect(diff.text).not.toContain("ERR_PROXY");
  const targets = proxy.asked.map(({ target }) => target);
  expect(targets).toContain("api.openai.com:443");
  expect(targets).toContain("api.anthropic.com:443");
  const files = readdirSync(out).map((name) => readFileSync(join(out, name), "utf8"));
  expect([run.text, diff.text, ...files].filter((text) => text.includes(proxyPassword))).toEqual([]);
});
