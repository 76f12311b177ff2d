/**
 * The recorder's other half, a process of its own: takes credentials out of exchanges, appends them to the cassette and
 * judges them, away from the traffic. When the recorder is killed, it still writes what had passed, and then ends.
 */
import { frameReader } from "../capture/frames.ts";
import { collect } from "../capture/tape.ts";
import { type RedactOptions, redact } from "../cassette/redact.ts";
import { type CassetteWriter, createCassetteWriter } from "../cassette/writer.ts";
import { judge } from "../check/judge.ts";
import { joinBindings } from "../check/names.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { createTally } from "../verdict/tally.ts";
import type { Exchange } from "../wire/exchange.ts";
import { judgingFrom } from "./options.ts";
import type { KeeperMessage, KeeperSettings, Summary } from "./record-messages.ts";

const say = (message: KeeperMessage): void => void process.stdout.write(`${JSON.stringify(message)}\n`);

/** Bytes of bodies that may wait for the disk before no more is read. */
const mostWaiting = 64 << 20;

/** How many operations are counted each for itself. */
const mostOperations = 500;

/** Keeps and judges exchanges, one at a time, in the order they ended. */
async function keeper(settings: KeeperSettings, writer: CassetteWriter) {
  const catalogue = await loadCatalogue();
  const { names, policy } = judgingFrom(settings.judging);
  const bound = names.boundHeaders.map((neutral) => names.header(neutral));
  const redactOptions: RedactOptions = {
    keepHeaders: [...settings.keepHeaders, ...bound],
    patterns: settings.redact.map((source) => new RegExp(source, "i")),
  };
  const tally = createTally(catalogue.clauses, "error", false);
  const operations = new Map<string, { exchanges: number; known: boolean }>();
  const counts = { kept: 0, lost: 0, broken: 0 };
  const appends = new Set<Promise<void>>();
  let waiting = 0;
  let exchanges = 0;

  async function append(exchange: Exchange): Promise<void> {
    const size = exchange.request.body.length + (exchange.response?.body.length ?? 0);
    waiting += size;
    try {
      await writer.append(exchange);
      counts.kept++;
    } catch (error) {
      if (counts.lost++ === 0) say({ trouble: `${(error as Error).message}; traffic goes on without being recorded` });
    }
    waiting -= size;
  }

  function show(exchange: Exchange): void {
    const position = exchanges++;
    const { method, target } = exchange.request;
    const judgement = judge(exchange, { source: settings.out, exchange: position }, catalogue, { names, policy });
    tally.addJudgement(judgement);
    const path = target.split("?", 1)[0]!;
    const asked = `${method} ${path}`;
    // Anybody can ask for any number of paths.
    const unknown = operations.size < mostOperations || operations.has(asked) ? asked : "other paths";
    const operation = judgement.operation ?? unknown;
    const known = judgement.operation !== null;
    const counted = operations.get(operation) ?? { exchanges: 0, known };
    counted.exchanges++;
    operations.set(operation, counted);
    say({
      shown: {
        exchange: position,
        method,
        path,
        operation,
        known,
        status: exchange.response?.status ?? null,
        time: exchange.response?.time,
        aborted: exchange.aborted,
        findings: judgement.findings,
      },
    });
  }

  return {
    /** Resolves when there is room for more. */
    async room(): Promise<void> {
      while (waiting > mostWaiting) await Promise.race(appends);
    },
    take(whole: Exchange): void {
      try {
        const exchange = redact(whole, redactOptions);
        const written = append(exchange).finally(() => appends.delete(written));
        appends.add(written);
        show(exchange);
      } catch (error) {
        // Nothing of an exchange that we stumble over is written: it may still hold its secrets.
        counts.broken++;
        say({ trouble: `internal failure at an exchange: ${placeOf(error as Error)}` });
      }
    },
    async finish(): Promise<Summary> {
      await Promise.all(appends);
      await writer.close();
      const judged = tally.document(true);
      return { judged, operations: [...operations].map(([operation, one]) => ({ operation, ...one })), ...counts };
    },
  };
}

/** What failed and where; without its message, which may quote what passed. */
const placeOf = ({ name, stack }: Error): string => `${name} ${/^ +(at .+)$/m.exec(stack ?? "")?.[1] ?? ""}`;

// A recorder that was killed listens no more; what it had sent is kept all the same.
process.stdout.on("error", () => {});

/** The first line of the input, and the bytes behind it. */
async function readSettings(input: AsyncIterator<Buffer>): Promise<[KeeperSettings, Buffer]> {
  let bytes = Buffer.alloc(0);
  for (let end = -1; ; ) {
    end = bytes.indexOf(10);
    if (end >= 0) return [JSON.parse(bytes.toString("utf8", 0, end)), bytes.subarray(end + 1)];
    const { value, done } = await input.next();
    if (done) throw new Error("its input ended before its settings");
    bytes = Buffer.concat([bytes, value]);
  }
}

try {
  const input = process.stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const [settings, first] = await readSettings(input);
  const bindings = joinBindings(judgingFrom(settings.judging).bindings) as Readonly<Record<string, unknown>>;
  const header = { title: "recorded by touchstone record", ...(Object.keys(bindings).length > 0 && { bindings }) };
  const writer = await createCassetteWriter(settings.out, header);
  // The catalogue takes its time; what passes until then waits in the pipe.
  say({ ready: true });
  const { take, room, finish } = await keeper(settings, writer);
  const tape = collect(take);
  const read = frameReader(tape);
  for (let bytes: Buffer | undefined = first; bytes; bytes = await next(input)) {
    read(bytes);
    await room();
  }
  tape.flush();
  say({ summary: await finish() });
} catch (error) {
  const { message, remedy } = error as Error & { remedy?: string };
  say({ failure: { message, remedy } });
  process.stdin.destroy();
}

/** The next bytes; none at the end, however it came about. */
async function next(input: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  try {
    const { value, done } = await input.next();
    return done ? undefined : value;
  } catch {
    return undefined;
  }
}
