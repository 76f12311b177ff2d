/** The paths that the tables of each `*.bench.ts` measure: folders and files whose change may change their figures. */

const judging = ["src/check", "src/interfaces", "src/wire", "src/cassette"];
const checking = [...judging, "src/redact", "src/verdict", "src/record/judge", "src/record/follower.ts"];
const recording = ["src/proxy", "src/record", "src/redact", "src/cassette", "src/wire"];

export const measuredPaths: Readonly<Record<string, readonly string[]>> = {
  check: checking,
  judge: judging,
  memory: recording,
  page: ["src/view", "src/browser", "src/report"],
  proxy: [...recording, "src/live"],
  redact: ["src/redact", "src/wire"],
  run: [...checking, "src/run"],
  shards: checking,
};
