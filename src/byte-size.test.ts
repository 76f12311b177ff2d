import { expect, test } from "vitest";
import { bytesFrom, sizeText } from "./byte-size.ts";

test("sizes have units", () => {
  const bytes = ["0", "10", "2k", "64M", "64 MiB", "1GiB"].map((text) => bytesFrom(text, "--max-body"));
  expect(bytes).toEqual([0, 10, 2048, 64 << 20, 64 << 20, 1 << 30]);
  for (const size of ["", "-1", "1.5M", "many", "9".repeat(20)])
    expect(() => bytesFrom(size, "--max-body")).toThrow(`--max-body ${size} is not a size`);
  expect(sizeText((64 << 20) + 1)).toBe("65 MiB");
});
