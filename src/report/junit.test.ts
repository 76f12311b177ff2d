/** Holds the JUnit file to what CI systems read: by two parsers that share nothing, whatever the target sent. */
import { DOMParser, type Element } from "@xmldom/xmldom";
import { XMLParser } from "fast-xml-parser";
import { expect, test } from "vitest";
import { formatJunit } from "./junit.ts";
import type { Results } from "./options.ts";
import { bad, finding, green, options, results } from "./results.test-kit.ts";
import { timesOf } from "./times.ts";

interface Read {
  readonly totals: Readonly<Record<string, string>>;
  readonly cases: readonly {
    readonly suite: string;
    readonly classname: string;
    readonly name: string;
    readonly outcome: string;
    readonly message: string;
    readonly text: string;
    readonly out: string;
    readonly properties: Readonly<Record<string, string>>;
  }[];
}

const outcomes = ["failure", "error", "skipped"];

function readByDom(xml: string): Read {
  const strict = new DOMParser({
    onError: (_level, message) => {
      throw new Error(message);
    },
  });
  const root = strict.parseFromString(xml, "text/xml").documentElement!;
  const under = (element: Element, name: string): Element[] => [...element.getElementsByTagName(name)];
  const attributes = (element: Element): Record<string, string> =>
    Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
  return {
    totals: attributes(root),
    cases: under(root, "testcase").map((one) => {
      const [outcome] = outcomes.flatMap((name) => under(one, name));
      return {
        suite: (one.parentNode as Element).getAttribute("name")!,
        classname: one.getAttribute("classname")!,
        name: one.getAttribute("name")!,
        outcome: outcome?.tagName ?? "passed",
        message: outcome?.getAttribute("message") ?? "",
        text: outcome?.textContent ?? "",
        out: under(one, "system-out")[0]?.textContent ?? "",
        properties: Object.fromEntries(
          under(one, "property").map((own) => [own.getAttribute("name")!, own.getAttribute("value")!]),
        ),
      };
    }),
  };
}

interface ParsedSuite {
  readonly name: string;
  readonly testcase: readonly {
    readonly classname: string;
    readonly name: string;
    readonly failure?: { readonly message: string; readonly "#text": string };
    readonly "system-out"?: { readonly "#text": string };
    readonly properties?: { readonly property: readonly { readonly name: string; readonly value: string }[] };
  }[];
}

function readByObjects(xml: string): Read {
  const lists = ["testsuite", "testcase", "property"];
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    trimValues: false,
    parseTagValue: false,
    isArray: (name) => lists.includes(name),
    alwaysCreateTextNode: true,
    processEntities: { maxTotalExpansions: 1e9, maxExpandedLength: 1e9 },
  });
  const { testsuites } = parser.parse(xml, true);
  const { testsuite, "#text": _text, ...totals } = testsuites;
  return {
    totals,
    cases: (testsuite as ParsedSuite[]).flatMap((suite) =>
      suite.testcase.map((one) => {
        const outcome = outcomes.find((name) => name in one) as "failure" | undefined;
        const told = outcome && one[outcome];
        return {
          suite: suite.name,
          classname: one.classname,
          name: one.name,
          outcome: outcome ?? "passed",
          message: told?.message ?? "",
          text: told?.["#text"] ?? "",
          out: one["system-out"]?.["#text"] ?? "",
          properties: Object.fromEntries((one.properties?.property ?? []).map(({ name, value }) => [name, value])),
        };
      }),
    ),
  };
}

/** The content that both parsers read alike. */
function read(of: Results): Read {
  const xml = formatJunit(of, options);
  const byDom = readByDom(xml);
  expect(readByObjects(xml)).toEqual(byDom);
  return byDom;
}

test("cases are clauses named by their sentence, with their evidence and the command that shows it again", () => {
  const { totals, cases } = read(results);
  expect(totals).toEqual({ name: "touchstone", tests: "7", failures: "3", errors: "0", skipped: "3", time: "0" });
  expect(cases.find(({ classname }) => classname === "messages.response.usage")).toMatchObject({
    suite: "messages.response",
    name: "The usage is as documented.",
    outcome: "passed",
  });
  const failed = cases.find(({ classname }) => classname === "messages.response.stop-reason")!;
  expect(failed).toMatchObject({
    outcome: "failure",
    properties: { document: "messages, Stop reasons", level: "must", exchanges: "3", failed: "1" },
    out: expect.stringMatching(
      /^reproduce:\ncurl -sS -i \\\n {2}-H 'x-api-key: '"\$TOUCHSTONE_KEY"''\n\nre-run:\ntouchstone run \S+ --clause messages\.response\.stop-reason --scenario messages\/response\/text$/,
    ),
  });
  expect(failed.message).toContain(`expected one of "end_turn", got <b>"x" & ]]> \\u001b[31m`);
  expect(failed.text).toContain("messages/response/text.json, exchange 2: response body at /stop_reason\n  expected");
  expect(cases.filter(({ classname }) => classname === "run.messages")).toMatchObject([
    { name: "POST /v1/messages is answered as recorded.", outcome: "failure" },
  ]);
  expect(cases.filter(({ classname }) => classname === "run.expectations")).toMatchObject([
    { name: "The known failure messages.response.usage still fails.", outcome: "failure" },
  ]);
});

