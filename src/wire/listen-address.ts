/** Reads where to listen, as people write it. */
import { UserError } from "../user-error.ts";

/** `HOST:PORT`, `[::1]:PORT` or `PORT`; UserError otherwise. */
export function parseListen(text: string): { host: string; port: number } {
  const match = /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (!match || port > 65535)
    throw new UserError(
      `--listen ${text} is not HOST:PORT`,
      "Write for example --listen 127.0.0.1:8080; port 0 takes a free one.",
    );
  return { host: (match[1] ?? "127.0.0.1").replace(/^\[|\]$/g, ""), port };
}
