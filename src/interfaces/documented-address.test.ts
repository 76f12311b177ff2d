/** Some addresses stand for the documented one of their operation. */
import { expect, test } from "vitest";
import { ofVendors } from "./documented-address.ts";
import { interfaces } from "./index.ts";

const standing = ofVendors(interfaces);
const targetOf = (target: string): string =>
  standing({ method: "POST", target, headers: [], body: Buffer.alloc(0) }).target;

test.each([
  ["/v1/models/a:generateContent", "/v1beta/models/a:generateContent"],
  ["/gateway/v1alpha/models/a:streamGenerateContent?alt=sse", "/gateway/v1beta/models/a:streamGenerateContent?alt=sse"],
  ["/v3/chat/completions", "/v1/chat/completions"],
  ["http://host:1/v1/models/a:generateContent?key=k", "http://host:1/v1beta/models/a:generateContent?key=k"],
])("%s stands for %s", (other, documented) => {
  expect(targetOf(other)).toBe(documented);
});

test.each([
  "/v1beta/models/a:generateContent",
  "/v9/models/a:generateContent",
  "/models/a:generateContent",
  "/v2/messages",
  "/v1/files",
])("%s stands for itself", (target) => {
  expect(targetOf(target)).toBe(target);
});
