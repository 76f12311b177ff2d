/** Holds the follower with real judges: ones that crash, hang, are killed and outlive nobody, over files, stretches and files that grow. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exchangeLine, headerLine } from "../cassette/write.ts";
import { home } from "../home.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { type Batch, createFollower, type FollowOptions } from "./follower.ts";
import { childrenOf, isAlive, processorTimeOf } from "./processes.test-kit.ts";
import { growingSegment, type Segment, segmentsOf } from "./segments.ts";

const program = join(home, "dist", "src", "record", "judge", "odd-judge.test-kit.js");
const built = (file: string): string => JSON.stringify(join(home, "dist", "src", "record", file));
const settings = {
  documents: [],
  bindings: [],
  policy: { strict: new Set<string>(), openEnums: false },
  failsAt: "error",
  redacts: true,
} as const;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "touchstone-follow-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const line = (target: string, more: object = {}): string =>
  `${exchangeLine({ request: jsonRequest(target, [], { model: "m", messages: [], ...more }), response: jsonResponse({}) })}\n`;

function cassette(targets: readonly string[], more = {}): string {
  const path = join(folder(), "some.jsonl");
  writeFileSync(path, `${headerLine({})}\n${targets.map((target) => line(target, more)).join("")}`);
  return path;
}

function har(paths: readonly string[]): string {
  const path = join(folder(), "some.har");
  const entries = paths.map((one) => ({
    request: { method: "POST", url: `http://h${one}` },
    response: { status: 200 },
  }));
  writeFileSync(path, JSON.stringify({ log: { entries } }));
  return path;
}

/** An exchange as one word: its path, and what is odd about it. */
const wordsOf = ({ exchanges }: Batch): string[] =>
  exchanges.map(({ asked, unjudged, broken, findings }) => {
    const odd = unjudged ?? (broken !== undefined ? "broken" : findings.length > 0 ? "found" : "clean");
    return `${asked.replace("POST ", "")} ${odd}`;
  });

async function judged(segments: AsyncIterable<Segment>, options: Partial<FollowOptions> = {}) {
  const all: { words: string[]; notes: string[]; exchanges: number; rows: unknown[] } = {
    words: [],
    notes: [],
    exchanges: 0,
    rows: [],
  };
  for await (const batch of createFollower(segments, {
    settings,
    program,
    jobs: 1,
    maxProcessorSeconds: 0.3,
    ...options,
  })) {
    all.words.push(...wordsOf(batch));
    for (const [i, { findings }] of batch.exchanges.entries())
      for (const { exchange } of findings) expect(exchange).toBe(batch.first + i);
    all.rows.push(...batch.exchanges);
    all.notes.push(...batch.notes);
    all.exchanges += batch.share.exchanges;
  }
  return all;
}

const chat = "/v1/chat/completions";

test.each([
  ["crashes its judge", "/exit", "too much to judge"],
  ["never ends", "/hang", "too much to judge"],
  ["makes judging fail", "/throw", "broken"],
])("nothing is said of an exchange that %s, and everything of all others", async (_, odd, word) => {
  const path = cassette([chat, chat, odd, chat, "/other"]);
  const { words, exchanges } = await judged(segmentsOf([path]));
  const name = odd === "/throw" ? "/throw" : "(unread request)";
  expect(words).toEqual([`${chat} found`, `${chat} found`, `${name} ${word}`, `${chat} found`, "/other clean"]);
  expect(exchanges).toBe(word === "broken" ? 4 : 5);
});

test("a judge that is killed while it judges a batch is started again, and nothing is missing or told twice", async () => {
  const marker = join(folder(), "once");
  const target = `${chat}?once=${encodeURIComponent(marker)}`;
  const path = cassette([chat, chat, target, chat]);
  // The judge that is told what to do has to read it as it was sent.
  const plainly = { settings: { ...settings, redacts: false } };
  const plain = await judged(segmentsOf([cassette([chat, chat, target, chat])]), {
    ...plainly,
    program: join(home, "dist", "src", "record", "judge", "judge-process.js"),
  });
  const { words, exchanges } = await judged(segmentsOf([path]), plainly);
  expect([words, exchanges]).toEqual([plain.words, 4]);
  expect(existsSync(marker)).toBe(true);
});

test("a document is passed over one exchange at a time, too", async () => {
  const path = har([chat, "/exit", chat]);
  const { words } = await judged(segmentsOf([path]));
  expect(words).toEqual([`${chat} found`, "(unread request) too much to judge", `${chat} found`]);
});

