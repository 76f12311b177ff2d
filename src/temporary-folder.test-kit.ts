/** Gives a run of the tests a temporary folder of its own, so that test kits need no hooks that remove theirs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Called by vitest before all tests. Returns what it calls after them. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-tests-"));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
