import { defineConfig } from "vitest/config";

const isApart = (mode: string): boolean => mode === "slow" || mode === "browser";

export default defineConfig(({ mode }) => ({
  test: {
    // What takes long by itself, or a browser, has scripts of its own: npm run test:slow, npm run test:browser.
    include: [isApart(mode) ? `src/**/*.${mode}.test.ts` : "src/**/*.test.ts"],
    exclude: isApart(mode) ? [] : ["src/**/*.{slow,browser}.test.ts"],
    // The catalogue, its validators and the clients' packages are read once a thread, not once a file: no test changes what
    // modules hold. Helpers clean up with onTestFinished, since hooks beside their imports would bind to the first file only.
    // A folder for the temporary files of all tests is removed at the end.
    globalSetup: ["src/temporary-folder.test-kit.ts"],
    pool: "threads",
    isolate: isApart(mode),
    // What is printed for a runner of GitHub Actions is printed for tests that ask for it, wherever they run.
    env: { GITHUB_ACTIONS: "", GITHUB_STEP_SUMMARY: "" },
    // One more than cores: many tests wait for processes of their own.
    maxWorkers: 3,
    // Only against hangs: no test says how fast a machine is. Random tests that run n times as often may take n times as long.
    testTimeout: (isApart(mode) ? 600_000 : 180_000) * Math.max(1, Number(process.env["TOUCHSTONE_TIMES"] ?? 1)),
    hookTimeout: 180_000,
    expect: { poll: { timeout: 170_000 } },
  },
}));
