/** Holds that every probe breaks exactly its clause, or none, and that no twin breaks any. */

import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { interfaceNamed } from "../check/interface.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { chatCompletions } from "../interfaces/chat-completions/index.ts";
import { needsShownBy } from "../interfaces/needs.ts";
import { shippedProbes } from "../run/send/probes.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { shrink, stayingIn } from "./shrink.ts";

const catalogue = await openCatalogue();
const { twins, probes, unprobed } = shippedProbes();

const errorsOf = (request: WireRequest): string[] =>
  judge({ request, response: null } as never, { source: "probe", exchange: 0 }, catalogue, {
    names: namesFrom(),
    policy: lenient,
    side: "request",
  })
    .findings.filter(({ level }) => level === "error")
    .map(({ clause }) => clause);

test("twins and what stays within the rule break nothing", () => {
  for (const { request } of twins) expect(errorsOf(request)).toEqual([]);
  for (const { clause, how, request, kind } of probes)
    if (kind === "within") expect([clause, how, errorsOf(request)]).toEqual([clause, how, []]);
});

test("a probe beyond a rule breaks its clause, and others only if they necessarily break along", () => {
  for (const { clause, how, request, kind, wrongKey } of probes) {
    if (kind !== "beyond" || wrongKey) continue;
    const also = catalogue.clauses[catalogue.indexOf(clause)]?.alsoBreaks ?? [];
    const broken = new Set(errorsOf(request));
    expect([clause, how, broken.delete(clause)]).toEqual([clause, how, true]);
    expect([clause, how, [...broken].filter((id) => !also.includes(id))]).toEqual([clause, how, []]);
  }
});

test("every rule on requests has a probe, or a reason why it has none", () => {
  const asked = catalogue.clauses.filter(({ on, kind }) => on === "request" && kind !== "unobservable");
  const probed = new Set(probes.map(({ clause }) => clause));
  for (const { id } of asked) expect([id, probed.has(id) !== Object.hasOwn(unprobed, id)]).toEqual([id, true]);
  const beyond = new Set(probes.filter(({ kind }) => kind === "beyond").map(({ clause }) => clause));
  expect(asked.filter(({ id }) => beyond.has(id)).length / asked.length).toBeGreaterThan(0.8);
});

test("a clause that must be refused lacks a probe only if a request that breaks it is too large to be sent", () => {
  const musts = catalogue.clauses.filter(
    ({ id, level, basis }) => id in unprobed && level === "must" && !basis.startsWith("f"),
  );
  const reasons = new Set(musts.map(({ id }) => unprobed[id]!).filter((why) => !/no service need refuse/.test(why)));
  expect([...reasons]).toEqual(["a request that breaks it has more than 256 KiB"]);
});

test("a twin is called by the first clause it was made for, whatever stands before it", () => {
  const names = twins.map(({ interface: of, name }) => `${of}/${name}`);
  expect(new Set(names).size).toBe(twins.length);
  expect(names.filter((name) => !/^[a-z-]+(\/[a-z][a-z0-9-]*){2}$/.test(name))).toEqual([]);
  for (const [i, { interface: of, name }] of twins.entries()) {
    const asked = probes.filter(({ twin }) => twin === i).map(({ clause }) => clause);
    expect(asked[0]).toBe(`${of}.${name.replace("/", ".").replace(/-\d$/, "")}`);
  }
});

const asText = ({ body }: WireRequest): string => Buffer.from(body).toString("utf8");
const within = probes.filter(({ kind }) => kind === "within");

test("a rule's own limits, and each value that it allows, are asked for", () => {
  const rules = catalogue.interfaces.flatMap((one) => one.rules).filter((rule) => rule.within);
  expect(rules.length).toBeGreaterThan(15);
  const asked = new Set(within.map(({ clause }) => clause));
  // The only model that the examples name for it allows one image, and one is what the twin asks for.
  const known = rules.map(({ clause }) => clause).filter((clause) => !clause.endsWith("generations.n-image-v3"));
  expect(known.filter((clause) => !asked.has(clause))).toEqual([]);
});

