/** A cassette as a fixture of tests: played, and recorded where that is wanted, as nock.back and vcr do it. */
import { renameSync, rmSync, statSync } from "node:fs";
import { UserError } from "../user-error.ts";
import type { RecordMisses } from "./miss-recorder.ts";
import type { PlayCounts } from "./session.ts";

/**
 * When the service is asked: `once` for each request that the cassette lacks, `always` for every one, so that the cassette is made
 * anew, `never` for none.
 */
export const recordModes = ["once", "always", "never"] as const;
export type RecordMode = (typeof recordModes)[number];

/** The terms of playing a fixture. */
export interface Fixture {
  /** The cassettes that are loaded and played. */
  readonly cassettes: readonly string[];
  readonly recordMisses: RecordMisses | undefined;
  /**
   * Puts what was recorded in place; to be called once all of it is written.
   * @returns what people should know, where it was left aside since not all of it could be recorded
   */
  readonly finish: (counts: Pick<PlayCounts, "recorded" | "failed" | "broken">) => string | undefined;
}

/** Recordings that are played and not added to. */
export const played = (cassettes: readonly string[], recordMisses?: RecordMisses): Fixture => ({
  cassettes,
  recordMisses,
  finish: () => undefined,
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
 */
export function fixtureOf(cassettes: readonly string[], upstream: string, mode: RecordMode): Fixture {
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
    return played(cassettes);
  }
  if (!cassette.endsWith(".jsonl"))
    throw new UserError(
      `${cassette}: only a .jsonl cassette can be added to`,
      `touchstone convert ${cassette} --out NAME.jsonl makes one.`,
    );
  if (mode === "once") return played(found && found.size > 0 ? cassettes : [], { upstream, out: cassette, adds: true });
  // The new cassette stands beside the old one until it is whole: a killed session loses nothing.
  const out = `${cassette}.new`;
  rmSync(out, { force: true });
  return {
    cassettes: [],
    recordMisses: { upstream, out },
    finish({ recorded, failed, broken }) {
      if (recorded > 0 && failed === 0 && !broken) {
        renameSync(out, cassette);
        return undefined;
      }
      if (recorded === 0) rmSync(out, { force: true });
      return `${cassette} is left as it was, since ${recorded === 0 ? "nothing was recorded" : `not everything was recorded; what was is in ${out}`}`;
    },
  };
}
