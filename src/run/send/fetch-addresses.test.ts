/** Some addresses in replies are fetched, and little is sent there. */
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../wire/listen.ts";
import { createSender } from "../../wire/send.ts";
import { fetchBeginning, fetchesFor } from "./fetch-addresses.ts";

const origin = "http://127.0.0.1:4400";
const reply = (...urls: readonly unknown[]) => ({
  interface: "images",
  origin,
  json: { created: 1, data: urls.map((url) => ({ url })) },
});
const places = { images: ["data", "*", "url"] };
const targetsOf = (...replies: readonly ReturnType<typeof reply>[]): string[] =>
  fetchesFor(replies, places).map(({ request }) => request.target);

test("addresses of the target's own origin are fetched, each once, and two of a recording at most", () => {
  expect(targetsOf(reply(`${origin}/a.png?s=1`, `${origin}/a.png?s=1`), reply(`${origin}/b.png`))).toEqual([
    "/a.png?s=1",
    "/b.png",
  ]);
  expect(targetsOf(reply(`${origin}/a`, `${origin}/b`, `${origin}/c`))).toEqual(["/a", "/b"]);
});

test("no other origin is asked, whatever a reply names", () => {
  const others = [
    "http://127.0.0.1:4401/a",
    "https://127.0.0.1:4400/a",
    "http://localhost:4400/a",
    "//127.0.0.1:4400/a",
  ];
  expect(targetsOf(reply(...others, "/a.png", "file:///etc/passwd", 7, null))).toEqual([]);
  expect(fetchesFor([{ interface: "messages", origin, json: reply(`${origin}/a`).json }], places)).toEqual([]);
});

test("a fetch carries no key, and ends early where much comes", async () => {
  let heard: readonly (readonly [string, string])[] = [];
  const block = Buffer.alloc(64 << 10, 1);
  const server = await listen(({ headers }) => {
    heard = headers;
    return { status: 200, headers: [], pieces: Array.from({ length: 64 }, () => ({ bytes: block })) };
  });
  onTestFinished(() => server.close());
  const sender = createSender();
  onTestFinished(() => sender.close());
  const [fetch] = fetchesFor(
    [{ interface: "images", origin: server.url, json: { data: [{ url: `${server.url}/a` }] } }],
    places,
  );
  const { exchange } = await fetchBeginning(fetch!, sender);
  expect(heard.map(([name]) => name.toLowerCase()).sort()).toEqual(["accept", "connection", "host"]);
  expect(exchange.response?.status).toBe(200);
  expect(exchange.response?.body.length).toBeLessThan(64 * block.length);
});
