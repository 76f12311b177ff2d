/** Holds JSON Pointers to RFC 6901. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { pointer, resolvePointer, tokensOf } from "./pointer.ts";

const document = { foo: ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, "~1": 2, nothing: null };

test.each([
  ["", document],
  ["/foo", ["bar", "baz"]],
  ["/foo/0", "bar"],
  ["/", 0],
  ["/a~1b", 1],
  ["/m~0n", 8],
  ["/~01", 2],
  ["/nothing", null],
])("%j names a value", (text, value) => expect(resolvePointer(document, text)).toEqual(value));

test.each([
  "/foo/2",
  "/foo/length",
  "/foo/00",
  "/foo/-",
  "/foo/0/x",
  "/foo/0/length",
  "/constructor",
  "/__proto__",
  "/nothing/x",
])("%j names nothing", (text) => expect(resolvePointer(document, text)).toBeUndefined());

test("tokens survive being a pointer", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom("~", "/", "0", "1", "a") })), (tokens) => {
      expect(tokensOf(pointer(...tokens))).toEqual(tokens);
    }),
    fuzz(100),
  );
});
