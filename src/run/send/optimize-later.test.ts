/** The engine's options change with its versions. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { home } from "../../home.ts";

test("the engine that runs this knows the option that it is given", () => {
  const { href } = pathToFileURL(join(home, "dist", "src", "run", "send", "optimize-later.js"));
  const program = `import { optimizeLater } from ${JSON.stringify(href)}; optimizeLater();`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
