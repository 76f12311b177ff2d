/** Reads the script and the style of a page, as the build bundled them from `browser/`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "./home.ts";

/** The parts of a page beside its data: texts that stand in its HTML. */
export interface Bundle {
  readonly script: string;
  readonly style: string;
}

/** The folders of `browser/` that are a page each. */
export type PageName = "report" | "compare" | "live" | "drift" | "outcomes";

const bundles = new Map<PageName, Bundle>();

/** The bundle of a page, read once. Throws where the package was not built. */
export function bundleOf(page: PageName): Bundle {
  const known = bundles.get(page);
  if (known) return known;
  const path = (ending: string): string => join(home, "dist", "src", "browser", `${page}.${ending}`);
  if (!existsSync(path("js"))) throw new Error(`${path("js")} is missing: npm run build makes it`);
  const bundle = { script: readFileSync(path("js"), "utf8"), style: readFileSync(path("css"), "utf8") };
  bundles.set(page, bundle);
  return bundle;
}
