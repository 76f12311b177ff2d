/**
 * The local authority: made on first use in the user's data folder, readable by the user alone, and trusted by nothing that is not
 * told to. It signs certificates of the hosts that `record --intercept` opens.
 */
import { X509Certificate } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { UserError } from "../user-error.ts";
import type { Identity, Issuer } from "./certificates.ts";

export interface Authority {
  /** The file of its certificate. */
  readonly path: string;
  /** Its certificate as PEM. */
  readonly certificate: string;
  /** What a server needs that speaks as a host; made once a host, as long as few thousand hosts are asked for. */
  contextFor(host: string): Promise<SecureContext>;
}

const authorityName = "touchstone record, local authority";

/** Certificates of hosts that are kept for the next connection. */
const maxContexts = 1_000;

/** Days before its end at which an authority is replaced. */
const renewalDays = 2;

/** The folder of a user's data, by the customs of the system. */
function dataFolder({ env, platform }: Pick<NodeJS.Process, "env" | "platform">): string {
  if (platform === "win32") return env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support");
  // A relative path is to be ignored, says the specification.
  const own = env["XDG_DATA_HOME"];
  return own?.startsWith("/") ? own : join(homedir(), ".local", "share");
}

/** The folder of the authority, which holds nothing else. */
export const authorityFolder = (system: Pick<NodeJS.Process, "env" | "platform"> = process): string =>
  join(dataFolder(system), "touchstone", "authority");

const fileNames = { certificate: "certificate.pem", key: "key.pem" } as const;

/** The authority that a folder holds; undefined where there is none, or one that is broken or nearly at its end. */
function identityIn(folder: string): Identity | undefined {
  try {
    const key = readFileSync(join(folder, fileNames.key), "utf8");
    const certificate = readFileSync(join(folder, fileNames.certificate), "utf8");
    createSecureContext({ key, cert: certificate });
    const { ca, validTo } = new X509Certificate(certificate);
    const isGood = ca && Date.parse(validTo) > Date.now() + renewalDays * 24 * 60 * 60_000;
    return isGood ? { certificate, key } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") throw error;
    return undefined;
  }
}

/** Refuses a key that others could have read or put there. */
function refuseShared(folder: string): void {
  if (process.platform === "win32") return;
  for (const path of [folder, join(folder, fileNames.key)]) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) continue;
    const isOwn = found.uid === process.getuid?.();
    if (!isOwn || (found.mode & 0o077) !== 0)
      throw new UserError(
        `${path} ${isOwn ? "can be read by other users" : "belongs to another user"}, so its authority cannot be trusted`,
        "touchstone record --forget-authority removes it; the next --intercept makes a new one.",
      );
  }
}

/** Writes an authority in one step, so that no other process sees half of it. */
function keep(folder: string, { certificate, key }: Identity): void {
  const parent = join(folder, "..");
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const fresh = mkdtempSync(join(parent, "authority-"));
  try {
    chmodSync(fresh, 0o700);
    writeFileSync(join(fresh, fileNames.certificate), certificate, { mode: 0o600 });
    writeFileSync(join(fresh, fileNames.key), key, { mode: 0o600 });
    // An old one gives way; one that another process has just made stays.
    if (identityIn(folder) === undefined) rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (identityIn(folder) === undefined) throw error;
  }
}

/** Opens the authority of this user, and makes it where there is none. UserError where its folder is not fit for a key. */
export async function openAuthority(folder: string = authorityFolder()): Promise<Authority> {
  const { issuerOf, makeAuthority } = await import("./certificates.ts");
  let identity: Identity | undefined;
  try {
    refuseShared(folder);
    if (identityIn(folder) === undefined) keep(folder, await makeAuthority(authorityName));
    identity = identityIn(folder);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `the local authority cannot be kept in ${folder}: ${(error as Error).message}`,
      "Make that folder writable, or set XDG_DATA_HOME to one that is.",
    );
  }
  if (!identity) throw new Error("the authority that was just made cannot be read");
  const contexts = createContexts(await issuerOf(identity));
  return { path: join(folder, fileNames.certificate), certificate: identity.certificate, contextFor: contexts };
}

/** Makes the certificate of each host once; those that were asked for last are kept. */
function createContexts(issuer: Issuer): Authority["contextFor"] {
  const kept = new Map<string, Promise<SecureContext>>();
  return (host) => {
    const known = kept.get(host);
    const context =
      known ??
      issuer
        .issue(host)
        .then(({ certificate, key }) => createSecureContext({ cert: certificate, key, minVersion: "TLSv1.2" }));
    // The latest stands last.
    kept.delete(host);
    kept.set(host, context);
    if (kept.size > maxContexts) kept.delete(kept.keys().next().value!);
    return context;
  };
}

/** Removes the authority of this user. @returns its folder; undefined where there was none */
export function forgetAuthority(folder: string = authorityFolder()): string | undefined {
  if (!statSync(folder, { throwIfNoEntry: false })) return undefined;
  rmSync(folder, { recursive: true });
  return folder;
}
