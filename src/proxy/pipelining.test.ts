import { expect, test } from "vitest";
import { kept, rawClient, rawServer, rig, until, wireOf } from "./sockets.test-kit.ts";

const get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n";
const headEnds = (text: string): boolean => text.endsWith("\r\n\r\n");

test("a client that pipelines many requests has few of them open at the upstream, and gets all answers", async () => {
  let most = 0;
  const paths: string[] = [];
  const answers: (() => void)[] = [];
  const upstream = kept(
    await rawServer(async (socket) => {
      const path = /^GET (\S+)/.exec(await wireOf(socket).until((text) => text.endsWith("\r\n\r\n")))![1]!;
      paths.push(path);
      const body = `answer to ${path}.`;
      answers.push(() =>
        socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
      );
      const reply = (): void => {
        for (const one of answers.splice(0)) one();
      };
      // Time for more to come, before any is answered.
      if (paths.length === 32)
        setTimeout(() => {
          most = upstream.sockets.size;
          reply();
        }, 100);
      if (most > 0) reply();
    }),
  );
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const all = Array.from({ length: 100 }, (_, i) => `/${i}`);
  const client = rawClient(proxy.port, all.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  const text = await client.until((said) => said.endsWith("answer to /99."));
  expect(Array.from(text.matchAll(/answer to (\/\d+)\./g), ([, path]) => path)).toEqual(all);
  expect(most).toBe(32);
});

test("requests that wait for their turn end with their client", async () => {
  let asked = 0;
  const upstream = kept(
    await rawServer(async (socket) => {
      await wireOf(socket).until(headEnds);
      if (asked++ === 0) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }),
  );
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const client = rawClient(proxy.port, get.repeat(40));
  await client.until((text) => text.endsWith("ok"));
  await until(() => asked >= 32);
  client.socket.destroy();
  await until(() => proxy.inFlight().count === 0);
});

test("a client that pipelines without end is broken off, and nobody else", async () => {
  const upstream = kept(await rawServer((socket) => void wireOf(socket)));
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const other = rawClient(proxy.port, get);
  await until(() => upstream.sockets.size === 1);
  const client = rawClient(proxy.port, get.repeat(6000));
  await client.closed;
  await until(() => upstream.sockets.size === 1);
  expect(other.socket.destroyed).toBe(false);
});