test("clauses without a verdict are one skipped case for each reason and section; an admitted failure is one of its own", () => {
  const untested = (name: string) => ({
    id: `messages.response.${name}`,
    verdict: "untested" as const,
    exercised: 0,
    failed: 0,
  });
  const many = { ...green, clauses: [...results.clauses, ...Array.from({ length: 300 }, (_, i) => untested(`x${i}`))] };
  const { cases, totals } = read(many);
  const skipped = cases.filter(({ outcome }) => outcome === "skipped");
  expect(skipped.map(({ classname, name, message }) => [classname, name, message])).toEqual([
    ["messages.response.ping", "The ping is as documented.", "known failure: known since spring"],
    ["messages.response.no-verdict", "no-verdict: a price list", "1 clause"],
    ["messages.response.untested", "untested: no answer showed them", "300 clauses"],
    ["messages.streaming.untested", "untested: no answer showed them", "1 clause"],
  ]);
  expect(skipped[2]!.text).toContain("messages.response.x0\nmessages.response.x1\n");
  expect(totals).toMatchObject({ tests: "6", skipped: "4" });
});

test("requests of one operation that fail alike are one case, and a run that was broken off is an error", () => {
  const incidents = Array.from({ length: 40 }, (_, exchange) => ({ ...results.incidents[0]!, exchange }));
  const { totals, cases } = read({ ...green, incidents });
  expect(totals).toMatchObject({ failures: "1" });
  expect(cases.at(-1)!.text).toContain("messages/tools/call.json, exchange 9: POST /v1/messages was answered");
  expect(read({ ...green, complete: false }).totals).toMatchObject({ errors: "1", failures: "0" });
});

test("both parsers read the same cases whatever the target sent, and no text grows without bound", () => {
  const { cases } = read(bad);
  expect(cases.length).toBeGreaterThan(4);
  const many = Array.from({ length: 1500 }, (_, i) => `messages.response.c${i}`);
  const long = { ...finding, expected: "é<".repeat(9000), actual: "&".repeat(18_000) };
  const findings = many.map((clause) => ({ ...long, clause }));
  const wall: Results = {
    ...results,
    findings,
    groups: findings.map(({ clause, level, side, in: place, pointer }, i) => ({
      ...{ clause, level, side, in: place, pointer, count: 1, exchanges: 1 },
      first: [i],
    })),
    clauses: many.map((id) => ({ id, verdict: "fail", exercised: 1, failed: 1 })),
  };
  const xml = formatJunit(wall, options);
  expect(readByDom(xml).totals["failures"]).toBe("1502");
  // A million characters of evidence, the frames of the cases, and what escapes add.
  expect(xml.length).toBeLessThan(12_000_000);
});

test("a suite takes as long as the answers of its section, a case as long as the answer it shows, and in seconds", () => {
  const [incident] = results.incidents;
  const times = timesOf([
    { ...finding, time: 1200 },
    { ...finding, exchange: 7, time: 34.4 },
    { source: "probes/messages/response/stop-reason-values", exchange: 0, time: 5 },
    { ...incident!, time: 2500 },
    { source: "smoke-test/messages", exchange: 0, time: 1 },
    { ...finding, exchange: 8, time: undefined },
  ]);
  const xml = formatJunit(results, options, times);
  const timeOf = (opening: RegExp): string => /time="([^"]*)"/.exec(opening.exec(xml)![0])![1]!;
  expect(timeOf(/<testsuites [^>]*>/)).toBe("3.74");
  expect(timeOf(/<testsuite name="messages.response"[^>]*>/)).toBe("1.239");
  expect(timeOf(/<testcase classname="messages.response.stop-reason"[^>]*>/)).toBe("1.2");
  expect(timeOf(/<testcase classname="run.messages"[^>]*>/)).toBe("2.5");
  expect(
    formatJunit(results, options)
      .match(/ time="[^"]*"/g)!
      .filter((time) => time !== ' time="0"'),
  ).toEqual([]);
});
