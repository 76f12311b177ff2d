/** Judges recordings: files, folders of them, standard input, or one file that grows. */
import { createHash } from "node:crypto";
import { listSources } from "../cassette/sources.ts";
import type { ClauseData } from "../check/catalogue.ts";
import type { Finding, Level, Side } from "../check/clause.ts";
import { version } from "../home.ts";
import { type Judging, type JudgingArgs, judgingFrom, readPreset } from "../interfaces/judging.ts";
import { openClauses } from "../interfaces/open-clauses.ts";
import { createPlaces, withExpectations } from "../verdict/apply-expectations.ts";
import { differencesOf, explained, explainedDocument } from "../verdict/divergence.ts";
import type { CheckDocument, CheckShard, Expectation, Shard, SourcePosition } from "../verdict/document.ts";
import { createChoice } from "../verdict/finding-sample.ts";
import type { JudgedExchange, ListedExchange } from "../verdict/judged-exchange.ts";
import { type Batch, createFollower, type Follower } from "./follower.ts";
import type { JudgeSettings } from "./judge/messages.ts";
import { growingSegment, segmentsOf, sizeOf } from "./segments.ts";
import { rangeOf } from "./shards.ts";
import { createTotals } from "./totals.ts";

/**
 * Bytes that each judge has, where there are several. A process loads and compiles its code anew, which takes as long as
 * judging some 50 MB afterwards. With fewer than 96 MB for two, the second takes from the first as much time as it saves.
 */
const bytesPerJudge = 48 << 20;

/** Findings that differ only in positions, of one exchange, where every finding is wanted: a stream may repeat a fault a million times. */
const maxPerGroup = 10_000;

/** How many judges pay for themselves. */
export const judgesFor = (bytes: number): number => Math.max(1, Math.floor(bytes / bytesPerJudge));

export interface SourcesOptions {
  /** Only findings of this side. */
  readonly side?: Side | undefined;
  /** The least level that fails a clause; `error` unless said. */
  readonly level?: Level | undefined;
  /** How many processes may judge; 1 unless said. */
  readonly jobs?: number | undefined;
  /** Hands out every finding, also those that a document leaves out. */
  readonly everyFinding?: boolean | undefined;
  /** Only this part of the recordings. */
  readonly shard?: Shard | null | undefined;
  /** Failures that are admitted to. */
  readonly expectations?: readonly Expectation[] | undefined;
  /** Warns of vendors' headers: nobody has said what the documents' names are called. */
  readonly hintsAtPreset?: boolean | undefined;
}

/** Called while recordings are judged, in the order of recordings and exchanges. A promise holds up what follows. */
export interface SourcesEvents {
  readonly source?: (source: string) => Promise<void> | void;
  /** Its findings say where well-known services differ in the same way. */
  readonly exchange?: (exchange: ListedExchange, source: string) => Promise<void> | void;
  /** A sentence about something that may need mending. */
  readonly warning?: (what: string) => void;
  /** A sentence about something in a file that was passed over. */
  readonly note?: (what: string) => void;
  /** How many exchanges were judged so far, and of which recording the last one is. */
  readonly progress?: (exchanges: number, source: string) => void;
}

export interface SourcesOutcome {
  /** Without findings: the events hand them out. */
  readonly document: CheckDocument;
  /** Exchanges at which judging itself failed. */
  readonly broken: number;
  /** Exchanges of the recording that was asked about. */
  readonly ofFile: number;
}

/** Judging that goes on. */
export interface SourcesCheck {
  /** Waits for a file to grow no more: what it holds is judged. */
  finish(): void;
  /** Judges no more. */
  abandon(): void;
  readonly ended: Promise<SourcesOutcome>;
}

/** Warns of what is odd about exchanges, each time only where it is seen first. */
function createHints(warn: (what: string) => void) {
  let broken = false;
  let vendor = false;
  const keyless = new Set<number>();
  return (one: JudgedExchange, exchange: number, source: string, file: number): void => {
    if (one.broken !== undefined && !broken) {
      broken = true;
      warn(`internal failure at exchange ${exchange} of ${source}: ${one.broken}`);
    }
    if (one.vendorHeader !== undefined && !vendor) {
      vendor = true;
      warn(
        `the header ${one.vendorHeader} (${source}, exchange ${exchange}) is a vendor's; --preset vendors knows where well-known vendors differ from the documents`,
      );
    }
    if (one.keyless && !keyless.has(file)) {
      keyless.add(file);
      warn(
        `${source}: requests carry no key (the first is exchange ${exchange}). The export may have left it out, so there is no verdict on that. --bind credentials=kept says that it was kept`,
      );
    }
  };
}

