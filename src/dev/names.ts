/** Writes `schemas/formats/names.schema.json` where it is out of date; `npm run build` does it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../home.ts";
import { namesFile, namesSchema } from "./names-schema.ts";

const file = join(home, namesFile);
const text = await namesSchema();
if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
