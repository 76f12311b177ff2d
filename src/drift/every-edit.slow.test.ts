/** Holds of edits of every kind, at every place of recordings of each interface, that each is told as often as it changes structure. */
import { expect, test } from "vitest";
import { everyKind } from "./edited-recordings.test-kit.ts";
import { toldOtherwise } from "./edits-told.test-kit.ts";

test.each(everyKind)("%s", async (name) => {
  expect(await toldOtherwise([name], 1)).toEqual([]);
});
