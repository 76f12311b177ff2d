/** Builds `dist/`: `node build.mjs` makes what is out of date, `--clean` makes all of it, `node build.mjs STEP` one step. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(fileURLToPath(import.meta.url));
const dist = join(home, "dist");
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

const node = (...args) => execFileSync(process.execPath, args, { cwd: home, stdio: "inherit" });
const compile = (project, name, ...options) =>
  node(compiler, "-p", project, "--incremental", "--tsBuildInfoFile", join(dist, `${name}.tsbuildinfo`), ...options);

/** Every file below the folders whose name fits, sorted; a path that is a file stands for itself. */
function filesOf(paths, pattern) {
  return paths
    .flatMap((path) => {
      const at = join(home, path);
      if (!existsSync(at)) return [];
      if (statSync(at).isFile()) return [at];
      const entries = readdirSync(at, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && pattern.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name));
    })
    .sort();
}

/** Removes what was compiled from files that are gone. */
function removeOrphans() {
  for (const file of filesOf(["dist/src", "dist/suites"], /\.js$/)) {
    const source = join(home, file.slice(dist.length + 1).replace(/\.js$/, ".ts"));
    const isBundle = dirname(file) === join(dist, "src", "browser");
    if (!isBundle && !existsSync(source)) rmSync(file);
  }
}

/** A step runs where `inputs` (folders, a pattern of names) have changed since it last ran; without `inputs`, always. */
const steps = {
  compile: {
    run() {
      removeOrphans();
      compile("tsconfig.json", "main", "--declarationDir", join(dist, "declarations"));
      chmodSync(join(dist, "src", "cli.js"), 0o755);
    },
  },
  validators: {
    inputs: [["schemas", "dist/src/check", "dist/src/wire"], /\.js(on)?$/],
    run: () => node("dist/src/check/generate.js"),
  },
  probes: {
    inputs: [
      ["schemas", "dist/src/check", "dist/src/interfaces", "dist/src/prove", "dist/src/wire"],
      /(?<!\.test|\.test-kit)\.js(on)?$/,
    ],
    run: () => node("dist/src/prove/generate-probes.js"),
  },
  names: { run: () => node("dist/src/dev/names.js") },
  pages: {
    run() {
      compile("src/browser", "browser");
      node("dist/src/dev/bundle.js");
    },
  },
  declarations: { run: () => node("dist/src/dev/declarations.js") },
};

function digestOf([paths, pattern]) {
  const hash = createHash("sha256");
  for (const file of filesOf(paths, pattern)) hash.update(`${relative(home, file)}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

function runStep(name, force) {
  const { inputs, run } = steps[name];
  if (inputs === undefined) return run();
  const stamp = join(dist, "generated", `${name}.sha256`);
  const digest = digestOf(inputs);
  if (!force && existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  run();
  writeFileSync(stamp, digest);
}

/** What everything is built from. A lock file stands for the packages. */
const sources = [
  ["src", "suites", "schemas", "recordings", "build.mjs", "tsconfig.json", "package.json", "package-lock.json"],
  /./,
];

/** Runs every step, unless no source has changed since all of them ran. */
function buildAll() {
  const stamp = join(dist, "generated", "all.sha256");
  const digest = digestOf(sources);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  rmSync(stamp, { force: true });
  for (const name of Object.keys(steps)) runStep(name, false);
  writeFileSync(stamp, digest);
}

const [step] = process.argv.slice(2);
if (step === "--clean") rmSync(dist, { recursive: true, force: true });
else if (step !== undefined && !(step in steps)) {
  console.error(`build.mjs: no step is called ${step}; steps: ${Object.keys(steps).join(", ")}`);
  process.exit(2);
}
mkdirSync(join(dist, "generated"), { recursive: true });
try {
  if (step in steps) runStep(step, true);
  else buildAll();
} catch (error) {
  // A step that fails has said why.
  process.exit(error.status ?? 1);
}
