/** Exchanges in flight can be seen: streams event by event, and nothing of a secret however it comes in pieces. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { fuzz } from "../../dev/random.test-kit.ts";
import { collectExchanges } from "../../proxy/collector.ts";
import type { ExchangeObserver } from "../../proxy/observer.ts";
import { type Place, secretOf, tokens } from "../canary.test-kit.ts";
import { hunt } from "../canary-hunt.test-kit.ts";
import { places } from "../canary-places.test-kit.ts";
import type { Answer } from "./messages.ts";
import { createSnapshots, type Snapshots } from "./snapshots.ts";

/** Looks at what an observer is told, and remembers what one who watches exchange 1 has been told. */
function watched() {
  const collector = collectExchanges(() => {});
  const looks: Snapshots = createSnapshots(collector.underWay, { remembered: new Set() });
  const known = { head: false, places: 0, texts: 0 };
  const texts: string[] = [];
  const said: string[] = [];
  function look(): Answer {
    const answer = looks.answer({ streams: [{ id: 1, ...known }] });
    said.push(JSON.stringify(answer));
    for (const stream of answer.streams) {
      known.head ||= stream.exchange?.response != null;
      known.places += stream.places.length;
      known.texts += stream.texts.length;
      texts.push(...stream.texts);
    }
    return answer;
  }
  return { collector, looks, look, texts, said, known };
}

const begin = (observer: ExchangeObserver, headers: readonly string[], answered: readonly string[]): void => {
  observer.open(1, { started: 5, method: "POST", target: "/v1/chat/completions?key=hunter2hunter2", headers });
  observer.requestBytes(1, Buffer.from('{"model":"m","messages":[{"role":"user","content":"hi"}]}'));
  observer.responseHead(1, 200, "OK", answered);
};
const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", choices: [{ index: 0, delta: { content } }] })}\n\n`;
const stream = ["Content-Type", "text/event-stream"];

test("a stream is told event by event before it ends: places at once, texts as soon as they are settled", () => {
  const { collector, look, texts, known } = watched();
  begin(collector, ["Authorization", "Bearer hunter2hunter2"], stream);
  const words = Array.from({ length: 40 }, (_, i) => ` word${i}`);
  for (const [i, word] of words.entries()) {
    collector.responseBytes(1, Buffer.from(chunk(word)), 10 * i);
    const [one] = look().open;
    expect(one).toMatchObject({ id: 1, status: 200, pieces: i + 1, last: 10 * i });
    expect(known.places).toBe(i + 1);
  }
  expect(known.head).toBe(true);
  // The last word may go on.
  expect(texts).toEqual(words.slice(0, -1).map(chunk));
  const { streams, open } = look();
  expect(streams).toEqual([{ id: 1, places: [], texts: [] }]);
  expect(open[0]!.target).toBe("/v1/chat/completions?key=%5Bredacted%5D");
});

test("the head comes once with the request's body, and an exchange that ended is named with its place", () => {
  const { collector, look, looks } = watched();
  begin(collector, ["Authorization", "Bearer hunter2hunter2"], stream);
  const [first] = look().streams;
  expect(first!.exchange).toMatchObject({
    request: { headers: [["Authorization", "Bearer [redacted]"]], body: { json: { model: "m" } } },
    response: { status: 200 },
  });
  collector.close(1, { time: 9 });
  looks.ended(1, 7);
  expect(look()).toEqual({ count: 0, open: [], streams: [], ended: [[1, 7]] });
  expect(look().ended).toEqual([]);
});

test.each([
  ["a body that is no stream", ["Content-Type", "application/json"], '{"text":"so far', "it is no stream of events"],
  ["a compressed one", [...stream, "Content-Encoding", "gzip"], "\x1f\x8b", "it is compressed"],
  ["a large one", stream, chunk("word ".repeat(60_000)), "it is large"],
])("nothing is told of %s but how much of it came", (_, head, body, later) => {
  const { collector, look, known } = watched();
  begin(collector, [], head);
  collector.responseBytes(1, Buffer.from(body, "latin1"), 1);
  const { open, streams } = look();
  expect(open[0]!.came).toBe(body.length);
  expect(streams[0]).toMatchObject({ later, places: [], texts: [] });
  expect(known.texts).toBe(0);
});

