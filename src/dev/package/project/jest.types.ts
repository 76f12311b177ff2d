/** The matcher as the types of jest see it. */
import type { Exchange } from "touchstone";
import { matchers } from "touchstone/vitest";

expect.extend(matchers);

export async function assertions(exchanges: Exchange[]): Promise<void> {
  expect(exchanges).not.toConform({ preset: "vendors" });
  await expect("session.har").toConform();
  // @ts-expect-error: there is no such option
  expect(exchanges).toConform({ presets: "vendors" });
}
