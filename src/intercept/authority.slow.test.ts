/** The local authority under a client that asks for very many hosts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openAuthority } from "./authority.ts";

test("the certificate of a host is made once, and those of many do not pile up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-authority-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const authority = await openAuthority(join(folder, "authority"));
  const first = await authority.contextFor("a.example");
  expect(await authority.contextFor("a.example")).toBe(first);
  for (let i = 0; i < 1_000; i++) await authority.contextFor(`${i}.example`);
  expect(await authority.contextFor("a.example")).not.toBe(first);
});
