/** Keeps the probes of users' own documents in the user's cache: making them takes seconds for a large document. */
import { createHash } from "node:crypto";
import type { Catalogue } from "../../check/catalogue.ts";
import { type Probes, readProbes, writeProbes } from "../../check/probe.ts";
import { version } from "../../home.ts";
import { openUserCache, type UserCache } from "../../user-cache.ts";

/**
 * The name under which the probes of a catalogue's own documents are kept: the version, and the bytes of all files that describe
 * them. Undefined where they are made of anything else: code may do what it likes, and recordings stay where they are.
 */
export async function nameOfProbes(catalogue: Catalogue): Promise<string | undefined> {
  const { interfaces, own, digests, recordings, unusedCode } = catalogue;
  const described = interfaces.filter(({ name }) => own.has(name));
  if (unusedCode || described.some(({ code }) => code !== undefined)) return undefined;
  if (Object.keys(await recordings()).length > 0) return undefined;
  const names = described.map(({ name, document }) => [name, document]);
  const files = Object.entries(digests()).sort(([a], [b]) => (a < b ? -1 : 1));
  const key = JSON.stringify([version(), process.versions.node, names, files]);
  return `probes-${createHash("sha256").update(key).digest("hex")}`;
}

/** The probes of a catalogue's own documents: kept ones, or else those that are made now. */
export async function keptProbes(
  catalogue: Catalogue,
  make: () => Promise<Probes>,
  cache: UserCache = openUserCache(),
): Promise<Probes> {
  const name = await nameOfProbes(catalogue);
  if (name === undefined) return make();
  const kept = cache.read(name);
  if (kept !== undefined) return readProbes(kept);
  const made = await make();
  cache.keep(name, writeProbes(made));
  return made;
}
