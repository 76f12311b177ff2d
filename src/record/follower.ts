/** Judges recordings in several processes at the same time, and returns the results in order. */
import { UserError } from "../user-error.ts";
import type { JudgedExchange } from "../verdict/judged-exchange.ts";
import type { Share } from "../verdict/tally.ts";
import { createJudge, type JudgeClient, JudgeEnded, type JudgeOptions } from "./judge/client.ts";
import { untilIdle } from "./judge/idle.ts";
import type { BatchRequest, BatchResult } from "./judge/messages.ts";
import type { Segment } from "./segments.ts";

/** The next judged exchanges of a recording. */
export interface Batch {
  readonly source: string;
  /** 0-based index of the recording. */
  readonly file: number;
  /** Position of the first exchange in the recording. Findings count from the start of the recording. */
  readonly first: number;
  readonly exchanges: readonly JudgedExchange[];
  readonly share: Share;
  readonly notes: readonly string[];
  /** Bytes of the `.jsonl` that are judged. */
  readonly at: number;
}

export interface FollowOptions extends JudgeOptions {
  /** Number of judging processes. */
  readonly jobs: number;
}

export interface Follower extends AsyncIterable<Batch> {
  /** Files do not grow any more: judges the rest of them, then ends the iteration. */
  finish(): void;
  /** Stops judging and ends the iteration. */
  abandon(): void;
}

/** Maximum number of results of a segment before its turn, and of pending segments for each judge. */
const maxAhead = { results: 8, segments: 4 };
/** Maximum number of judges that end at one place: with a batch, with one exchange, and while skipping it. */
const maxEnds = 3;
/** The size of a batch. If a batch ends its judge, so many exchanges are judged one at a time. */
const batchReach = { bytes: 1 << 20, exchanges: 500 };

/** A segment that is being judged, with its results so far. */
interface SegmentWork {
  /** Undefined if planning the next segment failed. */
  readonly segment: Segment | undefined;
  readonly results: BatchResult[];
  /** Number of lines before the segment. Unknown until its turn, unless it is the first of its file. */
  linesBefore: number | undefined;
  /** Number of lines read. */
  lines: number;
  failure?: unknown;
  done: boolean;
}

/**
 * Judges `segments`. Iterate it once. Throws UserError at the turn of a segment that cannot be read.
 * If a batch ends its judge, its exchanges are judged one at a time. An exchange that ends a judge again has no verdict.
 */
export function createFollower(segments: AsyncIterable<Segment>, options: FollowOptions): Follower {
  const coming = segments[Symbol.asyncIterator]();
  const judges: JudgeClient[] = [createJudge(options)];
  judges[0]!.start();
  /** In order. Only results of the first segment are returned. */
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

  /** Repeats a request if its notes name line numbers that were unknown. */
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
    /** End of the range in which exchanges are judged one at a time. */
    let singlyTo = 0;
    let announced: JudgedExchange | undefined;
    let ends = 0;
    for (let done = false; !done && !abandoned; ) {
      if (options.yields && segment.request.growing) await untilIdle(() => finished || abandoned);
      // A request would start another judge.
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
        // The next exchange did not end a judge that was killed while it waited.
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

  /** Sets the number of lines before the first pending segment, if that of the previous segment is known. */
  function countLinesBefore(previous?: SegmentWork): void {
    const [current] = underWay;
    if (current && previous?.linesBefore !== undefined && current.segment?.file === previous.segment?.file)
      current.linesBefore ??= previous.linesBefore + previous.lines;
  }

  /** The segment of the last returned results. */
  let previous: SegmentWork | undefined;

  /** Sends all segments to a judge, one after the other. */
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

/** Returns a result that counts from the start of the recording. @param first number of exchanges before it */
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
