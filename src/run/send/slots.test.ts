/** Simultaneous requests stay within one bound, and one that waits holds up nobody. */
import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

/** Lets all that can go on go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("no more is at work than there are places, in the order in which it came", async () => {
  const slots = createSlots(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((i) =>
    slots.within(async () => {
      begun.push(i);
      await new Promise<void>((resolve) => void (ends[i] = resolve));
      return i;
    }),
  );
  await settled();
  expect(begun).toEqual([0, 1]);
  ends[1]!();
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  for (const i of [0, 2, 3]) {
    ends[i]!();
    await settled();
  }
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

test("work that waits has others done meanwhile, and goes on before those that came later", async () => {
  const slots = createSlots(1);
  const told: string[] = [];
  let goOn = (): void => undefined;
  const waits = slots.within(async () => {
    told.push("waits");
    await slots.without(() => new Promise<void>((resolve) => void (goOn = resolve)));
    told.push("went on");
  });
  const next = slots.within(async () => {
    told.push("next");
    goOn();
    await settled();
  });
  const last = slots.within(async () => void told.push("last"));
  await Promise.all([waits, next, last]);
  expect(told).toEqual(["waits", "next", "went on", "last"]);
});

test("work that fails leaves its place", async () => {
  const slots = createSlots(1);
  await expect(slots.within(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await slots.within(async () => "asked")).toBe("asked");
});