test("many exchanges in flight are counted, and those that began first and last are listed", () => {
  const { collector, look } = watched();
  for (let id = 0; id < 1_000; id++) collector.open(id, { started: id, method: "GET", target: `/${id}`, headers: [] });
  const { count, open } = look();
  expect(count).toBe(1_000);
  expect([open.length, open[0]!.id, open[99]!.id, open[100]!.id, open[199]!.id]).toEqual([200, 0, 99, 900, 999]);
});

test("looking changes nothing of what is remembered for what is kept", () => {
  const remembered = new Set<string>();
  const collector = collectExchanges(() => {});
  begin(collector, ["Authorization", "Bearer hunter2hunter2"], stream);
  createSnapshots(collector.underWay, { remembered }).answer({ streams: [] });
  expect([...remembered]).toEqual([]);
});

/** Has the answer of a place written piece by piece, each looked at before the next one comes. */
async function lookedAt(place: Place): Promise<string> {
  const secret = secretOf(place);
  const { collector, look, said } = watched();
  const server = http.createServer((_, res) => void place.reply!(res, secret)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  begin(collector, place.headers?.(secret) ?? [], [...answer.headers].flat());
  const body = Buffer.from(await answer.arrayBuffer());
  for (let from = 0; from < body.length; ) {
    const to = body.indexOf("\n\n", from) + 2;
    if (to === 1) break;
    collector.responseBytes(1, body.subarray(from, to), from);
    look();
    from = to;
  }
  return said.join("\n");
}

const streamed = places.filter(
  ({ name, leaves }) => /stream|token by token|take turns|character/.test(name) && !leaves,
);
test("a page that looks all the time at a stream with a secret sees nothing of it", async () => {
  expect(streamed.length).toBeGreaterThan(9);
  const leaks: string[] = [];
  for (const place of streamed.filter(({ name }) => !/breaks off/.test(name))) {
    const secret = secretOf(place);
    const said = await lookedAt(place);
    if (hunt(said, [secret]).length > 0) leaks.push(place.name);
  }
  expect(leaks).toEqual([]);
});

const random = "q7Zr2mVx9TkLp4WcB8sNd6YhJ3fGt5Ua";
test.each([
  ["a key by its shape", `sk-proj-${random}${random}`],
  ["a token of three parts", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${random}`],
  ["the password of an address", `https://me:${random}@example.com/x`],
  ["a value behind a name that may be a credential's", `token=${random}`],
  ["a private key", `-----BEGIN PRIVATE KEY-----\n${random}${random}\n${random}\n-----END PRIVATE KEY-----`],
])("%s that nobody sent is not shown while it comes", (_, secret) => {
  const { collector, look, texts } = watched();
  begin(collector, [], stream);
  for (const piece of tokens(`Here it is: ${secret} and that was all of it, as far as I know.`)) {
    collector.responseBytes(1, Buffer.from(chunk(piece)), 1);
    look();
  }
  const said = texts.map((text) => JSON.parse(text.slice(6)).choices[0].delta.content).join("");
  expect(said).toContain("Here it is:");
  expect(said).toContain("was all of");
  for (let i = 0; i + 6 <= random.length; i++) expect(said).not.toContain(random.slice(i, i + 6));
});

const spelled: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  base64: (secret) => Buffer.from(secret).toString("base64"),
  "base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
  hexadecimal: (secret) => Buffer.from(secret).toString("hex"),
  reversed: (secret) => [...secret].reverse().join(""),
};
test.each(Object.entries(spelled))(
  "of a key that was sent, however it is cut and spelled (%s), no character is shown",
  (_, spell) => {
    const cuts = fc.tuple(
      fc.integer({ min: 18, max: random.length }),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
    );
    fc.assert(
      fc.property(cuts, ([length, sizes]) => {
        const secret = random.slice(0, length);
        const { collector, look, texts } = watched();
        begin(collector, ["Authorization", `Bearer ${secret}`], stream);
        for (let rest = `Here it is: ${spell(secret)} and that was all of it.`; rest !== ""; look()) {
          const size = sizes.next().value!;
          collector.responseBytes(1, Buffer.from(chunk(rest.slice(0, size))), 1);
          rest = rest.slice(size);
        }
        const said = texts.map((text) => JSON.parse(text.slice(6)).choices[0].delta.content).join("");
        expect(said).toMatch(/^Here it is: x+={0,2} and that was/);
      }),
      fuzz(20),
    );
  },
);
