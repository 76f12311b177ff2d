/** A step of the build: bundles each page of `browser/`, a folder with a `main.tsx`, into one script and one style. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { home } from "../home.ts";

const from = join(home, "src", "browser");
const to = join(home, "dist", "src", "browser");
/** The licence of what is bundled wants its notice kept. */
const notice = `/*! preact\n${readFileSync(join(home, "node_modules", "preact", "LICENSE"), "utf8")}*/`;

/** One classic script; refuses one that would end the element it is put into. */
async function scriptOf(page: string): Promise<string> {
  const bundle = await rolldown({
    input: join(from, page, "main.tsx"),
    platform: "browser",
    tsconfig: join(from, "tsconfig.json"),
  });
  const { output } = await bundle.generate({ format: "iife", minify: true, codeSplitting: false });
  await bundle.close();
  const [{ code }] = output;
  if (/<\/script|<!--/i.test(code)) throw new Error(`the script of ${page} holds what ends a script element`);
  return `${notice}\n${code}`;
}

/** The styles of the components, then those of the page, without comments and indentation. */
function styleOf(page: string): string {
  const files = ["components", page].flatMap((folder) =>
    readdirSync(join(from, folder))
      .filter((name) => name.endsWith(".css"))
      .sort()
      .map((name) => join(from, folder, name)),
  );
  return files
    .map((file) => readFileSync(file, "utf8"))
    .join("\n")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\n\s*/g, "\n");
}

mkdirSync(to, { recursive: true });
for (const page of readdirSync(from).filter((name) => existsSync(join(from, name, "main.tsx")))) {
  writeFileSync(join(to, `${page}.js`), await scriptOf(page));
  writeFileSync(join(to, `${page}.css`), styleOf(page));
}
