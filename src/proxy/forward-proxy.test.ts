/** The forward proxy: what it opens, what it leaves alone, and clients that are strangers, do not trust it, send garbage, or leave. */
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";
import tls, { type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { type Authority, openAuthority } from "../intercept/authority.ts";
import { cert, key } from "../wire/certificate.test-kit.ts";
import type { ProxyOptions } from "./proxy.ts";
import { kept, rawClient, rawServer, rig, until, wireOf } from "./sockets.test-kit.ts";

let authority: Authority;
beforeAll(async () => {
  authority = await openAuthority(["localhost"]);
});
afterAll(() => authority.remove());

const echo = (req: http.IncomingMessage, res: http.ServerResponse): void => void req.pipe(res);

/** A service behind TLS that nobody trusts. @returns its port */
async function secureService(answer: http.RequestListener = echo): Promise<number> {
  const server = kept(https.createServer({ key, cert }, answer).listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function plainService(answer: http.RequestListener = echo): Promise<number> {
  const server = kept(http.createServer(answer).listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const credentials = "a1:b2";
const password = `Basic ${Buffer.from(credentials).toString("base64")}`;
/** The field by which a client shows them. */
const shown = { "proxy-authorization": password };
const shownLine = `Proxy-Authorization: ${password}\r\n`;

/** A recorder that opens the traffic with `localhost`. */
const interceptor = (options: Pick<ProxyOptions, "silentFor"> = {}) =>
  rig({
    upstreams: {},
    insecure: true,
    halfOpenFor: 200,
    intercept: { opens: (host) => host === "localhost", credentials, authority },
    ...options,
  });

/** The connection behind a CONNECT. */
async function connected(port: string, target: string): Promise<Socket> {
  const options = { host: "127.0.0.1", port, method: "CONNECT", path: target, agent: false, headers: shown };
  const req = http.request(options).end();
  const [res, socket, head] = (await once(req, "connect")) as [http.IncomingMessage, Socket, Buffer];
  expect(res.statusCode).toBe(200);
  if (head.length > 0) socket.unshift(head);
  kept({ close: () => socket.destroy() });
  return socket;
}

async function secured(socket: Socket, options: tls.ConnectionOptions = {}): Promise<TLSSocket> {
  const secure = tls.connect({ socket, servername: "localhost", ca: authority.certificate, ...options });
  secure.on("error", () => {});
  await once(secure, "secureConnect");
  return secure;
}

/** Asks over a connection; the answer's status and body. */
async function ask(socket: Socket, path: string, body: string, fields = {}): Promise<[number, string]> {
  const headers = { host: "localhost", ...fields };
  const req = http.request({ createConnection: () => socket, method: "POST", path, headers });
  req.end(body);
  const [res] = (await once(req, "response")) as [http.IncomingMessage];
  let text = "";
  for await (const bytes of res) text += bytes;
  return [res.statusCode!, text];
}

test("a host of interest is opened: its exchanges are recorded, over one connection that speaks HTTP/1.1", async () => {
  const port = await secureService();
  const proxy = await interceptor();
  const secure = await secured(await connected(proxy.port, `localhost:${port}`), { ALPNProtocols: ["h2", "http/1.1"] });
  expect(secure.alpnProtocol).toBe("http/1.1");
  expect(await ask(secure, "/v1/a?b=c", "one")).toEqual([200, "one"]);
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({ origin: `https://localhost:${port}`, request: { target: "/v1/a?b=c" } });
  expect(proxy.problems).toEqual([]);
});

test("any other host is tunnelled: its client meets its own certificate, and nothing is recorded", async () => {
  const port = await secureService();
  const proxy = await interceptor();
  const socket = await connected(proxy.port, `127.0.0.1:${port}`);
  const secure = await secured(socket, { ca: cert, servername: "", host: "127.0.0.1" });
  expect(await ask(secure, "/", "unseen")).toEqual([200, "unseen"]);
  await expect.poll(() => secure.destroyed).toBe(true);
  expect([proxy.exchanges, proxy.problems, proxy.inFlight().count]).toEqual([[], [], 0]);
});

test("requests without TLS are recorded within a tunnel and without one, and pass unseen to other hosts", async () => {
  const port = await plainService();
  const proxy = await interceptor();
  expect(await ask(await connected(proxy.port, `localhost:${port}`), "/tunnel", "a")).toEqual([200, "a"]);
  const whole = (path: string, body: string) => ask(net.connect(Number(proxy.port), "127.0.0.1"), path, body, shown);
  expect(await whole(`http://localhost:${port}/whole?x=%7B`, "b")).toEqual([200, "b"]);
  expect(await whole(`http://127.0.0.1:${port}/other`, "c")).toEqual([200, "c"]);
  expect((await whole("http://127.0.0.1:9/", "d"))[0]).toBe(502);
  const secure = await secureService();
  expect(await whole(`https://localhost:${secure}?q`, "e")).toEqual([200, "e"]);
  await until(() => proxy.exchanges.length === 3);
  expect(proxy.exchanges.map(({ origin, request }) => [origin, request.target])).toEqual([
    [`http://localhost:${port}`, "/tunnel"],
    [`http://localhost:${port}`, "/whole?x=%7B"],
    [`https://localhost:${secure}`, "/?q"],
  ]);
  expect(proxy.problems).toEqual([]);
});

test.each([
  ["that trusts other authorities alone", { ca: cert }],
  ["that pins another certificate", { checkServerIdentity: () => new Error("pinned") }],
  ["that knows a newer host", { servername: "other.example" }],
])("a client %s is told of once, with the host and what to do", async (_, options) => {
  const proxy = await interceptor();
  for (let i = 0; i < 2; i++) {
    const socket = await connected(proxy.port, "localhost:9");
    await expect(secured(socket, options)).rejects.toThrow();
    await until(() => proxy.problems.length === 1);
  }
  expect(proxy.problems).toEqual([
    expect.stringMatching(
      /^a client does not trust the certificate for localhost that was made here \(.+\): have it trust /,
    ),
  ]);
  expect(proxy.problems[0]).toContain(authority.path);
});

test("a client of HTTP/2 alone is told of as such", async () => {
  const proxy = await interceptor();
  const socket = await connected(proxy.port, "localhost:9");
  await expect(secured(socket, { ALPNProtocols: ["h2"] })).rejects.toThrow();
  await until(() => proxy.problems.length === 1);
  expect(proxy.problems[0]).toContain("another protocol than HTTP/1.1");
});

test.each([
  ["no host", "nonsense"],
  ["no port", "localhost"],
  ["port 0", "localhost:0"],
  ["a port beyond all", "localhost:99999"],
  ["more than a port", "localhost:443x"],
  ["an address", "http://localhost:443"],
  ["a user", "user@localhost:443"],
  ["half a bracket", "[::1:443"],
  ["an address without brackets", "::1:443"],
  ["a dash at an end", "-a-.example:443"],
  ["a label of 64 letters", `${"a".repeat(64)}.example:443`],
  ["a name of 10,000 letters", `${"a.".repeat(5_000)}example:443`],
])("a CONNECT with %s is refused, and harms nobody", async (_, target) => {
  const proxy = await interceptor();
  const client = rawClient(proxy.port, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n${shownLine}\r\n`);
  await client.until((text) => text.includes("\r\n\r\n"));
  expect(client.text()).toMatch(/^HTTP\/1\.1 400 /);
  client.socket.end();
  await client.closed;
  expect(proxy.problems).toEqual([]);
});

test("a whole address without a host is refused", async () => {
  const proxy = await interceptor();
  const client = rawClient(proxy.port, `GET http://user@localhost/ HTTP/1.1\r\nHost: localhost\r\n${shownLine}\r\n`);
  await client.until((text) => text.includes("no such host"));
  expect(client.text()).toMatch(/^HTTP\/1\.1 400 /);
});

test("a host that cannot be reached is answered 502", async () => {
  const proxy = await interceptor();
  const client = rawClient(proxy.port, `CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n${shownLine}\r\n`);
  await client.until((text) => text.includes("cannot be reached"));
  expect(client.text()).toMatch(/^HTTP\/1\.1 502 /);
});

test("garbage where TLS was expected ends its own connection", async () => {
  const proxy = await interceptor();
  const socket = await connected(proxy.port, "localhost:9");
  socket.on("error", () => {}).resume();
  socket.write(Buffer.from([0x16, 3, 1, 0xff, 0xff, ...Buffer.alloc(200, 7)]));
  await once(socket, "close");
  await until(() => proxy.problems.length === 1);
  expect(proxy.problems[0]).toContain("localhost");
});

test("a client that says nothing more, or half closes, does not keep the proxy", async () => {
  const port = await plainService();
  const proxy = await interceptor();
  await connected(proxy.port, "localhost:9");
  const half = await connected(proxy.port, `127.0.0.1:${port}`);
  half.end();
  half.resume();
  await once(half, "close");
  const open = await connected(proxy.port, `127.0.0.1:${port}`);
  open.on("error", () => {}).resume();
  await Promise.all([proxy.close(), once(open, "close")]);
});

test("a WebSocket passes within TLS, and is recorded as one", async () => {
  const server = kept(https.createServer({ key, cert }).listen(0, "127.0.0.1"));
  await once(server, "listening");
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data, { binary: false })));
  const { port } = server.address() as AddressInfo;
  const proxy = await interceptor();
  const secure = await secured(await connected(proxy.port, `localhost:${port}`));
  const client = new WebSocket(`ws://localhost:${port}/live`, { createConnection: () => secure });
  await once(client, "open");
  client.send("echo");
  expect(String((await once(client, "message"))[0])).toBe("echo");
  client.close();
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({ request: { target: "/live" }, response: { status: 101, upgraded: {} } });
  sockets.close();
});

test.each(["destroy", "resetAndDestroy"] as const)(
  "an answer that breaks off by %s does so within TLS",
  async (how) => {
    const server = kept(https.createServer({ key, cert }).listen(0, "127.0.0.1"));
    await once(server, "listening");
    let raw: Socket;
    server.on("connection", (socket: Socket) => (raw = socket));
    server.on("request", (_, res) => res.write("begun"));
    const proxy = await interceptor();
    const { port } = server.address() as AddressInfo;
    const tunnel = await connected(proxy.port, `localhost:${port}`);
    tunnel.on("error", () => {});
    const secure = await secured(tunnel);
    const req = http.request({ createConnection: () => secure, path: "/" }).on("error", () => {});
    const [res] = (await once(req.end(), "response")) as [http.IncomingMessage];
    await once(res, "data");
    raw![how]();
    await expect(once(res.resume(), "end")).rejects.toThrow();
    await until(() => proxy.exchanges.length === 1);
    expect(proxy.exchanges[0]).toMatchObject({ aborted: "upstream" });
  },
);

test("a request without a host is told what this address is for", async () => {
  const proxy = await interceptor();
  expect(await (await fetch(`${proxy.url}/v1/models`)).text()).toContain("HTTPS_PROXY");
});

test.each([
  ["none", ""],
  ["another password", `Proxy-Authorization: Basic ${Buffer.from("a1:b3").toString("base64")}\r\n`],
  ["the right one behind another scheme", `Proxy-Authorization: Bearer ${password.slice(6)}\r\n`],
  ["the one of the service", `Authorization: ${password}\r\n`],
])("a client with this password is refused, and told of once: %s", async (_, field) => {
  let reached = 0;
  const port = await plainService((_, res) => {
    reached++;
    res.end();
  });
  const proxy = await interceptor();
  for (const target of [
    `CONNECT 127.0.0.1:${port}`,
    `CONNECT localhost:${port}`,
    `GET http://localhost:${port}/`,
    `GET http://127.0.0.1:${port}/`,
    "CONNECT nonsense",
  ]) {
    const client = rawClient(proxy.port, `${target} HTTP/1.1\r\nHost: x\r\n${field}\r\n`);
    const head = await client.until((text) => text.includes("of its session"));
    expect(head).toMatch(/^HTTP\/1\.1 407 Proxy Authentication Required\r\n/);
    expect(head).toContain('\r\nProxy-Authenticate: Basic realm="touchstone"\r\n');
    client.socket.destroy();
  }
  expect([reached, proxy.exchanges]).toEqual([0, []]);
  expect(proxy.problems).toEqual([expect.stringMatching(/^a client without the user and password of this session/)]);
});

test("the password for the proxy reaches no service and no recording, however it is spelled", async () => {
  const headers: string[] = [];
  const port = await plainService((req, res) => {
    headers.push(...req.rawHeaders);
    res.end();
  });
  const proxy = await interceptor();
  const field = `PROXY-authorization:   basic ${password.slice(6)}  \r\n`;
  for (const host of ["localhost", "127.0.0.1"]) {
    const client = rawClient(
      proxy.port,
      `GET http://${host}:${port}/ HTTP/1.1\r\nHost: x\r\n${field}X-Kept: 1\r\nConnection: close\r\n\r\n`,
    );
    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 200 /);
  }
  await ask(await connected(proxy.port, `localhost:${port}`), "/", "", shown);
  await until(() => proxy.exchanges.length === 2);
  expect(headers.filter((text) => text === "X-Kept")).toHaveLength(2);
  expect(JSON.stringify([headers, proxy.exchanges])).not.toMatch(/proxy-authorization|YTE6YjI/i);
});

test("a CONNECT to the recorder itself, and a request to it, are refused", async () => {
  const proxy = await interceptor();
  // The last two are addresses of this machine that no rule about names knows.
  for (const host of ["127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"]) {
    const client = rawClient(proxy.port, `CONNECT ${host}:${proxy.port} HTTP/1.1\r\nHost: x\r\n${shownLine}\r\n`);
    expect(await client.until((text) => text.includes("itself"))).toMatch(/^HTTP\/1\.1 50[28] /);
    client.socket.destroy();
    const socket = net.connect(Number(proxy.port), "127.0.0.1");
    const [status, text] = await ask(socket, `http://${host}:${proxy.port}/`, "", shown);
    expect([status, text]).toEqual([502, expect.stringContaining("it is this recorder itself")]);
  }
});

test("a recorder that the environment names as its own proxy asks itself for nothing", async () => {
  const proxy = await interceptor();
  for (const name of ["https_proxy", "http_proxy"]) vi.stubEnv(name, proxy.url.replace("//", `//${credentials}@`));
  for (const name of ["no_proxy", "NO_PROXY"]) vi.stubEnv(name, "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = rawClient(proxy.port, `CONNECT api.test:443 HTTP/1.1\r\nHost: x\r\n${shownLine}\r\n`);
  expect(await client.until((text) => text.includes("itself"))).toMatch(/^HTTP\/1\.1 502 /);
  const socket = net.connect(Number(proxy.port), "127.0.0.1");
  expect((await ask(socket, "http://api.test/", "", shown))[1]).toContain("it is this recorder itself");
});

test("a client that begins neither TLS nor a request loses its connection, and so does one of a host that is silent, too", async () => {
  const silent = await rawServer(() => {});
  kept(silent);
  const proxy = await interceptor({ silentFor: 50 });
  for (const target of ["localhost:9", `127.0.0.1:${silent.port}`]) {
    const socket = await connected(proxy.port, target);
    await wireOf(socket).closed;
  }
  const hello = await connected(proxy.port, "localhost:9");
  // A record of TLS that does not end.
  hello.write(Buffer.from([0x16, 3, 1, 2, 0]));
  await wireOf(hello).closed;
  await until(() => silent.sockets.size === 0);
});

test("a tunnel in which either side has begun stays", async () => {
  const greeting = await rawServer((socket) => void socket.write("220 hello\r\n"));
  kept(greeting);
  const proxy = await interceptor({ silentFor: 50 });
  const wire = wireOf(await connected(proxy.port, `127.0.0.1:${greeting.port}`));
  await wire.until((text) => text.includes("hello"));
  // Begun later, and ended before: the other's time is over.
  await wireOf(await connected(proxy.port, "localhost:9")).closed;
  expect(wire.socket.destroyed).toBe(false);
});

test("a proxy of the environment that does not answer a CONNECT is given up", async () => {
  const silent = await rawServer((socket) => void socket.resume());
  kept(silent);
  vi.stubEnv("https_proxy", `http://127.0.0.1:${silent.port}`);
  for (const name of ["no_proxy", "NO_PROXY"]) vi.stubEnv(name, "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const proxy = await interceptor({ silentFor: 50 });
  const client = rawClient(proxy.port, `CONNECT api.test:443 HTTP/1.1\r\nHost: x\r\n${shownLine}\r\n`);
  expect(await client.until((text) => text.includes("cannot be used: it does not answer"))).toMatch(/^HTTP\/1\.1 502 /);
  await until(() => silent.sockets.size === 0);
});
