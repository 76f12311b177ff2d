/** The options of `record` are read, or refused with what is wrong. */
import { expect, test } from "vitest";
import { patternsFrom } from "../redact/patterns.ts";
import { cassetteName, upstreamsByInterface, upstreamsFrom } from "./options.ts";

const interfaces = ["messages", "images"];

test.each([
  [{ upstream: "ftp://x" }, "ftp://x is not an HTTP URL"],
  [{ upstream: "nonsense" }, "nonsense is not a URL"],
  [{ upstream: "http://user:secret@h" }, "the upstream http://h has a user or a password in its URL"],
  [{ upstream: "http://h?key=k" }, "has a query or a fragment"],
  [{}, "no upstream is given"],
  [{ upstreams: { chat: "http://h" } }, "--upstream chat=http://h is not INTERFACE=URL"],
])("%j is refused: %s", (args, what) => {
  expect(() => upstreamsFrom(args, interfaces, [])).toThrow(what);
});

test.each(["chat=http://h", "messages"])("%s names no interface and its service", (text) => {
  expect(() => upstreamsByInterface([text], interfaces)).toThrow(`--upstream ${text} is not INTERFACE=URL`);
});

test("a URL behind the version is taken as the one before it, and said so", () => {
  const notes: string[] = [];
  const upstreams = upstreamsFrom(
    { upstream: "https://h/api/v1/", upstreams: upstreamsByInterface(["images=http://i/v1beta"], interfaces) },
    interfaces,
    notes,
  );
  expect(upstreams.default!.href).toBe("https://h/api");
  expect(upstreams.byInterface["images"]!.href).toBe("http://i/");
  expect(notes).toHaveLength(2);
});

test("a pattern that is no regular expression is refused", () => {
  expect(patternsFrom(["a+"])).toEqual(["a+"]);
  expect(() => patternsFrom(["("])).toThrow("Invalid regular expression");
});

test("a cassette is named after the time", () => {
  expect(cassetteName(new Date("2026-01-02T03:04:05.678Z"))).toBe("touchstone-20260102-030405.jsonl");
});
