/** Has recordings judged by processes of their own, several parts at the same time, and hands out in order what came of them. */
import { UserError } from "../user-error.ts";
import type { Share } from "../verdict/tally.ts";
import { createJudge, JudgeEnded, type JudgeLink, type JudgeOptions } from "./judge-client.ts";
import type { Answer, Ask, Row } from "./judge-messages.ts";
import type { Part } from "./parts.ts";

/** What was judged of one recording. */
export interface Batch {
  readonly source: string;
  /** 0-based: the recording's position among all. */
  readonly file: number;
  /** Position of the first row in the recording; findings count from the recording's start. */
  readonly first: number;
  readonly rows: readonly Row[];
  readonly share: Answer["share"];
  readonly notes: readonly string[];
  /** Up to where a `.jsonl` is judged, in bytes. */
  readonly at: number;
}

export interface FollowOptions extends JudgeOptions {
  /** How many judge at the same time. */
  readonly jobs: number;
}

export interface Follower extends AsyncIterable<Batch> {
  /** Waits for files to grow no more: what they hold is judged, and the iteration ends. */
  finish(): void;
  /** Judges no more; the iteration ends. */
  abandon(): void;
}

/** Answers that a part may have ready before its turn comes, and parts that may be ready or on their way for each judge. */
const ahead = { answers: 8, parts: 4 };
/** How often in a row judges may end at one place: with a batch, with one exchange of it, and while passing that over. */
const mostEnds = 3;
/** What a batch may reach: exchanges of it are judged one at a time when it has ended its judge. */
const batchReach = { bytes: 1 << 20, exchanges: 500 };

/** A part on its way, and what came of it and was not handed out yet. */
interface Lane {
  readonly part: Part | undefined;
  readonly answers: Answer[];
  /** Lines before the part; unknown until its turn comes, unless it begins its file. */
  before: number | undefined;
  /** Lines of the part that were passed. */
  passed: number;
  failure?: unknown;
  done: boolean;
}

/**
 * Judges `parts`. Iterate it once; where a part's turn comes that cannot be read, it throws UserError.
 * A batch that ended its judge is judged again one exchange at a time; the one that ends it again has no verdict.
 */
