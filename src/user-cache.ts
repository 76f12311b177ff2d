/** Keeps texts that take seconds to make in the user's cache folder. Nothing depends on them: whatever is odd there is made anew. */
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { home } from "./home.ts";

/** Bytes of one text, and texts of the folder; those that were used last stay. */
const maxBytes = 64 << 20;
const maxFiles = 32;
/** Milliseconds after which what a killed process left is removed. */
const abandonedAfter = 60 * 60_000;

export interface UserCache {
  /** The text that was kept under a name; undefined if there is none, or none that can be trusted. */
  readonly read: (name: string) => string | undefined;
  /** Keeps a text, as far as that is possible. */
  readonly keep: (name: string, text: string) => void;
}

/**
 * The folder of the user's cache, by the customs of the system; undefined if `TOUCHSTONE_CACHE` turns it off. `TOUCHSTONE_CACHE`
 * may name another. A checkout has none of its own: its code changes while its version stays.
 */
export function cacheFolder({ env, platform }: Pick<NodeJS.Process, "env" | "platform"> = process): string | undefined {
  const named = env["TOUCHSTONE_CACHE"];
  if (named === "off") return undefined;
  if (named && isAbsolute(named)) return named;
  if (existsSync(join(home, "dist", "main.tsbuildinfo")) || !import.meta.url.endsWith(".js")) return undefined;
  if (platform === "win32")
    return join(env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "touchstone", "cache");
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "touchstone");
  // A relative path is to be ignored, says the specification.
  const own = env["XDG_CACHE_HOME"];
  return join(own?.startsWith("/") ? own : join(homedir(), ".cache"), "touchstone");
}

/** Opens the cache in a folder, which is made when the first text is kept; undefined keeps nothing. */
export function openUserCache(folder: string | undefined = cacheFolder()): UserCache {
  if (folder === undefined) return { read: () => undefined, keep: () => {} };
  const pathOf = (name: string): string => join(folder, `${name}.cache`);
  return {
    read: (name) =>
      quietly(() => {
        const path = pathOf(name);
        if (!isOwn(statSync(folder)) || !isPlainAndOwn(lstatSync(path))) return undefined;
        const [, digest, text] = /^([0-9a-f]{64})\n(.*)$/s.exec(readFileSync(path, "utf8")) ?? [];
        if (text === undefined || digestOf(text) !== digest) return undefined;
        utimesSync(path, new Date(), new Date());
        return text;
      }),
    keep: (name, text) =>
      quietly(() => {
        if (Buffer.byteLength(text) > maxBytes) return;
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isOwn(statSync(folder))) return;
        const part = join(folder, `${randomUUID()}.part`);
        try {
          writeFileSync(part, `${digestOf(text)}\n${text}`, { mode: 0o600, flag: "wx" });
          renameSync(part, pathOf(name));
        } catch (error) {
          rmSync(part, { force: true });
          throw error;
        }
        tidy(folder);
      }),
  };
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Whether nobody else can read or write it. */
const isOwn = ({ uid, mode }: Stats): boolean =>
  process.platform === "win32" || (uid === process.getuid?.() && (mode & 0o077) === 0);

const isPlainAndOwn = (stats: Stats): boolean => stats.isFile() && stats.size <= maxBytes + 65 && isOwn(stats);

/** A cache that cannot be read or written is none. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Removes what was used longest ago, and what killed processes left. */
function tidy(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => /\.(?:cache|part)$/.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats ? [{ path, isPart: name.endsWith(".part"), used: stats.mtimeMs }] : [];
    })
    .sort((a, b) => b.used - a.used);
  const kept = files.filter(({ isPart }) => !isPart);
  const parts = files.filter(({ isPart, used }) => isPart && used < Date.now() - abandonedAfter);
  for (const { path } of [...kept.slice(maxFiles), ...parts]) rmSync(path, { force: true });
}
