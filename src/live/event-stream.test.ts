/** Pages that listen get each event once and in order, and a page that does not read takes no more memory. */
import { once } from "node:events";
import http, { type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createEventStream } from "./event-stream.ts";

/** A feed on a socket, and the responses of those who listen. */
async function serve() {
  const feed = createEventStream();
  const responses: ServerResponse[] = [];
  const server = http.createServer((req, res) => {
    responses.push(res);
    feed.subscribe(res, req.headers["last-event-id"] as string | undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    feed.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { feed, responses, port };
}

/** The events that a listener gets, until it has seen `last`. */
async function listen(port: number, last: string, id?: string) {
  const leave = new AbortController();
  const { body } = await fetch(`http://127.0.0.1:${port}`, {
    signal: leave.signal,
    ...(id && { headers: { "last-event-id": id } }),
  });
  let said = "";
  for await (const bytes of body!) {
    said += Buffer.from(bytes).toString();
    if (said.includes(last)) break;
  }
  leave.abort();
  const events = [...said.matchAll(/(?:id: (.*)\n)?event: (.*)\ndata: (.*)\n\n/g)];
  return events.map(([, id, name, data]) => ({ id, name, data: JSON.parse(data!) }));
}

test("a page that comes later gets what is kept and the latest state; one that comes back gets only what followed", async () => {
  const { feed, port } = await serve();
  for (const one of [1, 2, 3]) feed.add("row", one);
  feed.tell("flights", "old");
  feed.tell("flights", "new");
  const all = await listen(port, "flights");
  expect(all.map(({ name, data }) => [name, data])).toEqual([
    ["start", null],
    ["row", 1],
    ["row", 2],
    ["row", 3],
    ["flights", "new"],
  ]);
  const rest = await listen(port, "flights", all[2]!.id);
  expect(rest.map(({ data }) => data)).toEqual([3, "new"]);
});

test("an id of another feed begins anew, and what is no longer kept is counted", async () => {
  const { feed, port } = await serve();
  for (let i = 0; i < 12_000; i++) feed.add("row", i);
  feed.tell("flights", "end");
  const [start, gap, first, ...others] = await listen(port, '"end"', "elsewhere-5");
  expect(start!.name).toBe("start");
  expect(gap!.name).toBe("gap");
  expect(first!.data).toBe(gap!.data);
  expect(others.at(-2)!.data).toBe(11_999);
});

test("a page that does not read costs a bounded amount of memory, and gets all that is kept once it reads", async () => {
  const { feed, responses, port } = await serve();
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  await expect.poll(() => responses.length).toBe(1);
  const row = { text: "x".repeat(10_000) };
  let most = 0;
  for (let i = 0; i < 1_500; i++) {
    feed.add("row", { i, ...row });
    if (i % 50 === 49) feed.tell("flights", { i, ...row });
    if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, responses[0]!.writableLength);
  }
  expect(most).toBeLessThan(200_000);
  expect(feed.listeners()).toBe(1);
  let said = "";
  socket.on("data", (bytes) => (said = (said + bytes).slice(-40_000)));
  await expect.poll(() => said).toContain('event: flights\ndata: {"i":1499,');
  expect(said).toContain('event: row\ndata: {"i":1499,');
});
