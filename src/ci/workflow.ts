/** The workflow that `touchstone init` writes: one job that starts the server, judges it, and keeps the results. */
import { quoted } from "./templates.ts";

export interface WorkflowValues {
  /** Path of the target file, from the folder. */
  readonly target: string;
  /** The folder in which touchstone is installed and run, from the root of the repository; empty for the root. */
  readonly folder: string;
  /** A line for a shell that starts the server, and where; undefined where it runs elsewhere already. */
  readonly start?: { readonly command: string; readonly folder: string } | undefined;
  /** Further arguments of `touchstone run`. */
  readonly arguments: readonly string[];
  /** Secrets of the repository that the run reads as variables. */
  readonly secrets: readonly string[];
}

/** Any text as YAML has it: JSON is YAML. */
const scalar = (text: string): string => (/^[\w][\w./-]*$/.test(text) ? text : JSON.stringify(text));
const within = (folder: string): string => (folder === "" ? "." : folder);

/** The text of `.github/workflows/conformance.yml`. */
export function workflowFor({ target, folder, start, arguments: more, secrets }: WorkflowValues): string {
  const run = ["npx", "--no-install", "touchstone", "run", target, ...(start ? ["--wait", "60"] : []), ...more]
    .map(quoted)
    .join(" ");
  const starting = start && [
    "      - name: Start the server",
    ...(start.folder === folder ? [] : [`        working-directory: ${scalar(within(start.folder))}`]),
    "        run: |",
    `          nohup sh -c ${quoted(start.command)} > "\${RUNNER_TEMP:-/tmp}/server.log" 2>&1 &`,
  ];
  return [
    "# Judges the server of this repository with touchstone; the folder of results is kept with the job.",
    "name: conformance",
    "on: [push, pull_request]",
    "permissions:",
    "  contents: read",
    "jobs:",
    "  conformance:",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 20",
    "    defaults:",
    "      run:",
    `        working-directory: ${scalar(within(folder))}`,
    "    steps:",
    "      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2",
    "      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0",
    "        with:",
    "          node-version: 22",
    "      - name: Install",
    "        run: |",
    "          if [ -f package-lock.json ]; then npm ci; elif [ -f package.json ]; then npm install; fi",
    ...(starting ?? []),
    "      - name: Judge",
    "        run: |",
    `          ${run}`,
    // What is installed, and the server, do not see them.
    ...(secrets.length > 0 ? ["        env:"] : []),
    ...secrets.map((name) => `          ${name}: \${{ secrets.${name} }}`),
    ...(start
      ? [
          "      - name: What the server said",
          "        if: failure()",
          "        run: |",
          `          tail -n 100 "\${RUNNER_TEMP:-/tmp}/server.log"`,
        ]
      : []),
    "      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2",
    "        if: always()",
    "        with:",
    "          name: conformance",
    `          path: ${scalar([...(folder === "" ? [] : [folder]), "touchstone-results"].join("/"))}`,
    "",
  ].join("\n");
}
