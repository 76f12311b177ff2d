/** Connections are kept where that shows in no answer, and each request has its own where it might. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { jsonRequest } from "./build.ts";
import { createSender, type Sent } from "./send.ts";

/** A request as a server reads it; its body ends with its JSON. */
const isWhole = (text: string): boolean => text.endsWith("}");

/**
 * A server of HTTP written by hand.
 * @param answer called with what came since the last answer, once a whole request is there, and its number on this connection
 */
async function serve(answer: (socket: Socket, text: string, nth: number, connection: number) => void) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const connection = connections++;
    sockets.add(socket.on("error", () => undefined));
    let text = "";
    let nth = 0;
    socket.on("data", (bytes) => {
      text += bytes;
      if (!isWhole(text)) return;
      answer(socket, text, nth++, connection);
      text = "";
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, made: () => connections };
}

const good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

function sending(reuse = true) {
  const sender = createSender({ maxIdleMs: 60_000, maxTimeMs: 60_000, maxBodyBytes: 2000, reuse });
  onTestFinished(() => sender.close());
  return (url: string, n = 0): Promise<Sent> => sender.send(url, jsonRequest("/v1/messages", [], { n }));
}

const told = ({ exchange: { response }, failure }: Sent): unknown =>
  failure?.kind ?? `${response?.status} ${Buffer.from(response!.body)}`;

test("requests one after the other share a connection where that is wanted, and have their own where not", async () => {
  const server = await serve((socket) => socket.write(good));
  const send = sending();
  for (let n = 0; n < 3; n++) expect(told(await send(server.url, n))).toBe("200 ok");
  expect(server.made()).toBe(1);
  const alone = sending(false);
  for (let n = 0; n < 3; n++) expect(told(await alone(server.url, n))).toBe("200 ok");
  expect(server.made()).toBe(4);
});

test.each<[string, (socket: Socket) => void]>([
  ["is ended", (socket) => socket.destroy()],
  [
    "is answered by a server that was tired of waiting",
    (socket) => socket.end("HTTP/1.1 408 Late\r\nConnection: close\r\n\r\n"),
  ],
  ["says what is not HTTP", (socket) => socket.end("<html>400</html>")],
])("a request whose kept connection %s is asked at once over a new one, as are all after it", async (_name, end) => {
  const server = await serve((socket, _text, nth) => (nth === 0 ? socket.write(good) : end(socket)));
  const send = sending();
  const answers = [];
  for (let n = 0; n < 4; n++) answers.push(told(await send(server.url, n)));
  expect(answers).toEqual(Array(4).fill("200 ok"));
  // One for the first and the second request, and one for each from the second on.
  expect(server.made()).toBe(4);
});

test("a server that resets new connections, too, is told", async () => {
  const server = await serve((socket, _text, nth, connection) =>
    nth === 0 && connection === 0 ? socket.write(good) : socket.destroy(),
  );
  const send = sending();
  expect([told(await send(server.url)), told(await send(server.url))]).toEqual(["200 ok", "reset"]);
});

test("bytes of a request that a server leaves unread, and takes for the next one, are held against no answer", async () => {
  const refusal = "HTTP/1.1 501 Unsupported method\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  const server = await serve((socket, _text, nth) => (nth === 0 ? socket.write(good) : socket.end(refusal)));
  const send = sending();
  for (let n = 0; n < 3; n++) expect(told(await send(server.url, n))).toBe("200 ok");
});

test("bytes after an answer are part of no other", async () => {
  const server = await serve((socket) => socket.write(`${good}!\r\nHTTP/1.1 500 Late\r\nContent-Length: 0\r\n\r\n`));
  const send = sending();
  for (let n = 0; n < 4; n++) expect(told(await send(server.url, n))).toBe("200 ok");
  expect(server.made()).toBe(4);
});

test("a server that takes one connection at a time answers all that are sent at once", async () => {
  const waiting: (() => void)[] = [];
  let current: Socket | undefined;
  const next = (): void => {
    current = undefined;
    waiting.shift()?.();
  };
  const server = await serve((socket, text) => {
    const isLast = /connection: close/i.test(text);
    const answer = (): void => {
      if (current !== socket) socket.once("close", next);
      current = socket;
      socket[isLast ? "end" : "write"](good);
    };
    if (current === undefined || current === socket) answer();
    else waiting.push(answer);
  });
  const send = sending();
  const several = async (): Promise<unknown[]> => {
    const answers: unknown[] = [];
    for (let n = 0; n < 3; n++) answers.push(told(await send(server.url, n)));
    return answers;
  };
  expect((await Promise.all([several(), several(), several()])).flat()).toEqual(Array(9).fill("200 ok"));
});