test("a judge that cannot be started is told as such", async () => {
  const missing = join(home, "dist", "no-such-program.js");
  await expect(judged(segmentsOf([cassette([chat])]), { program: missing })).rejects.toThrow(
    /some\.jsonl: the judging process ended with exit code 1, again and again$/,
  );
});

test("several judges say the same as one, in the same order, with the same numbers of lines", async () => {
  const one = cassette(
    Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? `/path/${i}` : chat)),
    { user: "x".repeat(60_000) },
  );
  appendFileSync(one, `\n \n${line(chat)}{"request":`);
  const sources = [har(["/x"]), one, cassette([chat])];
  const [alone, together] = [await judged(segmentsOf(sources)), await judged(segmentsOf(sources), { jobs: 2 })];
  expect(together).toEqual(alone);
  expect(alone.exchanges).toBe(93);
  expect(alone.notes).toEqual([`${one}:95: the last line is torn; what it began to record was dropped.`]);
  appendFileSync(one, "\n");
  for (const jobs of [1, 2])
    await expect(judged(segmentsOf([one]), { jobs })).rejects.toThrow(`${one}:95: the line is damaged`);
});

/** A follower of a file that grows, and what it has said so far. */
function following(path: string, options: Partial<FollowOptions> = {}) {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => void (end = resolve));
  const follower = createFollower(growingSegment(path, ended), { settings, program, jobs: 1, ...options });
  const words: string[] = [];
  const done = (async () => {
    for await (const batch of follower) words.push(...wordsOf(batch));
  })();
  // Whoever waits for it hears of it.
  done.catch(() => {});
  return {
    words,
    done,
    async until(count: number) {
      while (words.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    finish() {
      end();
      follower.finish();
      return done;
    },
  };
}

test("a file is followed from before it is there, line by whole line, until it is told to end", async () => {
  const path = join(folder(), "later.jsonl");
  const { words, until, finish } = following(path);
  const header = `${headerLine({})}\n`;
  writeFileSync(path, header.slice(0, 9));
  await new Promise((resolve) => setTimeout(resolve, 20));
  appendFileSync(path, header.slice(9) + line("/1") + line("/2").slice(0, 30));
  await until(1);
  appendFileSync(path, line("/2").slice(30));
  await until(2);
  appendFileSync(path, `\n${line("/exit")}`);
  await until(3);
  appendFileSync(path, `${line("/4")}${line("/5")}`);
  await finish();
  expect(words).toEqual(["/1 clean", "/2 clean", "(unread request) too much to judge", "/4 clean", "/5 clean"]);
});

test("a file that becomes shorter is told, and ends following", async () => {
  const path = cassette(["/1", "/2"]);
  const { until, done } = following(path);
  await until(2);
  truncateSync(path, 40);
  await expect(done).rejects.toThrow(`${path}: it became shorter while it was followed`);
});

test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
  "a judge that yields goes behind all others from its first answer on, until the file grows no more",
  async () => {
    const path = cassette(["/1", "/2"]);
    const { until, finish } = following(path, { yields: true });
    await until(2);
    const [judge] = childrenOf(process.pid, "odd-judge");
    expect(getPriority(judge)).toBe(constants.priority.PRIORITY_LOW);
    const ended = finish();
    expect(getPriority(judge)).toBe(constants.priority.PRIORITY_NORMAL);
    await ended;
  },
);

test.skipIf(process.platform !== "linux")(
  "a judge does not outlive a follower that is killed, not even a busy one",
  async () => {
    const path = cassette(["/hang"]);
    const code = `
    import { createFollower } from ${built("follower.js")};
    import { segmentsOf } from ${built("segments.js")};
    const settings = { documents: [], bindings: [], policy: { strict: new Set(), openEnums: false }, failsAt: "error", redacts: true };
    for await (const _ of createFollower(segmentsOf([${JSON.stringify(path)}]), { settings, program: ${JSON.stringify(program)}, jobs: 1 }));
  `;
    const follower = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "ignore" });
    onTestFinished(() => void follower.kill("SIGKILL"));
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
    let judge: number | undefined;
    while (judge === undefined) {
      await pause();
      [judge] = childrenOf(follower.pid!, "odd-judge");
    }
    // Busy: nothing but the hanging exchange takes so long.
    while (processorTimeOf(judge) < 1000) await pause();
    follower.kill("SIGKILL");
    await once(follower, "exit");
    while (isAlive(judge)) await pause();
  },
);
