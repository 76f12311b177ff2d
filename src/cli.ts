#!/usr/bin/env node
/** The program `touchstone`. */

// A reader that leaves early (| head) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  throw error;
});

const args = process.argv.slice(2);
// Reading the modules takes most of the time of a small check, and much of a run: who judges, or asks, reads its own meanwhile.
if (args[0] === "check") (await import("./record/judge/launch.ts")).prepareJudge();
if (args[0] === "run") {
  (await import("./run/send/optimize-later.ts")).optimizeLater();
  (await import("./run/send/sender-thread.ts")).prepareSenderThread();
}
const { runLine } = await import("./cli/main.ts");
await runLine(args);