/** Takes batches as they come and reports what is in them. */
async function reportBatches(
  follower: AsyncIterable<Batch>,
  { level = "error", everyFinding = false, expectations, shard }: SourcesOptions,
  { diverges }: Judging,
  { clauses }: ClauseData,
  events: SourcesEvents,
  isComplete: () => boolean,
  countedFile?: number,
): Promise<SourcesOutcome> {
  const differences = differencesOf(diverges);
  const totals = createTotals(clauses, level);
  const choice = createChoice();
  const places = createPlaces(expectations ?? []);
  const hint = createHints((what) => events.warning?.(what));
  let last = -1;
  let ofFile = 0;
  for await (const batch of follower) {
    const { source, file, first } = batch;
    if (file !== last) await events.source?.(source);
    last = file;
    const { exchanges, share, notes } = totals.add(batch);
    places.add(source, share.counts);
    if (file === countedFile) ofFile += exchanges.length;
    for (const [i, one] of exchanges.entries()) {
      hint(one, first + i, source, file);
      const findings = everyFinding ? one.findings : one.findings.filter(choice.takes);
      const reported = events.exchange?.(
        { ...one, findings: explained(findings, differences), exchange: first + i },
        source,
      );
      if (reported) await reported;
    }
    for (const note of notes) events.note?.(note);
    events.progress?.(totals.exchanges(), source);
  }
  const complete = isComplete();
  const document = explainedDocument(totals.document(complete, choice), differences);
  const today = new Date().toISOString().slice(0, 10);
  return {
    document: expectations
      ? withExpectations(document, expectations, places.all(), today, complete && !shard)
      : document,
    broken: totals.broken(),
    ofFile,
  };
}

const settingsOf = (judging: Judging, options: SourcesOptions): JudgeSettings => ({
  documents: judging.documents,
  bindings: judging.bindings,
  policy: judging.policy,
  side: options.side,
  failsAt: options.level ?? "error",
  redacts: true,
  ...(options.everyFinding && { maxPerGroup }),
  ...(options.hintsAtPreset && { vendorHeaders: readPreset("vendors").headers ?? [] }),
});

/** Judges what the paths name, `-` being standard input. Throws UserError, also later, for what cannot be read. */
export async function startCheck(
  paths: readonly string[],
  judging: Judging,
  catalogue: ClauseData,
  options: SourcesOptions,
  events: SourcesEvents,
): Promise<SourcesCheck> {
  const sources = await listSources(paths);
  const { shard } = options;
  const range = shard ? await rangeOf(sources, shard) : undefined;
  const bytes = range && shard ? range.bytes / shard.of : await sizeOf(sources);
  const settings = settingsOf(judging, options);
  const follower = createFollower(segmentsOf(sources, range), {
    settings,
    jobs: Math.min(options.jobs ?? 1, judgesFor(bytes)),
  });
  const check = running(follower, () => {}, judging, catalogue, options, events, range?.to.file);
  if (!range || !shard) return check;
  const within = ({ file, at }: SourcePosition): string | null => (at > 0 ? sources[file]! : null);
  const ended = check.ended.then(({ document, broken, ofFile }): SourcesOutcome => {
    const last = within(range.to);
    const own: CheckShard = {
      ...shard,
      ...range,
      first: within(range.from),
      last,
      exchanges: last === null ? 0 : ofFile,
      broken,
      settings: digestOf(settings, catalogue),
    };
    return { document: { ...document, shard: own }, broken, ofFile };
  });
  return { ...check, ended };
}

/** SHA-256 of what decides how recordings are judged; documents may lie elsewhere on another machine. */
function digestOf({ documents, ...settings }: JudgeSettings, { clauses, digests }: ClauseData): string {
  const own = documents.length > 0 ? [digests()] : [];
  return createHash("sha256")
    .update(JSON.stringify([version(), clauses, settings, ...own]))
    .digest("hex");
}

/** Judges a `.jsonl` while others write it, until `finish` is called. */
export function startFollowing(
  path: string,
  judging: Judging,
  catalogue: ClauseData,
  options: SourcesOptions,
  events: SourcesEvents,
): SourcesCheck {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => void (finish = resolve));
  const follower = createFollower(growingSegment(path, finished), { settings: settingsOf(judging, options), jobs: 1 });
  return running(follower, finish, judging, catalogue, options, events);
}

function running(
  follower: Follower,
  finish: () => void,
  judging: Judging,
  catalogue: ClauseData,
  options: SourcesOptions,
  events: SourcesEvents,
  countedFile?: number,
): SourcesCheck {
  let complete = true;
  return {
    finish() {
      finish();
      follower.finish();
    },
    abandon() {
      complete = false;
      follower.abandon();
    },
    ended: reportBatches(follower, options, judging, catalogue, events, () => complete, countedFile),
  };
}

/**
 * Judges recordings and gives the document that `check --format json` prints.
 * Throws UserError for what cannot be read, and another error where judging itself failed at an exchange.
 * @param paths cassettes, HAR files, folders of them; `-` is standard input
 */
export async function checkSources(
  paths: readonly string[],
  options: JudgingArgs & Pick<SourcesOptions, "side" | "level" | "jobs"> = {},
): Promise<CheckDocument> {
  const findings: Finding[] = [];
  const catalogue = await openClauses(options.documents);
  const { ended } = await startCheck(paths, judgingFrom(options, catalogue), catalogue, options, {
    exchange: (exchange) => void findings.push(...exchange.findings),
  });
  const { document, broken } = await ended;
  if (broken > 0) throw new Error(`judging failed at ${broken} of ${document.summary.exchanges} exchanges`);
  return { ...document, findings };
}
