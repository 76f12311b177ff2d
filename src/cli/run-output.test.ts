/** The last lines of a run count the requests that were answered only when they were sent again. */
import { expect, test } from "vitest";
import { green } from "../report/results.test-kit.ts";
import { closingText } from "./run-output.ts";

test("requests that had to be sent more than once are counted", () => {
  expect(closingText(green, undefined)).toBe("");
  expect(closingText(green, undefined, { repeated: 2 })).toMatch(/^2 requests had to be sent more than once .*\n$/);
});
