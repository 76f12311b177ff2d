#!/usr/bin/env node
/** The program `touchstone`. */
import { runLine } from "./commands/line.ts";

// A reader that leaves early (| head) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  throw error;
});

await runLine(process.argv.slice(2));
