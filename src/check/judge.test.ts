/** A judgement stays small, and counts everything, however much is wrong. */
import { expect, test } from "vitest";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import { type FindingLevel, lenient } from "./clause.ts";
import { type JudgeOptions, judge } from "./judge.ts";
import { namesFrom } from "./names.ts";

const catalogue = await openCatalogue();
const headers = [["authorization", "Bearer x"]] as const;

function judged(more: object, options: Partial<JudgeOptions> = {}) {
  const body = { model: "m", messages: [{ role: "user", content: "hi" }], ...more };
  const exchange = exchangeOf(jsonRequest("/v1/chat/completions", headers, body), null);
  const at = { source: "s", exchange: 0 };
  const { findings, groups } = judge(exchange, at, catalogue, { names: namesFrom(), policy: lenient, ...options });
  const isGraver = ({ level }: { readonly level: FindingLevel }): boolean => level !== "note";
  return { findings: findings.filter(isGraver), groups: groups.filter(isGraver) };
}

test("a connection that became a WebSocket is nobody's, and only that", () => {
  const ask = (upgrade: string, method = "GET", status = 101): string | null => {
    const request = {
      method,
      target: "/v1/chat/completions",
      headers: [["Upgrade", upgrade]],
      body: new Uint8Array(0),
    };
    const exchange = { request, response: { status, headers: [], body: new Uint8Array(0) } } as const;
    const at = { source: "s", exchange: 0 };
    return judge(exchange as never, at, catalogue, { names: namesFrom(), policy: lenient }).operation;
  };
  expect(ask("WebSocket")).toBeNull();
  const path = "/v1/chat/completions";
  expect([ask("h2c"), ask("websocket", "POST"), ask("websocket", "GET", 404)]).toEqual([
    `GET ${path}`,
    `POST ${path}`,
    `GET ${path}`,
  ]);
});

const tool = (more: object = {}) => ({ type: "function", function: { name: "f", ...more } });
const sizeOf = (finding: object): number => JSON.stringify(finding).length;

test("a hundred findings that differ only in positions are made, or as many as are asked for, and all are counted", () => {
  const tools = Array.from({ length: 120 }, () => ({ ...tool(), extra: 1 }));
  const { findings, groups } = judged({ tools });
  expect(findings).toHaveLength(100);
  expect(groups).toMatchObject([{ level: "warning", side: "request", pointer: "/tools/*/extra", count: 120 }]);
  expect(judged({ tools }, { maxPerGroup: 500 }).findings).toHaveLength(120);
  expect(judged({ tools }, { side: "response" })).toMatchObject({ findings: [], groups: [] });
});

test("judging stops after as many findings as are asked for, of the side that is asked about", () => {
  const tools = Array.from({ length: 120 }, () => ({ ...tool(), extra: 1 }));
  expect(judged({ tools }, { maxFindings: 3 }).findings).toHaveLength(3);
  const request = jsonRequest("/v1/chat/completions", headers, { model: "m", messages: [], tools });
  const exchange = exchangeOf(request, jsonResponse({ object: "chat.completion" }));
  const options = { names: namesFrom(), policy: lenient, side: "response", maxFindings: 1 } as const;
  const { findings } = judge(exchange, { source: "s", exchange: 0 }, catalogue, options);
  expect(findings.map(({ side }) => side)).toEqual(["response"]);
});

test("names of members make groups of their own, up to a thousand", () => {
  const { findings, groups } = judged(Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`m${i}`, 1])));
  expect(groups).toHaveLength(1001);
  expect(groups.find(({ pointer }) => pointer === "/**")).toMatchObject({ count: 2000 });
  expect(findings).toHaveLength(1100);
});

test("an unknown member is named, not its value", () => {
  const [finding] = judged({ modell: 3 }).findings;
  expect(finding).toMatchObject({ pointer: "/modell", actual: '"modell"' });
});

test("findings quote excerpts, whatever is long", () => {
  const name = "n".repeat(150_000);
  const schema = { type: "object", properties: { [name]: { properties: Object.fromEntries([[`${name}/~`, 5]]) } } };
  const { findings } = judged({
    tools: [tool({ parameters: schema }), tool({ name: "a".repeat(100_000) }), { type: name }],
    tool_choice: { type: "function", function: { name } },
    metadata: { [name]: name },
    logit_bias: { [name]: name },
    [name]: { [name]: name },
    stop: Array.from({ length: 5000 }, () => name.slice(0, 1000)),
  });
  expect(findings.length).toBeGreaterThan(6);
  for (const finding of findings) {
    expect(sizeOf(finding)).toBeLessThan(3500);
    expect(finding.expected.length + finding.actual.length + finding.message.length).toBeLessThan(2100);
  }
});

test("violations below a long name are one group, and reported in little memory", () => {
  const names = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`k${i}`, "x".repeat(513)]));
  const { findings, groups } = judged({ metadata: { ...names, ["n".repeat(150_000)]: 5 } });
  const long = findings.find(({ pointer }) => pointer.startsWith("/metadata/nnn"));
  expect(long?.pointer).toMatch(/^\/metadata\/n{60}…\(150000 characters, [0-9a-f]{8}\)$/);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(4000);
});
