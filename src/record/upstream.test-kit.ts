/** An upstream for a recorder under test, and a folder for what it writes; both are gone when the test ends. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http, { type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export async function startUpstream(
  answer: RequestListener,
): Promise<{ readonly base: string; readonly folder: string }> {
  const upstream = http.createServer(answer).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const folder = mkdtempSync(join(tmpdir(), "touchstone-record-"));
  onTestFinished(() => {
    upstream.closeAllConnections();
    upstream.close();
    rmSync(folder, { recursive: true });
  });
  return { base: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, folder };
}
