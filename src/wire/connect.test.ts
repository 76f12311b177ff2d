/** Requests go through the proxy that the environment names, and never do on this machine. */
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { rig, until } from "../proxy/sockets.test-kit.ts";
import { cert, key } from "./certificate.test-kit.ts";
import { companyProxy, proxyPassword } from "./connect-proxy.test-kit.ts";
import { proxyFor } from "./proxy-environment.ts";
import { createSender, defaultLimits } from "./send.ts";

const request = { method: "POST", target: "/echo", headers: [["host", "h"]], body: Buffer.from("hello") } as const;

async function portOf(server: http.Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
const echo: http.RequestListener = (req, res) => void req.pipe(res);
const secure = () => portOf(https.createServer({ key, cert }, echo));
const plain = () => portOf(http.createServer(echo));

/** The environment of a company whose proxy knows `api.test`, and no other variables. */
async function inCompany(ports: Readonly<Record<string, number>>, variables: Readonly<Record<string, string>> = {}) {
  const proxy = await companyProxy(ports);
  for (const name of ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"])
    for (const spelling of [name, name.toLowerCase()]) vi.stubEnv(spelling, "");
  vi.stubEnv("https_proxy", proxy.url);
  vi.stubEnv("http_proxy", proxy.url);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return proxy;
}

async function send(origin: string) {
  const sender = createSender({ ...defaultLimits, insecure: true, maxIdleMs: 5_000 });
  onTestFinished(() => sender.close());
  const { exchange, failure } = await sender.send(origin, request as never);
  return { body: String(exchange.response?.body ?? ""), problem: failure?.problem, kind: failure?.kind };
}

test("requests of a run go through the proxy, with TLS and without", async () => {
  const proxy = await inCompany({ "api.test:443": await secure(), "api.test:80": await plain() });
  expect((await send("https://api.test")).body).toBe("hello");
  expect((await send("http://api.test")).body).toBe("hello");
  expect(proxy.asked).toEqual([
    { target: "api.test:443", let: true },
    { target: "api.test:80", let: true },
  ]);
});

test("requests that pass the recorder do, WebSockets as well", async () => {
  const server = https.createServer({ key, cert }, echo);
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data, { binary: false })));
  const proxy = await inCompany({ "api.test:443": await portOf(server), "api.test:80": await plain() });
  const recorder = await rig({ upstreams: { default: new URL("https://api.test") }, insecure: true });
  for (const body of ["one", "two"])
    expect(await (await fetch(`${recorder.url}/a`, { method: "POST", body })).text()).toBe(body);
  const client = new WebSocket(recorder.url);
  await once(client, "open");
  client.send("echo");
  expect(String((await once(client, "message"))[0])).toBe("echo");
  client.close();
  await until(() => recorder.exchanges.length === 3);
  const unsecured = await rig({ upstreams: { default: new URL("http://api.test") } });
  expect(await (await fetch(`${unsecured.url}/a`, { method: "POST", body: "three" })).text()).toBe("three");
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(["api.test:443", "api.test:80"]));
  expect(JSON.stringify([recorder.exchanges, recorder.problems])).not.toContain(proxyPassword);
  sockets.close();
});

test("this machine is asked without a proxy, by every name", async () => {
  const port = await plain();
  const proxy = await inCompany({});
  for (const host of ["127.0.0.1", "localhost"]) expect((await send(`http://${host}:${port}`)).body).toBe("hello");
  const recorder = await rig({ upstreams: { default: new URL(`http://127.0.0.1:${port}`) } });
  expect(await (await fetch(recorder.url, { method: "POST", body: "x" })).text()).toBe("x");
  expect(proxy.asked).toEqual([]);
});

test("a proxy that refuses is told apart from the service, without its password", async () => {
  const proxy = await inCompany({});
  const { host } = new URL(proxy.bare);
  expect(await send("https://api.test")).toMatchObject({
    kind: "unreachable",
    problem: `the proxy ${host} refuses api.test:443: 502 Bad Gateway (ERR_PROXY)`,
  });
  vi.stubEnv("https_proxy", proxy.bare);
  const recorder = await rig({ upstreams: { default: new URL("https://api.test") } });
  const told = await (await fetch(recorder.url)).text();
  expect(told).toContain(`the proxy ${host} refuses api.test:443: 407 Proxy Authentication Required`);
  vi.stubEnv("https_proxy", `http://user:${proxyPassword}@127.0.0.1:1`);
  const { problem } = await send("https://api.test");
  expect(problem).toMatch(/^the proxy 127\.0\.0\.1:1 cannot be used: /);
  expect(problem + told).not.toContain(proxyPassword);
  vi.stubEnv("https_proxy", `socks5://user:${proxyPassword}@127.0.0.1:1`);
  expect((await send("https://api.test")).problem).toContain("https_proxy does not name an HTTP proxy");
});

test.each([
  ["https://api.test", { HTTPS_PROXY: "http://p:1" }, "http://p:1/"],
  ["https://api.test", { https_proxy: "p:1", HTTPS_PROXY: "http://q:1" }, "http://p:1/"],
  ["http://api.test", { HTTPS_PROXY: "http://p:1" }, undefined],
  ["http://api.test", { ALL_PROXY: "https://p" }, "https://p/"],
  ["https://api.test", { all_proxy: "http://p:1", no_proxy: "other.test" }, "http://p:1/"],
  ["https://api.test", { all_proxy: "http://p:1", no_proxy: "*" }, undefined],
  ["https://api.test", { all_proxy: "http://p:1", NO_PROXY: "x, api.test" }, undefined],
  ["https://a.api.test", { all_proxy: "http://p:1", NO_PROXY: "api.test" }, undefined],
  ["https://a.api.test", { all_proxy: "http://p:1", NO_PROXY: ".test" }, undefined],
  ["https://a.api.test", { all_proxy: "http://p:1", NO_PROXY: "*.API.test:443" }, undefined],
  ["https://a.api.test:8443", { all_proxy: "http://p:1", NO_PROXY: "*.api.test:443" }, "http://p:1/"],
  ["https://myapi.test", { all_proxy: "http://p:1", NO_PROXY: "api.test" }, "http://p:1/"],
  ["https://[2001:db8::1]", { all_proxy: "http://p:1", NO_PROXY: "2001:db8::1" }, undefined],
  ["https://[::1]:8080", { all_proxy: "http://p:1" }, undefined],
  ["https://service.localhost", { all_proxy: "http://p:1" }, undefined],
])("%s with %j goes through %s", (url, environment, proxy) => {
  expect(proxyFor(new URL(url), environment as never)?.url.href).toBe(proxy);
});

test("user and password become a header, and leave the address", () => {
  const { url, authorization } = proxyFor(new URL("https://api.test"), { https_proxy: "http://u%40:p%3A@p:1" })!;
  expect(url.href).toBe("http://p:1/");
  expect(Buffer.from(authorization!.slice(6), "base64").toString()).toBe("u@:p:");
});
