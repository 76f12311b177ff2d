/**
 * The authority of one session: it signs certificates of the hosts that `record --intercept` opens, and of no others. Its key is in
 * memory alone. Its certificate is a file of the session, and nothing trusts it that is not told to.
 */
import { mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { type CertificateAuthority, makeAuthority } from "./certificates.ts";
import { namesOf } from "./hosts.ts";

export interface Authority {
  /** The file of its certificate, in a folder of the session. */
  readonly path: string;
  /** Its certificate as PEM. */
  readonly certificate: string;
  /** When it ends. */
  readonly end: Date;
  /** What a server needs that speaks as a host; made once a host, as long as few thousand hosts are asked for. */
  contextFor(host: string): Promise<SecureContext>;
  /** Removes the folder. */
  remove(): void;
}

/** Certificates of hosts that are kept for the next connection. */
const maxContexts = 1_000;

/** Makes an authority. @param hosts those that it may speak as, as `hostsOf` takes them */
export async function openAuthority(hosts: readonly string[]): Promise<Authority> {
  const authority = await makeAuthority("touchstone record, authority of one session", namesOf(hosts));
  const { certificate, end } = authority;
  const folder = mkdtempSync(join(tmpdir(), "touchstone-intercept-"));
  const path = join(folder, "certificate.pem");
  const remove = (): void => {
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  writeFileSync(path, certificate, { mode: 0o600 });
  return { path, certificate, end, contextFor: createContexts(authority), remove };
}

/** Makes the certificate of each host once; those that were asked for last are kept. */
function createContexts(authority: CertificateAuthority): Authority["contextFor"] {
  const kept = new Map<string, Promise<SecureContext>>();
  return (host) => {
    const known = kept.get(host);
    const context =
      known ??
      authority
        .issue(host)
        .then(({ certificate, key }) => createSecureContext({ cert: certificate, key, minVersion: "TLSv1.2" }));
    // The latest stands last.
    kept.delete(host);
    kept.set(host, context);
    if (kept.size > maxContexts) kept.delete(kept.keys().next().value!);
    return context;
  };
}

/** The folder of a user's data, by the customs of the system. */
function dataFolder({ env, platform }: Pick<NodeJS.Process, "env" | "platform">): string {
  if (platform === "win32") return env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support");
  // A relative path is to be ignored, says the specification.
  const own = env["XDG_DATA_HOME"];
  return own?.startsWith("/") ? own : join(homedir(), ".local", "share");
}

/**
 * Removes the authority that older versions kept for a year in the user's data folder: whoever reads its key can impersonate
 * services to programs that still trust it. What they did not write stays.
 * @returns a sentence for each folder that could not be removed
 */
export function removeKeptAuthorities(system: Pick<NodeJS.Process, "env" | "platform"> = process): string[] {
  const parent = join(dataFolder(system), "touchstone");
  let names: readonly string[];
  try {
    names = readdirSync(parent).filter((name) => /^authority(?:-\w{6})?$/.test(name));
  } catch {
    return [];
  }
  const troubles = names.flatMap((name) => {
    const folder = join(parent, name);
    try {
      for (const file of ["key.pem", "certificate.pem"]) rmSync(join(folder, file), { force: true });
      rmdirSync(folder);
      return [];
    } catch (error) {
      return [
        `The authority of an older version in ${folder} cannot be removed (${(error as Error).message}): remove it.`,
      ];
    }
  });
  try {
    if (names.length > 0) rmdirSync(parent);
  } catch {
    // It holds something else.
  }
  return troubles;
}
