/** Holds `docs/secrets.md` to what stays: each of its examples passes redaction as it is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../home.ts";
import { withoutKeys } from "./mask.ts";

const page = readFileSync(join(home, "docs", "secrets.md"), "utf8");
const examples = [...page.matchAll(/```stays\n(.*?)```/gs)].flatMap(([, lines]) => lines!.trim().split("\n"));

test("the page has examples", () => {
  expect(examples.length).toBeGreaterThan(5);
});

test.each(examples)("%s stays", (example) => {
  expect(withoutKeys(example)).toBe(example);
});
