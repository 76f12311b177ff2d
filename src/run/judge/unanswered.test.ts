/** Requests that were never answered: what counts as one, and what does not. */
import { expect, test } from "vitest";
import type { Incident } from "../../verdict/run-results.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";
import { unansweredIn } from "./unanswered.ts";

const request = { method: "POST", target: "/v1/messages?a=b", headers: [], body: new Uint8Array() };
const response = { status: 200, reason: "OK", headers: [], body: new Uint8Array() };
const silent: SentRecord = {
  source: "probes/messages/request/top-k-type",
  exchange: 1,
  interface: "messages",
  part: "probe",
  passed: { origin: "", started: 0, request, response: null },
  failure: "the connection was reset",
  tries: 3,
};
test("a probe without any answer is told, once, with how its last try ended", () => {
  const sent = [{ ...silent, exchange: 2 }, silent, { ...silent, failure: "no answer came within 60 s" }];
  const told = unansweredIn(sent, []);
  expect(told.map(({ exchange, problem }) => [exchange, problem])).toEqual([
    [2, "the connection was reset"],
    [1, "no answer came within 60 s"],
  ]);
  expect(told[1]).toMatchObject({ operation: "POST /v1/messages", tries: 3, interface: "messages" });
});

test.each<[string, readonly SentRecord[]]>([
  ["an answer that came when it was sent again", [silent, { ...silent, passed: { ...silent.passed, response } }]],
  ["an answer that broke off", [{ ...silent, passed: { ...silent.passed, response } }]],
  ["a request that we could not send", [{ ...silent, unsendable: true }]],
])("%s is none", (_what, sent) => {
  expect(unansweredIn(sent, [])).toEqual([]);
});

test("a request of which an incident tells is not told twice", () => {
  const incident: Incident = {
    source: silent.source,
    exchange: 1,
    interface: "messages",
    operation: "POST /v1/messages",
    kind: "unanswered",
    problem: "POST /v1/messages was not answered in full",
    needs: [],
  };
  expect(unansweredIn([silent], [incident])).toEqual([]);
});
