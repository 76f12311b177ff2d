/** Holds header reading: names without case, parameters quoted or not. */
import { expect, test } from "vitest";
import { headerValue, headerValues, mediaParameter, mediaType } from "./headers.ts";

const headers = [
  ["X-A", "1"],
  ["Other", "x"],
  ["x-a", "2"],
] as const;

test("names have no case, and repetitions are joined in order", () => {
  expect(headerValues(headers, "x-a")).toEqual(["1", "2"]);
  expect(headerValue(headers, "x-a")).toBe("1, 2");
  expect(headerValue(headers, "x-b")).toBeUndefined();
});

test.each([
  ["Application/JSON; charset=utf-8", "application/json"],
  [" text/event-stream ;x", "text/event-stream"],
  ["", undefined],
  [undefined, undefined],
])("the media type of %j is %s", (value, type) => expect(mediaType(value)).toBe(type));

test.each([
  ["multipart/form-data; boundary=abc", "abc"],
  ["multipart/form-data; Boundary = abc ; x=y", "abc"],
  ['multipart/form-data; boundary="a;b \\"c\\""', 'a;b "c"'],
  ['multipart/form-data; x="; boundary=no"; boundary=yes', "yes"],
  ["multipart/form-data;boundary=a=b", "a=b"],
  ["multipart/form-data; xboundary=abc", undefined],
  ["multipart/form-data", undefined],
])("the boundary of %j is %j", (value, boundary) => expect(mediaParameter(value, "boundary")).toBe(boundary));

test("a parameter is found behind whatever stands before it, in one pass", () => {
  const often = 1_000_000;
  expect(mediaParameter('a/b; x="y;z\\"", B = "c\\\\d" ; boundary=e', "boundary")).toBe("e");
  expect(mediaParameter('a/b; x="unended; boundary=e', "boundary")).toBe("e");
  expect(mediaParameter(`a/b; x="${"\\q".repeat(often)}"; boundary="e f"`, "boundary")).toBe("e f");
  expect(mediaParameter(`a/b;${" ".repeat(often)}x${"; x".repeat(often)}`, "boundary")).toBeUndefined();
});
