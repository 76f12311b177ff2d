import { expect, test } from "vitest";
import { keptInPart } from "./kept-in-part.ts";

test("an exchange kept in part explains differences of its source and of all together, and no others", () => {
  const whole = { response: "0".repeat(64) };
  const kept = [
    { source: "a", exchange: 0 },
    { source: "b", exchange: 0, whole },
    { source: "b", exchange: 1, whole },
  ];
  const { sentence, mayExplain } = keptInPart(kept, 3);
  expect(sentence).toBe("2 exchanges kept in part, too much to be judged again: of b");
  expect(mayExplain({ what: "summary: errors is 1, and should be 0" })).toBe(true);
  expect(mayExplain({ source: "b", exchange: 0, what: "a finding is missing that the exchanges show" })).toBe(true);
  expect(mayExplain({ source: "a", exchange: 0, what: "a finding is missing that the exchanges show" })).toBe(false);
  expect(mayExplain({ source: "a", exchange: 0, what: "a finding is told that the exchanges do not show" })).toBe(
    false,
  );
  const nothing = keptInPart(kept.slice(0, 1), 3);
  expect(nothing.sentence).toBeUndefined();
  expect(nothing.mayExplain({ what: "summary: errors is 1, and should be 0" })).toBe(false);
});
