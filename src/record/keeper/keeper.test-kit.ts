/** Starts keepers of tests, and sends them frames. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { home } from "../../home.ts";
import type { ExchangeObserver } from "../../proxy/observer.ts";
import { createFrameEncoder } from "./frame-encoder.ts";
import type { KeeperMessage } from "./messages.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-keeper-"));

/** Starts a keeper that waits for frames. */
export async function keeper(name: string) {
  const out = join(folder, `${name}.jsonl`);
  const built = join(home, "dist", "src", "record", "keeper", "keeper.js");
  const child = spawn(process.execPath, ["--expose-gc", built], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  let said = "";
  let complaints = "";
  child.stdout.on("data", (bytes) => (said += bytes));
  child.stderr.on("data", (bytes) => (complaints += bytes));
  child.stdin.write(`${JSON.stringify({ out, documents: [], bindings: [], keepHeaders: [], redact: [] })}\n`);
  await once(child.stdout, "data");
  const { stdin } = child;
  const observer: ExchangeObserver = createFrameEncoder({
    write: (bytes) => stdin.write(Buffer.from(bytes)),
    cork: () => stdin.cork(),
    uncork: () => stdin.uncork(),
    empty: () => true,
    emptied: async () => {},
  });
  return {
    child,
    observer,
    out,
    /** The messages until it ended. */
    async ended() {
      if (child.exitCode === null) await once(child, "close");
      const messages = said
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as KeeperMessage);
      return { messages, complaints };
    },
  };
}

/** Opens an exchange, and sends the beginning of its response. */
export function tell(observer: ExchangeObserver, id: number, body: string): void {
  observer.open(id, { started: 5, method: "GET", target: "/", headers: [] });
  observer.responseHead(id, 200, "OK", []);
  observer.responseBytes(id, Buffer.from(body), 1);
}
