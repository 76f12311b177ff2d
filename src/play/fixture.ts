/** A cassette as a fixture of tests: played, and recorded where that is wanted, as nock.back and vcr do it. */
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { reasonOf, UserError } from "../user-error.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { shellOperand } from "../wire/shell.ts";
import { digestsOf, replaceRecordings } from "./merge.ts";
import type { RecordMisses } from "./miss-recorder.ts";
import type { PlayCounts } from "./session.ts";

/**
 * When the service is asked: `once` for each request that the cassette lacks, `always` for every one, whose recordings are then
 * replaced, `never` for none.
 */
export const recordModes = ["once", "always", "never"] as const;
export type RecordMode = (typeof recordModes)[number];

/** The terms of playing a fixture. */
export interface Fixture {
  /** The cassettes that are loaded and played. */
  readonly cassettes: readonly string[];
  readonly recordMisses: RecordMisses | undefined;
  /** Whether only whole responses are played. */
  readonly onlyWhole: boolean;
  /**
   * Puts what was recorded in place; to be called once all of it is written.
   * @param has whether a request was recorded
   */
  readonly finish: (
    counts: Pick<PlayCounts, "recorded" | "failed" | "broken">,
    has: (request: WireRequest) => boolean,
  ) => Promise<Finished>;
}

/** How recording to a fixture has ended. */
export interface Finished {
  /** A sentence for people if not everything is in the cassette. */
  readonly sentence?: string;
  /** Whether recordings are missing there, since it could not be written. */
  readonly lacks: boolean;
}

/** Recordings that are played and not added to. */
export const played = (cassettes: readonly string[], recordMisses?: RecordMisses, onlyWhole = false): Fixture => ({
  cassettes,
  recordMisses,
  onlyWhole,
  async finish({ broken: lacks }) {
    const sentence = `${recordMisses?.out} does not have everything that was recorded: it could not be written`;
    return { lacks, ...(lacks && { sentence }) };
  },
});

/** Variable that says the mode where nobody else does. */
const variable = "TOUCHSTONE_RECORD";

const isMode = (text: string): text is RecordMode => (recordModes as readonly string[]).includes(text);

/** The mode that was said, or that TOUCHSTONE_RECORD says, or `once`; UserError for another word. */
export function recordModeFrom(said: string | undefined, environment: NodeJS.ProcessEnv = process.env): RecordMode {
  const mode = said ?? environment[variable] ?? "once";
  if (isMode(mode)) return mode;
  const where = said === undefined ? variable : "--mode";
  throw new UserError(`${where} ${mode} is none of ${recordModes.join(", ")}`, "Write for example --mode once.");
}

/**
 * The cassettes to play and the one to record to; UserError for what cannot be added to.
 * @param cassettes the one cassette of lines, which need not be there yet
 * @param upstream base URL of the service
 * @param prune whether `always` also removes the recordings that nobody asked for
 */
export async function fixtureOf(
  cassettes: readonly string[],
  upstream: string,
  mode: RecordMode,
  prune = false,
): Promise<Fixture> {
  const [cassette] = cassettes;
  if (cassette === undefined || cassettes.length > 1)
    throw new UserError(
      `--record adds to one cassette, and ${cassettes.length} are named`,
      "Name one .jsonl file, or leave --record out.",
    );
  const found = statSync(cassette, { throwIfNoEntry: false });
  if (mode === "never") {
    if (!found)
      throw new UserError(
        `${cassette}: there is no such cassette, and the mode never records none`,
        `Record it with the mode once (${variable}=once), and commit it.`,
      );
    return played(cassettes, undefined, true);
  }
  if (!cassette.endsWith(".jsonl"))
    throw new UserError(
      `${cassette}: only a .jsonl cassette can be added to`,
      `touchstone convert ${shellOperand(cassette)} --out NAME.jsonl makes one.`,
    );
  if (mode === "once")
    return played(found && found.size > 0 ? cassettes : [], { upstream, out: cassette, adds: true }, true);
  // What is recorded goes to a file of this process alone until it is whole: a killed session loses nothing that was there.
  const out = `${cassette}.${process.pid}-${randomUUID().slice(0, 8)}.new`;
  const before = await digestsOf(cassette);
  return {
    cassettes: [],
    recordMisses: { upstream, out },
    onlyWhole: true,
    async finish({ recorded, failed, broken }, has) {
      if (recorded === 0) {
        await rm(out, { force: true });
        const sentence = `${cassette} is left as it was, since nothing was recorded`;
        return { lacks: false, ...(failed > 0 && { sentence }) };
      }
      if (broken)
        return {
          sentence: `${cassette} is left as it was, since not everything was written; what was is in ${out}`,
          lacks: true,
        };
      const isReplaced = (digest: string, request: WireRequest): boolean =>
        before.has(digest) && ((prune && failed === 0) || has(request));
      try {
        await replaceRecordings(cassette, out, isReplaced);
      } catch (error) {
        return {
          sentence: `${cassette} is left as it was: ${reasonOf(error)}; what was recorded is in ${out}`,
          lacks: true,
        };
      }
      const sentence = `${cassette}: ${failed} ${failed === 1 ? "request" : "requests"} got no whole response; earlier recordings stay`;
      return { lacks: false, ...(failed > 0 && { sentence }) };
    },
  };
}
