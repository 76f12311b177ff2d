/** Runs `play`: loads recordings, serves them until a signal comes, and sums up. */
import { openSource } from "../cassette/read.ts";
import { listSources } from "../cassette/sources.ts";
import { tellAddress } from "../cli/options.ts";
import type { PlayArgs } from "../cli/play.ts";
import { parseListen } from "../wire/listen-address.ts";
import { openServer } from "../wire/open-server.ts";
import { createGaps, type Gaps } from "./gaps.ts";
import { createLibrary, type Library } from "./library.ts";
import { linesOf, nameOf, sentenceOf } from "./miss.ts";
import { createPlayer, type Player } from "./player.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Recordings listed in the summary. */
const mostListed = 50;

async function load(paths: readonly string[], headers: readonly string[]): Promise<Library> {
  const library = createLibrary(headers);
  const sources = await listSources(paths);
  for (const path of sources) {
    const source = await openSource(path);
    for await (const { exchange, index } of source) {
      library.add(exchange, path, index);
      if (exchange.request.cut)
        say(`${path}, exchange ${index}: its request was not kept whole; it answers any body sent to that address.`);
      if (exchange.response?.cut)
        say(`${path}, exchange ${index}: its response was not kept whole; it breaks off where it was cut.`);
    }
    for (const note of source.notes) say(note);
  }
  say(`${counted(library.all.length, "recording")} from ${counted(sources.length, "file")}`);
  return library;
}

/** Prints what was played, missed and left over; whether nothing was missed and nothing left over. */
function sumUp(player: Player, library: Library, gaps: Gaps | undefined): boolean {
  const { listed, count } = player.misses();
  const unasked = player.unasked();
  const recorded = gaps?.recorded() ?? [];
  const left = unasked.filter((taped) => !recorded.includes(taped));
  say(
    `answered ${counted(player.requests(), "request")} from ${library.all.length - unasked.length} of ${counted(library.all.length, "recording")}`,
  );
  if (gaps) say(`recorded ${counted(recorded.length, "new exchange")}, failed to record ${gaps.failed()}`);
  if (count > 0) say(`not recorded: ${counted(count, "request")}`);
  for (const { miss, times } of listed) {
    say(`  ${sentenceOf(miss)}${times > 1 ? ` (${times} times)` : ""}`);
    const lines = linesOf(miss);
    if (lines) say(lines.replace(/^/gm, "    "));
  }
  if (left.length > 0) say(`nobody asked for ${counted(left.length, "recording")}:`);
  for (const taped of left.slice(0, mostListed))
    say(`  ${nameOf(taped)}: ${taped.exchange.request.method} ${taped.exchange.request.target.split("?", 1)[0]}`);
  if (left.length > mostListed) say(`  and ${left.length - mostListed} more`);
  return count === 0 && left.length === 0 && !gaps?.failed();
}

/** Serves until SIGINT or SIGTERM; sets the exit code. */
export async function play(args: PlayArgs, pace: number): Promise<void> {
  const at = parseListen(args.listen);
  const headers = (args.matchHeader ?? []).map((name) => name.toLowerCase());
  const library = await load(args.cassettes, headers);
  const gaps = args.onMiss === "record" ? await createGaps(args, library) : undefined;
  const player = createPlayer(library, { pace, headers, once: args.once, ...(gaps && { fill: gaps.fill }) });
  const server = await openServer(player.handler, args).catch(async (error: unknown) => {
    await gaps?.close();
    throw error;
  });
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await server.close();
    await gaps?.close();
    const complete = sumUp(player, library, gaps);
    process.exit(gaps?.broken() ? 2 : args.strict && !complete ? 1 : 0);
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  tellAddress(server.url, at.host);
}
