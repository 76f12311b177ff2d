/** A page that is opened late is told how many exchanges are read for it first, and when that is done. */

import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { shippedClauses } from "../interfaces/clause-data.ts";
import { interfaces } from "../interfaces/index.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import { openLiveSession } from "./live-session.ts";
import type { Reader } from "./reader.ts";

test("a page that is opened late is told how many exchanges are read first, and when they are", async () => {
  let read: (range: object) => void = () => {};
  const reader = { ask: () => new Promise((resolve) => void (read = resolve)) } as unknown as Reader;
  const look = async () => ({ count: 0, open: [], streams: [], ended: [] });
  const session = { out: "nowhere.jsonl", look, lag: async () => 0 };
  const live = openLiveSession(session, judgingFrom({}, shippedClauses), { ...shippedClauses, interfaces }, reader, 25);
  const server = http.createServer((_req, res) => live.feed.subscribe(res, undefined)).listen(0, "127.0.0.1");
  onTestFinished(() => {
    live.close();
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const request = http.get({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  response.on("data", (bytes) => (text += bytes)).on("error", () => {});
  await expect.poll(() => text).toContain("event: earlier\ndata: 25\n");
  read({ from: 0, to: 0 });
  await expect.poll(() => text).toContain("event: earlier\ndata: 0\n");
});
