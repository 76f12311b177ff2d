/** Has recordings judged by processes of their own, several parts at the same time, and hands out in order what came of them. */
import { UserError } from "../user-error.ts";
import type { JudgedExchange } from "../verdict/judged-exchange.ts";
import type { Share } from "../verdict/tally.ts";
import { createJudge, type JudgeClient, JudgeEnded, type JudgeOptions } from "./judge/client.ts";
import { untilIdle } from "./judge/idle.ts";
import type { BatchRequest, BatchResult } from "./judge/messages.ts";
import type { Segment } from "./segments.ts";

/** The next exchanges of a recording, judged. */
export interface Batch {
  readonly source: string;
  /** 0-based: the recording's position among all. */
  readonly file: number;
  /** Position of the first exchange in the recording; findings count from the recording's start. */
  readonly first: number;
  readonly exchanges: readonly JudgedExchange[];
  readonly share: Share;
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

/** Results that a segment may have ready before its turn comes, and segments that may be ready or under way for each judge. */
const maxAhead = { results: 8, segments: 4 };
/** How often in a row judges may end at one place: with a batch, with one exchange of it, and while skipping that. */
const maxEnds = 3;
/** The size of a batch: exchanges of it are judged one at a time when it has ended its judge. */
const batchReach = { bytes: 1 << 20, exchanges: 500 };

/** A segment under way, and what came of it and was not handed out yet. */
interface SegmentWork {
  /** Undefined where planning the next segment failed. */
  readonly segment: Segment | undefined;
  readonly results: BatchResult[];
  /** Lines before the segment; unknown until its turn comes, unless it begins its file. */
  linesBefore: number | undefined;
  /** Lines of the segment that were read. */
  lines: number;
  failure?: unknown;
  done: boolean;
}

/**
 * Judges `segments`. Iterate it once; where a segment's turn comes that cannot be read, it throws UserError.
 * A batch that ended its judge is judged again one exchange at a time; the one that ends it again has no verdict.
 */
export function createFollower(segments: AsyncIterable<Segment>, options: FollowOptions): Follower {
  const coming = segments[Symbol.asyncIterator]();
  const judges: JudgeClient[] = [createJudge(options)];
  judges[0]!.start();
  /** In the order of segments; results of the first are handed out. */
  const underWay: SegmentWork[] = [];
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

  /** Asks again where the result's notes name lines whose numbers were not known, and are now. */
  async function askJudge(
    judge: JudgeClient,
    current: SegmentWork,
    request: Omit<BatchRequest, "linesBefore">,
  ): Promise<BatchResult> {
    const knowingLines = async (): Promise<BatchResult> => {
      await until(() => underWay[0] === current);
      current.linesBefore ??= await current.segment?.countLinesBefore?.();
      return judge.request({ ...request, linesBefore: (current.linesBefore ?? 0) + current.lines });
    };
    if (current.linesBefore !== undefined)
      return judge.request({ ...request, linesBefore: current.linesBefore + current.lines });
    let result: BatchResult;
    try {
      result = await judge.request({ ...request, linesBefore: 0 });
    } catch (error) {
      if (error instanceof JudgeEnded) throw error;
      return knowingLines();
    }
    return result.notes.length > 0 ? knowingLines() : result;
  }

  async function judgeSegment(current: SegmentWork, segment: Segment, judge: JudgeClient): Promise<void> {
    let { at, atLineStart } = segment;
    let mode: BatchRequest["mode"] = "batch";
    /** Up to where exchanges are judged one at a time. */
    let singlyTo = 0;
    let announced: JudgedExchange | undefined;
    let ends = 0;
    for (let done = false; !done && !abandoned; ) {
      if (options.yields && segment.request.growing) await untilIdle(() => finished || abandoned);
      // Ended meanwhile: asking now would start a judge anew.
      if (abandoned) return;
      const growing = segment.request.growing && !finished;
      const request = { ...segment.request, growing, at, atLineStart, mode, ...(announced && { announced }) };
      let result: BatchResult;
      try {
        result = await askJudge(judge, current, request);
      } catch (error) {
        if (abandoned || !(error instanceof JudgeEnded)) throw error;
        if (++ends > maxEnds)
          throw new UserError(
            `${segment.request.source}: ${error.message}, again and again`,
            "Give it more memory, or keep large recordings as .jsonl, which is judged piece by piece.",
          );
        if (mode === "batch") singlyTo = at + (segment.request.head ? batchReach.bytes : batchReach.exchanges);
        announced = error.exchange ?? announced;
        // A judge that was killed while it waited for an exchange says nothing about that exchange.
        mode = mode === "batch" || (ends === 1 && !error.exchange) ? "one" : "skip";
        continue;
      }
      ends = 0;
      announced = undefined;
      ({ at, atLineStart, done } = result);
      mode = at < singlyTo ? "one" : "batch";
      current.lines += result.lines;
      current.results.push(result);
      changed();
      await until(() => underWay[0] === current || current.results.length < maxAhead.results);
    }
  }

  /** Counts the lines before the first segment under way, when those of the segment before it are counted. */
  function countLinesBefore(previous?: SegmentWork): void {
    const [current] = underWay;
    if (current && previous?.linesBefore !== undefined && current.segment?.file === previous.segment?.file)
      current.linesBefore ??= previous.linesBefore + previous.lines;
  }

  /** The segment whose results were handed out last. */
  let previous: SegmentWork | undefined;

  /** Has a judge work through segments until there are no more. */
  async function work(judge: JudgeClient): Promise<void> {
    for (;;) {
      await until(() => underWay.length < options.jobs * maxAhead.segments);
      const current: SegmentWork = { segment: undefined, results: [], linesBefore: undefined, lines: 0, done: false };
      try {
        const { value: segment } = abandoned ? { value: undefined } : await coming.next();
        if (!segment) return;
        Object.assign(current, { segment, linesBefore: segment.linesBefore });
        underWay.push(current);
        countLinesBefore(previous);
        if (judges.length < options.jobs) addJudge();
        await judgeSegment(current, segment, judge);
      } catch (error) {
        current.failure = error;
        if (!current.segment) underWay.push(current);
      }
      current.done = true;
      changed();
      if (current.failure) return;
    }
  }

  const working = new Set<Promise<void>>();
  function begin(judge: JudgeClient): void {
    const one = work(judge).finally(() => {
      working.delete(one);
      changed();
    });
    working.add(one);
  }
  function addJudge(): void {
    const judge = createJudge(options);
    judges.push(judge);
    begin(judge);
  }

  function abandon(): void {
    abandoned = true;
    for (const judge of judges) judge.end();
    changed();
  }

  return {
    finish() {
      finished = true;
      for (const judge of judges) judge.finish();
    },
    abandon,
    async *[Symbol.asyncIterator]() {
      begin(judges[0]!);
      let file = -1;
      let first = 0;
      try {
        while (!abandoned) {
          const [current] = underWay;
          if (!current) {
            if (working.size === 0) return;
            await until(() => underWay.length > 0 || working.size === 0);
            continue;
          }
          await until(() => current.results.length > 0 || current.done);
          const result = current.results.shift();
          if (result) {
            const { file: own, request } = current.segment!;
            if (file !== own) first = 0;
            file = own;
            changed();
            yield { source: request.source, file, ...fromStart(result, first) };
            first += result.exchanges.length;
          } else if (current.failure) throw current.failure;
          else if (current.done) {
            previous = underWay.shift();
            countLinesBefore(previous);
            changed();
          }
        }
      } finally {
        abandon();
      }
    },
  };
}

/** A result whose findings and unjudged exchanges count from the recording's start, where `first` exchanges stand before it. */
function fromStart({ exchanges, share, notes, at }: BatchResult, first: number): Omit<Batch, "source" | "file"> {
  const moved = <T extends { readonly exchange: number }>(list: readonly T[]): readonly T[] =>
    first === 0 || list.length === 0 ? list : list.map((one) => ({ ...one, exchange: one.exchange + first }));
  const { count, first: unjudged } = share.unjudged;
  return {
    first,
    exchanges: exchanges.map((one) =>
      first === 0 || one.findings.length === 0 ? one : { ...one, findings: moved(one.findings) },
    ),
    share: { ...share, unjudged: { count, first: moved(unjudged) } },
    notes,
    at,
  };
}
