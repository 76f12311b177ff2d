/** Bodies as pages show them. */
import { expect, test } from "vitest";
import { utf8 } from "../wire/build.ts";
import { viewedBody } from "./body.ts";
import { bounds } from "./bounds.ts";

test("lines of JSON are events with the time of their chunk", () => {
  const body = utf8('{"a":1}\n\noops\n');
  const headers = [["content-type", "application/x-ndjson"]] as const;
  const chunks = [[5, 8] as const, [9, body.length - 8] as const];
  const viewed = viewedBody({ headers, body }, bounds, { chunks });
  expect(viewed).toMatchObject({ kind: "stream", count: 2, terminated: true });
  expect(viewed?.kind === "stream" && viewed.events.map(({ time, problem }) => [time, problem !== undefined])).toEqual([
    [9, false],
    [9, true],
  ]);
});
