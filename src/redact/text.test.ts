/** What programs print loses its credentials, and nothing else. */
import { expect, test } from "vitest";
import { redactText } from "./text.ts";

test("keys and named values go, and plain text stays to the letter", () => {
  const key = `sk-${"abcdEFGH1234".repeat(3)}`;
  const printed = redactText(`asking with ${key}\nAuthorization: Bearer hunter-22-hunter-22\nbrisk amber falcon ü`);
  expect(printed).not.toContain(key);
  expect(printed).not.toContain("hunter-22");
  expect(printed).toContain("asking with ");
  expect(printed).toContain("brisk amber falcon ü");
  expect(redactText("The quick answer.\r\n\tDone: 42 tokens")).toBe("The quick answer.\r\n\tDone: 42 tokens");
  expect(redactText("")).toBe("");
});
