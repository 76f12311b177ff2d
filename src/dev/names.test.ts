/** Holds the names that editors complete to what there is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../home.ts";
import { namesFile, namesSchema } from "./names-schema.ts";

test("editors complete the clauses, recordings and needs that there are: npm run build writes them", async () => {
  const text = await namesSchema();
  expect(readFileSync(join(home, namesFile), "utf8")).toBe(text);
  const { clause, cassette, lack } = JSON.parse(text).$defs;
  expect(clause.enum).toContain("messages.request.temperature-range");
  expect(cassette.enum.every((source: string) => /^[\w-]+\/[\w-]+\/[\w-]+\.jsonl?$/.test(source))).toBe(true);
  expect(lack.enum).toEqual(expect.arrayContaining(["images", "streaming", "messages/streaming", "tools"]));
});