test("null, a list of parts and both spellings of a name are asked for beside what takes them", () => {
  const forms = (clause: string): string[] =>
    within.filter((probe) => probe.clause === clause).map(({ request }) => asText(request));
  expect(
    forms("chat-completions.request.stop-type")
      .map((text) => /"stop":(null|\[)/.exec(text)?.[1])
      .sort(),
  ).toEqual(["[", "null"]);
  expect(forms("chat-completions.conversation.user-content-type")[0]).toContain('"content":[{"type":"text"');
  expect(forms("messages.request.content-type")[0]).toContain('"content":[{"type":"text"');
  const spellings = within.filter(({ clause }) => clause.endsWith(".reference-names"));
  expect(spellings.length).toBe(8);
  for (const { request, twin } of spellings) {
    const sent = [asText(request), asText(twins[twin]!.request)];
    expect(sent.map((text) => /_(?:data|type|instruction|config|declarations|schema)"/.test(text))).toContain(true);
  }
});

test("a probe that a strict reading refuses is marked with that reading", () => {
  const disputed = within.filter(({ reading }) => reading !== undefined);
  expect(
    disputed.find(({ clause, request }) => clause.endsWith("top-p-range") && asText(request).includes('"top_p":0,')),
  ).toMatchObject({ reading: "C-TOPP" });
  expect(
    within
      .filter(({ clause }) => clause === "chat-completions.request.temperature-range")
      .map(({ reading }) => reading),
  ).not.toContain("X-INCLUSIVE");
});

test("a probe that is not marked as costly asks for one short reply", () => {
  const counts = /"(?:n|candidateCount|candidate_count)":(\d+)|name="n"\r\n\r\n(\d+)/g;
  const bounds = /"(?:max_tokens|max_completion_tokens|maxOutputTokens|max_output_tokens|budget_tokens)":(\d+)/g;
  const numbers = (text: string, of: RegExp): number[] =>
    [...text.matchAll(of)].map((found) => Number(found[1] ?? found[2]));
  for (const { request, costly } of [...twins, ...probes]) {
    if (costly) continue;
    expect(numbers(asText(request), counts).filter((count) => count > 1)).toEqual([]);
    expect(numbers(asText(request), bounds).filter((tokens) => tokens > 1000)).toEqual([]);
  }
  // A call or a value for a schema is worth nothing where it is cut.
  const isWhole = (of: string, request: WireRequest): boolean =>
    needsShownBy(request, interfaceNamed(catalogue.interfaces, of)).some((need) =>
      /tools|functions|json-mode|output|search|audio$|reason|think|predict|code|ground|url|speech/.test(need),
    );
  for (const { interface: of, request, costly, operation } of twins)
    if (!costly && !operation.includes("/images/") && request.body.length > 0)
      expect([
        asText(request),
        numbers(asText(request), bounds).some((tokens) => tokens <= (isWhole(of, request) ? 512 : 16)),
      ]).toEqual([asText(request), true]);
});

test("a request is made smaller as long as it serves, the outermost members first, and conversations stay whole", () => {
  const asked: unknown[] = [];
  const value = {
    messages: [
      { role: "user", content: "a" },
      { role: "user", content: "b" },
    ],
    n: 1,
    stop: ["x", "y"],
    max_tokens: 5,
  };
  const small = shrink(value, stayingIn(chatCompletions), (smaller) => {
    asked.push(smaller);
    return /"b".*"y"/.test(JSON.stringify(smaller));
  });
  expect(small).toEqual({ messages: [{ role: "user" }, { content: "b" }], stop: ["y"], max_tokens: 5 });
  expect(asked[0]).not.toHaveProperty("stop");
});

test("a part in a forbidden place is a whole part, which its twin has in a place where it may stand", () => {
  const misplaced = probes.filter(({ clause, kind }) => /\.\w+-part-place$/.test(clause) && kind === "beyond");
  expect(new Set(misplaced.map(({ clause }) => clause)).size).toBe(4);
  const partsOf = (request: WireRequest): unknown[] =>
    JSON.parse(asText(request)).messages.flatMap(({ content }: { content: unknown }) => content);
  for (const { request, how, twin } of misplaced) {
    const [, index, part] = /at \/messages\/(\d+)\/content\/(\d+)$/.exec(how)!;
    const moved = JSON.parse(asText(request)).messages[Number(index)].content[Number(part)];
    expect(partsOf(twins[twin]!.request)).toContainEqual(moved);
  }
});

test("a refusal part has its text in the member refusal, in every request", () => {
  for (const { request } of [...twins, ...probes.filter(({ kind }) => kind === "within")])
    for (const [part] of asText(request).matchAll(/\{"type":"refusal"[^}]*\}/g)) expect(part).toContain('"refusal":"');
});