export function createFollower(parts: AsyncIterable<Part>, options: FollowOptions): Follower {
  const coming = parts[Symbol.asyncIterator]();
  const judges: JudgeLink[] = [createJudge(options)];
  judges[0]!.start();
  const lanes: Lane[] = [];
  let finished = false;
  let abandoned = false;
  let wake = (): void => {};
  let change = new Promise<void>((resolve) => void (wake = resolve));
  function changed(): void {
    wake();
    change = new Promise((resolve) => void (wake = resolve));
  }
  async function until(condition: () => boolean): Promise<void> {
    while (!condition() && !abandoned) await change;
  }

  /** Asks again where the answer speaks of lines whose numbers were not known, and are now. */
  async function askOfLines(lane: Lane, ask: Omit<Ask, "line">, judge: JudgeLink): Promise<Answer> {
    const again = async (): Promise<Answer> => {
      await until(() => lanes[0] === lane);
      return judge.ask({ ...ask, line: (lane.before ?? 0) + lane.passed });
    };
    if (lane.before !== undefined) return judge.ask({ ...ask, line: lane.before + lane.passed });
    let answer: Answer;
    try {
      answer = await judge.ask({ ...ask, line: 0 });
    } catch (error) {
      if (error instanceof JudgeEnded) throw error;
      return again();
    }
    return answer.notes.length > 0 ? again() : answer;
  }

  async function judgePart(lane: Lane, part: Part, judge: JudgeLink): Promise<void> {
    let { at, begins } = part;
    let what: Ask["what"] = "batch";
    /** Up to where exchanges are judged one at a time. */
    let careful = 0;
    let row: Row | undefined;
    let ends = 0;
    for (let done = false; !done && !abandoned; ) {
      const growing = part.ask.growing && !finished;
      let answer: Answer;
      try {
        answer = await askOfLines(lane, { ...part.ask, growing, at, begins, what, ...(row && { row }) }, judge);
      } catch (error) {
        if (abandoned || !(error instanceof JudgeEnded)) throw error;
        if (++ends > mostEnds)
          throw new UserError(
            `${part.ask.source}: ${error.message}, again and again`,
            "Give it more memory, or keep large recordings as .jsonl, which is judged piece by piece.",
          );
        if (what === "batch") careful = at + (part.ask.head ? batchReach.bytes : batchReach.exchanges);
        row = error.at ?? row;
        what = what === "batch" ? "one" : "skip";
        continue;
      }
      ends = 0;
      row = undefined;
      ({ at, begins, done } = answer);
      what = at < careful ? "one" : "batch";
      lane.passed += answer.lines;
      lane.answers.push(answer);
      changed();
      await until(() => lanes[0] === lane || lane.answers.length < ahead.answers);
    }
  }

  /** Sets the lines before the part whose turn it is, when those of the part before it are counted. */
  function takeTurn(last?: Lane): void {
    const [lane] = lanes;
    if (lane && last && lane.part?.file === last.part?.file) lane.before ??= (last.before ?? 0) + last.passed;
  }

  /** The lane that was handed out last, where none follows it yet. */
  let gone: Lane | undefined;

  /** Works off parts until there are no more. */
  async function work(judge: JudgeLink): Promise<void> {
    for (;;) {
      await until(() => lanes.length < options.jobs * ahead.parts);
      const lane: Lane = { part: undefined, answers: [], before: undefined, passed: 0, done: false };
      try {
        const { value: part } = abandoned ? { value: undefined } : await coming.next();
        if (!part) return;
        Object.assign(lane, { part, before: part.line });
        lanes.push(lane);
        takeTurn(gone);
        if (judges.length < options.jobs) hire();
        await judgePart(lane, part, judge);
      } catch (error) {
        lane.failure = error;
        if (!lane.part) lanes.push(lane);
      }
      lane.done = true;
      changed();
      if (lane.failure) return;
    }
  }

  const working = new Set<Promise<void>>();
  function begin(judge: JudgeLink): void {
    const one = work(judge).finally(() => {
      working.delete(one);
      changed();
    });
    working.add(one);
  }
  function hire(): void {
    const judge = createJudge(options);
    judges.push(judge);
    begin(judge);
  }

  return {
    finish() {
      finished = true;
      for (const judge of judges) judge.release();
    },
    abandon() {
      abandoned = true;
      for (const judge of judges) judge.end();
      changed();
    },
    async *[Symbol.asyncIterator]() {
      begin(judges[0]!);
      let file = -1;
      let first = 0;
      try {
        while (!abandoned) {
          const [lane] = lanes;
          if (!lane) {
            if (working.size === 0) return;
            await until(() => lanes.length > 0 || working.size === 0);
            continue;
          }
          await until(() => lane.answers.length > 0 || lane.done);
          const answer = lane.answers.shift();
          if (answer) {
            const { source } = lane.part!.ask;
            if (file !== lane.part!.file) first = 0;
            file = lane.part!.file;
            const rows = answer.rows.map((row) => placed(row, first));
            changed();
            yield {
              source,
              file,
              first,
              rows,
              share: placedShare(answer.share, first),
              notes: answer.notes,
              at: answer.at,
            };
            first += rows.length;
          } else if (lane.failure) throw lane.failure;
          else if (lane.done) {
            gone = lanes.shift();
            takeTurn(gone);
            changed();
          }
        }
      } finally {
        this.abandon();
      }
    },
  };
}

/** A row whose findings count from the recording's start. */
function placed(row: Row, first: number): Row {
  if (first === 0 || row.findings.length === 0) return row;
  return { ...row, findings: row.findings.map((finding) => ({ ...finding, exchange: finding.exchange + first })) };
}

/** A share whose exchanges count from the recording's start. */
function placedShare(share: Share, by: number): Share {
  const { count, first } = share.unjudged;
  if (by === 0 || first.length === 0) return share;
  return { ...share, unjudged: { count, first: first.map((one) => ({ ...one, exchange: one.exchange + by })) } };
}
