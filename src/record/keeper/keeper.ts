/**
 * The recorder's other half, a process of its own: takes credentials out of exchanges and appends them to the cassette,
 * away from the traffic. When the recorder is killed, it still writes what had passed, and then ends.
 */

import { type CassetteWriter, createCassetteWriter } from "../../cassette/writer.ts";
import { createHeadJudge } from "../../check/judge-heads.ts";
import { joinBindings, namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { collectExchanges } from "../../proxy/collector.ts";
import { type RedactOptions, redact } from "../../redact/redact.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { placeOf, surviveFaults } from "../faults.ts";
import { createFrameDecoder } from "./frame-decoder.ts";
import { type Input, readInput } from "./input.ts";
import type { KeeperMessage, KeeperSettings, Kept } from "./messages.ts";
import { createSnapshots } from "./snapshots.ts";

const say = (message: KeeperMessage): void => void process.stdout.write(`${JSON.stringify(message)}\n`);

/**
 * Bytes of bodies that may wait for being redacted and for the disk before no more is read. Traffic runs at full speed until
 * then; what the recorder has handed over is safe here when it is killed.
 */
const maxWaiting = 40 << 20;

/** Milliseconds between two states that are said, and bytes of exchanges after which the next one is said at once. */
const stateEvery = 200;
const stateAfter = 4 << 20;

/** Milliseconds of decoding between reads. */
const slice = 2;

const sizeOf = ({ request, response }: Exchange): number => request.body.length + (response?.body.length ?? 0);

/** Bytes of an exchange after which garbage is collected. */
const large = 4 << 20;

/** Collects garbage soon: V8 takes its time with large buffers, and the next exchange may be as large. */
function collectGarbage(): void {
  setTimeout(() => globalThis.gc?.());
}

/**
 * Opens the documents, as far as they describe heads: without the code of their folders, which must see no credentials. A keeper
 * that goes on after another one keeps exchanges also if they cannot be read any more.
 */
async function headJudge({ documents, bindings, after }: KeeperSettings): Promise<RedactOptions["heads"]> {
  if (documents.length === 0) return undefined;
  try {
    return createHeadJudge(await openCatalogue(documents, false), namesFrom(...bindings));
  } catch (error) {
    if (!after) throw error;
    say({ trouble: `values that are masked from now on are not judged: ${(error as Error).message}` });
    return undefined;
  }
}

/** Keeps exchanges, one at a time, in the order they ended. */
function keeper(settings: KeeperSettings, heads: RedactOptions["heads"], writer: CassetteWriter, input: Input) {
  const { after } = settings;
  const bound = namesFrom(...settings.bindings).ownHeaders.map(({ own }) => own);
  const redactOptions = {
    keepHeaders: [...settings.keepHeaders, ...bound],
    patterns: settings.redact.map((source) => new RegExp(source, "i")),
    remembered: new Set(after?.remembered),
    heads,
  } satisfies RedactOptions;
  const counts = { lost: 0, broken: 0, ...after?.counts, kept: writer.position().exchanges };
  const appends = new Set<Promise<void>>();
  let working = false;
  /** Bytes of exchanges that are on their way to the disk. */
  let writing = 0;
  /** Whether no more is read until there is room. */
  let full = false;
  let unreadable = false;
  let settled = (): void => {};
  let stating: NodeJS.Timeout | undefined;
  /** Bytes of exchanges written since the last state. */
  let unstated = 0;
  /** Credentials that the recorder knows of, should another keeper have to go on. */
  let handedOn = new Set(after?.remembered);

  function sayState(): void {
    clearTimeout(stating);
    stating = undefined;
    unstated = 0;
    const { lost, broken } = counts;
    const remembered = [...redactOptions.remembered];
    handedOn = new Set(remembered);
    say({ state: { position: writer.position(), counts: { lost, broken }, gap: writer.gap(), remembered } });
  }

  async function append(exchange: Exchange, id: number): Promise<void> {
    try {
      await writer.append(exchange);
      looks.ended(id, counts.kept++);
    } catch {
      counts.lost++;
      say({ refused: { id, as: "lost", gap: writer.gap() } });
    }
  }

  const collector = collectExchanges(keep);
  const looks = createSnapshots(collector.underWay, redactOptions);
  const decoder = createFrameDecoder({
    ...collector,
    look: (question) => say({ answer: looks.answer(JSON.parse(question)) }),
  });
  const waiting = (): number => decoder.size() + (writer.isFailing() ? 0 : writing);
  // A disk that fails must not hold up the traffic.
  setInterval(makeRoom, stateEvery).unref();

  /** Decodes what waits, a slice at a time, so that reading goes on meanwhile. */
  function work(): void {
    const until = performance.now() + slice;
    try {
      decoder.decode(() => performance.now() >= until);
    } catch {
      unreadable = true;
      input.close();
    }
    working = decoder.waits() && !unreadable;
    if (working) setImmediate(work);
    else settled();
    makeRoom();
  }

  function makeRoom(): void {
    if (!full || waiting() > maxWaiting) return;
    full = false;
    input.resume();
  }

  function keep(whole: Exchange, id: number): void {
    const size = sizeOf(whole);
    writing += size;
    let written: Promise<void> | undefined;
    try {
      const redacted = redact(whole, redactOptions);
      if ([...redactOptions.remembered].some((credential) => !handedOn.has(credential))) sayState();
      written = append(redacted, id);
    } catch (error) {
      // An exchange that could not be redacted is not written.
      counts.broken++;
      say({ refused: { id, as: "broken" } });
      say({ trouble: `internal failure at an exchange: ${placeOf(error as Error)}` });
    }
    const end = (written ?? Promise.resolve()).then(() => {
      appends.delete(end);
      writing -= size;
      unstated += size;
      if (unstated > stateAfter) sayState();
      else stating ??= setTimeout(sayState, stateEvery).unref();
      makeRoom();
      if (size > large) collectGarbage();
    });
    appends.add(end);
  }

  return {
    /** Takes bytes of frames; false where no more should come until the input is resumed. */
    take(bytes: Buffer): boolean {
      decoder.add(bytes);
      if (!working) setImmediate(work);
      working = true;
      full = waiting() > maxWaiting;
      return !full;
    },
    /** Writes what is left; throws where the input held no frames, after keeping what did. */
    async finish(): Promise<Kept> {
      if (working) await new Promise<void>((resolve) => void (settled = resolve));
      collector.endOpen();
      await Promise.all([writer.close(), ...appends]);
      if (unreadable) throw new Error("what the recorder sent cannot be read; this recording process has ended");
      return counts;
    },
  };
}

// Nobody reads the output of a keeper whose recorder was killed; it keeps what was sent all the same.
process.stdout.on("error", () => {});
surviveFaults((trouble) => say({ trouble }));

const input = readInput();
try {
  const settings: KeeperSettings = JSON.parse(await input.settings);
  const bindings = joinBindings(settings.bindings) as Readonly<Record<string, unknown>>;
  const header = { title: "recorded by touchstone record", ...(Object.keys(bindings).length > 0 && { bindings }) };
  const { out, after } = settings;
  const writer = await createCassetteWriter(out, {
    header,
    from: after?.position,
    gap: after?.gap,
    sync: settings.sync,
    trouble: (trouble) => say({ trouble }),
  });
  const heads = await headJudge(settings);
  say({ ready: writer.position() });
  const { take, finish } = keeper(settings, heads, writer, input);
  await input.each(take);
  say({ kept: await finish() });
} catch (error) {
  const { message, remedy } = error as Error & { remedy?: string };
  say({ failure: { message, remedy } });
  input.close();
}
