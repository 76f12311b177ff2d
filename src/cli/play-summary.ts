/** The summary of `touchstone play`: what was played, missed and left over. */
import { linesOf, sentenceOf } from "../play/miss.ts";
import { nameOf } from "../play/recording.ts";
import type { PlayCounts } from "../play/session.ts";

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Recordings listed in the summary. */
const maxListed = 50;

/** Says what was played, missed and left over, as lines. */
export function summaryOf(counts: PlayCounts, isRecording: boolean): string {
  const text: string[] = [];
  const say = (line: string): void => void text.push(`${line}\n`);
  const { requests, missed, misses, recordings, played, unasked, recorded, failed, refusals } = counts;
  say(`answered ${counted(requests, "request")} from ${played} of ${counted(recordings, "recording")}`);
  if (isRecording) say(`recorded ${counted(recorded, "new exchange")}, failed to record ${failed}`);
  if (refusals.length > 0) say(`recorded ${counted(refusals.length, "error response")}, which will be played again:`);
  for (const { exchange } of refusals.slice(0, maxListed))
    say(`  ${exchange.response!.status} ${exchange.request.method} ${exchange.request.target.split("?", 1)[0]}`);
  if (refusals.length > maxListed) say(`  and ${refusals.length - maxListed} more`);
  if (missed > 0) say(`not recorded: ${counted(missed, "request")}`);
  for (const { miss, times } of misses) {
    say(`  ${sentenceOf(miss)}${times > 1 ? ` (${times} times)` : ""}`);
    const lines = linesOf(miss);
    if (lines) say(lines.replace(/^/gm, "    "));
  }
  if (unasked.length > 0) say(`nobody asked for ${counted(unasked.length, "recording")}:`);
  for (const recording of unasked.slice(0, maxListed)) {
    const { method, target } = recording.exchange.request;
    say(`  ${nameOf(recording)}: ${method} ${target.split("?", 1)[0]}`);
  }
  if (unasked.length > maxListed) say(`  and ${unasked.length - maxListed} more`);
  return text.join("");
}
