import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  test: {
    // What takes long by itself has a script of its own: npm run test:slow.
    include: [mode === "slow" ? "src/**/*.slow.test.ts" : "src/**/*.test.ts"],
    exclude: mode === "slow" ? [] : ["src/**/*.slow.test.ts"],
    // The catalogue, its validators and the clients' packages are read once a thread, not once a file: no test changes what
    // modules hold. Helpers clean up with onTestFinished, since hooks beside their imports would bind to the first file only.
    pool: "threads",
    isolate: mode === "slow",
    // What is printed for a runner of GitHub Actions is printed for tests that ask for it, wherever they run.
    env: { GITHUB_ACTIONS: "", GITHUB_STEP_SUMMARY: "" },
    // One more than cores: many tests wait for processes of their own.
    maxWorkers: 3,
    // Only against hangs: no test says how fast a machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 170_000 } },
  },
}));
