/** Shrinking finds what matters in few tries, and leaves whole what must stay. */
import { expect, test } from "vitest";
import { smaller } from "./shrink.ts";

/** The smallest value that serves, and how many were tried. */
function shrunk(
  value: unknown,
  serves: (candidate: never) => boolean,
): { readonly least: unknown; readonly tries: number } {
  const steps = smaller(value, new Set(["max_tokens"]));
  let tries = 0;
  for (let step = steps.next(); ; ) {
    if (step.done) return { least: step.value, tries };
    tries++;
    step = steps.next(serves(step.value as never));
  }
}

test("three members of forty are found in fewer tries than there are members", () => {
  const value = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`m${i}`, i]));
  const { least, tries } = shrunk(value, (one: object) => ["m3", "m17", "m31"].every((name) => name in one));
  expect(least).toEqual({ m3: 3, m17: 17, m31: 31 });
  expect(tries).toBeLessThan(40);
});

test("a member that another needs goes with it, whichever stands first", () => {
  const legal = (one: object): boolean => !("choice" in one) || "tools" in one;
  const { least } = shrunk(
    { a: 1, choice: 1, tools: [1], b: 1 },
    (one: object) => legal(one) && "a" in one && "b" in one,
  );
  expect(least).toEqual({ a: 1, b: 1 });
});

test("items and texts within are left out, names and bounds on what replies cost stay", () => {
  const value = {
    model: "a-name-that-is-longer-than-any-short-text",
    max_tokens: 16,
    messages: [
      { role: "user", content: `${"word ".repeat(200)}` },
      { role: "user", content: "x" },
    ],
  };
  const { least } = shrunk(
    value,
    (one: typeof value) => "model" in one && (one.messages?.[0]?.content?.length ?? 0) >= 8,
  );
  expect(least).toEqual({ model: value.model, max_tokens: 16, messages: [{ content: "word word" }] });
});

test("a text is cut between words, and within one only where that is long", () => {
  const cut = (text: string): unknown => shrunk({ text }, (one: { text?: string }) => one.text !== undefined).least;
  expect(cut("What is the capital of France, and why?")).toEqual({ text: "What is" });
  expect(cut("Whatever is the capital of France?")).toEqual({ text: "Whatever" });
  expect(cut("Whatsoever is the capital of France?")).toEqual({ text: "Whatsoever" });
  expect(cut(`${"a".repeat(40)} and more`)).toEqual({ text: "aaaaaaaa" });
  expect(cut(`${" ".repeat(40)}end`)).toEqual({ text: " ".repeat(8) });
});

test("a text that is JSON stays whole", () => {
  const value = { arguments: JSON.stringify({ town: "Ghent", unit: "degrees Celsius, please" }, null, 2) };
  expect(shrunk(value, () => true).least).toEqual(value);
});
