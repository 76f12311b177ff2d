/** Makes a page of one exchange with its findings, as the report page would show it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { home } from "../../home.ts";
import { pageHtml } from "../../report/page/html.ts";
import { packed } from "../../report/page/pack.ts";
import type { EvidencePage } from "./evidence.test-page.tsx";

const from = join(home, "src", "browser", "components");

/** The script, bundled once a file of tests. */
const script = (async () => {
  const bundle = await rolldown({
    input: join(from, "evidence.test-page.tsx"),
    platform: "browser",
    tsconfig: join(home, "src", "browser", "tsconfig.json"),
  });
  const { output } = await bundle.generate({ format: "iife", codeSplitting: false });
  await bundle.close();
  return output[0].code;
})();

const style = readdirSync(from)
  .filter((name) => name.endsWith(".css"))
  .sort()
  .map((name) => readFileSync(join(from, name), "utf8"))
  .join("\n");

/** Writes the page to a file; gives its path. */
export async function evidencePage(folder: string, name: string, data: EvidencePage): Promise<string> {
  const file = join(folder, `${name}.html`);
  const blocks = [packed(JSON.stringify(data))];
  writeFileSync(file, [...pageHtml({ title: name, summary: "", script: await script, style, blocks })].join(""));
  return file;
}
