/** The tests of one interface: one a recording, in a block for each section. `run` runs them in a thread, people in their own vitest. */
import type { Recording } from "../plan/recordings.ts";

/** The place where tests are declared: `describe` and `test` of a runner. */
export interface Declaring {
  describe(title: string, declare: () => void): void;
  /** @param title what the recording shows */
  test(title: string, recording: Recording): void;
}

export interface Suite {
  readonly interface: string;
  /** Sections of recordings, in the order of the tests, with what they show in words. */
  readonly sections: Readonly<Record<string, string>>;
  /** Declares a test for each recording of the interface; recordings of other interfaces are left out. */
  declare(recordings: readonly Recording[], declaring: Declaring): void;
}

/** The title of a recording: `messages/streaming/tool-use.json` is `tool use`. */
const titleOf = ({ source }: Recording): string =>
  source
    .slice(source.lastIndexOf("/") + 1)
    .replace(/\.jsonl?$/, "")
    .replaceAll("-", " ");

/** The suite of an interface. @param sections each with what its recordings show, in words */
export function suiteOf(name: string, sections: Suite["sections"]): Suite {
  return {
    interface: name,
    sections,
    declare(recordings, { describe, test }) {
      const own = recordings.filter((recording) => recording.interface === name);
      for (const section of new Set([...Object.keys(sections), ...own.map((recording) => recording.section)])) {
        const ofSection = own.filter((recording) => recording.section === section);
        if (ofSection.length === 0) continue;
        describe(sections[section] ?? section, () => {
          for (const recording of ofSection) test(titleOf(recording), recording);
        });
      }
    },
  };
}
