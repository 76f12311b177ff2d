/** Sizes as people write them: `64M` to bytes, and bytes to `64 MiB`. */
import { UserError } from "./user-error.ts";

const units: Readonly<Record<string, number>> = { "": 1, k: 1 << 10, m: 1 << 20, g: 1 << 30 };

/** `64M` as bytes; UserError where it is no size. @param option the one that says it: `--max-body` */
export function bytesFrom(text: string | number, option: string): number {
  const [, count, unit = ""] = /^(\d+) ?([kmg]?)(?:i?b)?$/i.exec(String(text).trim()) ?? [];
  const bytes = Number(count) * units[unit.toLowerCase()]!;
  if (!Number.isSafeInteger(bytes)) throw new UserError(`${option} ${text} is not a size`, "Write for example 64M.");
  return bytes;
}

/** Bytes as whole MiB, never as less than they are. */
export const sizeText = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
