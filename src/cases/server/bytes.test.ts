/** Writes answers as steps: what leaves together, and what waits. */
import { expect, test } from "vitest";
import { piece } from "../good.ts";
import { stepsOf } from "./bytes.ts";

const answer = {
  status: 200,
  headers: [["Content-Type", "text/event-stream"]],
  pieces: [piece("data: 1\n\n"), piece("data: 2\n\n"), piece("data: 3\n\n", 5)],
  said: { text: "", calls: [] },
  isComplete: true,
} as const;

const kinds = (steps: ReturnType<typeof stepsOf>): string[] => [...steps].map((step) => Object.keys(step)[0]!);
const sent = (steps: ReturnType<typeof stepsOf>, part: "write" | "body"): string =>
  Buffer.concat([...steps].flatMap((step) => ("write" in step && step[part]) || [])).toString();

test("an answer at once leaves in one write up to a wait, with the same bytes", () => {
  const atOnce = { ...answer, headers: [...answer.headers, ["Date", "-"] as const], isAtOnce: true } as const;
  const { isAtOnce: _at, ...apart } = atOnce;
  expect(kinds(stepsOf(apart))).toEqual(["write", "write", "write", "wait", "write", "write", "end"]);
  expect(kinds(stepsOf(atOnce))).toEqual(["write", "wait", "write", "end"]);
  expect(sent(stepsOf(atOnce), "write")).toBe(sent(stepsOf(apart), "write"));
  expect(sent(stepsOf(atOnce), "body")).toBe(sent(stepsOf(apart), "body"));
});
