/** Has the engine optimize functions later than it does by itself. */
import { setFlagsFromString } from "node:v8";

/**
 * A run executes most of its code a few thousand times at most. The engine of Node 20 takes a third of the run's processor time
 * to optimize it, which that does not repay. Later engines know no such option, and compile more cheaply.
 */
export function optimizeLater(): void {
  if (process.versions.v8.startsWith("11.")) setFlagsFromString("--interrupt-budget=1000000");
}
