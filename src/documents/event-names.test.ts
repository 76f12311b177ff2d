import { expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { jsonRequest, sseEvent, streamResponse } from "../wire/build.ts";
import { documentOf, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const text = { type: "string" };
const object = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });
const event = (name: object, data: unknown, required = ["event", "data"]) => object({ event: name, data }, required);

const delta = event({ const: "delta" }, object({ text }, ["text"]));
const done = event({ type: "string", enum: ["done", "stopped"] }, object({ tokens: { type: "integer" } }, ["tokens"]));

/** A catalogue whose replies are streams, described by this media type. */
function openStream(media: object, version = "3.2.0"): Promise<Catalogue> {
  const document = documentOf({ type: "object" }, undefined, {}, version);
  const { post } = document.paths["/things"];
  const responses = { 200: { description: "OK", content: { "text/event-stream": media } } };
  return openDocument({ ...document, paths: { "/things": { post: { ...post, responses } } } });
}

function findingsIn(catalogue: Catalogue, ...events: readonly [name: string | undefined, data: unknown][]): string[] {
  const response = streamResponse(events.map(([name, data]) => sseEvent(data, name)));
  const exchange = { request: jsonRequest("/v1/things", [], {}), response };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  return findings.map(({ event, pointer, expected, actual }) => `${event} ${pointer}: ${expected}, got ${actual}`);
}

test("judges the data of an event by what its event line says", async () => {
  const catalogue = await openStream({ itemSchema: { oneOf: [delta, done] } });
  expect(findingsIn(catalogue, ["delta", { text: "a" }], ["done", { tokens: 1 }], ["stopped", { tokens: 1 }])).toEqual(
    [],
  );
  expect(findingsIn(catalogue, ["delta", { tokens: 1 }], ["done", { tokens: "1" }])).toEqual([
    "0 /text: this member to be present, got nothing",
    '1 /tokens: an integer, got "1"',
  ]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("reports an unknown event at its line, and an event without a required line", async () => {
  const catalogue = await openStream({ itemSchema: { oneOf: [delta, done] } });
  expect(findingsIn(catalogue, ["delta", { text: "a" }], ["dlta", { text: 1 }], [undefined, { text: 1 }])).toEqual([
    '1 : event: delta, done, stopped, got "dlta"',
    "2 : event: delta, done, stopped, got nothing",
  ]);
  const [clause] = ownClauses(catalogue).filter(({ id }) => id.endsWith("-event"));
  expect(clause?.says).toBe("The event line of each event is delta, done or stopped.");
});

test("judges an event without a line as any of them, if the line is optional", async () => {
  const catalogue = await openStream({
    itemSchema: { oneOf: [event({ const: "delta" }, object({ text }, ["text"]), ["data"]), done] },
  });
  expect(findingsIn(catalogue, [undefined, { text: "a" }], [undefined, { tokens: 1 }])).toEqual([]);
  expect(findingsIn(catalogue, [undefined, { text: 1 }])).toHaveLength(1);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("accepts any line if one kind of events may have any", async () => {
  const catalogue = await openStream({
    itemSchema: { anyOf: [delta, object({ data: object({ other: text }, ["other"]) })] },
  });
  expect(findingsIn(catalogue, ["ping", { other: "a" }], [undefined, { other: "a" }])).toEqual([]);
  expect(findingsIn(catalogue, ["delta", { other: "a" }])).toEqual(["0 /text: this member to be present, got nothing"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("leaves data undecided that may be any text, and judges the other events", async () => {
  const catalogue = await openStream({ itemSchema: { oneOf: [delta, event({ const: "log" }, text)] } });
  expect(findingsIn(catalogue, ["log", "any text"], ["delta", { text: 1 }])).toEqual(["1 /text: a string, got 1"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("takes an event without a line as a message", async () => {
  const message = event({ const: "message" }, object({ text }, ["text"]));
  const catalogue = await openStream({ itemSchema: { oneOf: [message, done] } });
  expect(findingsIn(catalogue, [undefined, { text: "a" }], ["message", { text: "a" }])).toEqual([]);
  expect(findingsIn(catalogue, [undefined, { tokens: 1 }])).toEqual([
    "0 /text: this member to be present, got nothing",
  ]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("grades null in the data of an event as elsewhere", async () => {
  const levels = async (version: string): Promise<string[]> => {
    const catalogue = await openStream({ schema: event({ enum: ["delta"] }, object({ text })) }, version);
    const response = streamResponse([sseEvent({ text: null }, "delta")]);
    const exchange = { request: jsonRequest("/v1/things", [], {}), response };
    const options = { names: namesFrom(), policy: lenient };
    return judge(exchange, { source: "", exchange: 0 }, catalogue, options).findings.map(({ level }) => level);
  };
  expect(await levels("3.1.0")).toEqual(["error"]);
  expect(await levels("3.0.3")).toEqual(["warning"]);
});
