/** The last lines of a run name requests that were never answered, and count those that were answered later. */
import { expect, test } from "vitest";
import { green } from "../report/results.test-kit.ts";
import { closingText } from "./run-output.ts";

test("a request that is never answered is named, and is none of those whose last answer counts", () => {
  const one = "probes/messages/request/top-k-type #2 (4 times: the connection was reset)";
  expect(closingText(green, undefined, { unanswered: [one] })).toBe(
    `WARNING: 1 request never answered, as if the server crashed: ${one}\n`,
  );
  expect(closingText(green, undefined, { repeated: 2, unanswered: ["d", "c", "b", "a"] })).toMatch(
    /^2 requests had to be sent more than once .*\nWARNING: 4 requests never answered, .*: a; b; c; and 1 more\n$/,
  );
});
