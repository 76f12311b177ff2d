/** Pages have five sizes of type, so that what matters stands out by its size. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../../home.ts";

const folder = join(home, "src", "browser");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css"));

test.each(files)("%s takes its type sizes from the theme", (name) => {
  const sizes = [...readFileSync(join(folder, name), "utf8").matchAll(/\bfont(?:-size)?: ([^;]+);/g)].map(
    ([, value]) => value!,
  );
  // Paper is measured in points.
  const others = sizes.filter((value) => !/var\(--size-(?:12|13|15|18|26)\)|^inherit$|^10pt$/.test(value));
  expect(others).toEqual([]);
});
