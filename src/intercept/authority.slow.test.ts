/** The authority of a session under a client that asks for very many hosts. */
import { expect, onTestFinished, test } from "vitest";
import { openAuthority } from "./authority.ts";

test("the certificate of a host is made once, and those of many do not pile up", async () => {
  const authority = await openAuthority(["*.example"]);
  onTestFinished(authority.remove);
  const first = await authority.contextFor("a.example");
  expect(await authority.contextFor("a.example")).toBe(first);
  for (let i = 0; i < 1_000; i++) await authority.contextFor(`${i}.example`);
  expect(await authority.contextFor("a.example")).not.toBe(first);
});
