/** Some readings of generate-content leave clauses undecided, and findings point at what was sent. */
import { expect, test } from "vitest";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { replaceText } from "../../replace-text.test-kit.ts";
import { ask, candidate, catalogue, hello, levelOf, reply, said, target } from "./readings.test-kit.ts";

test.each([
  ["candidatesTokenCount", "response.candidates-token-count-type"],
  ["totalTokenCount", "response.total-token-count-type"],
])("%s that is no integer is a matter of its type alone", (name, clause) => {
  const usage = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2, [name]: 1.5 };
  const odd = ask({}, reply([candidate({ tokenCount: 1 })], { usageMetadata: usage }));
  const policy = { strict: new Set(["G-SUM"]), openEnums: false };
  const { findings } = judge(odd, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
  expect(findings.map((finding) => finding.clause)).toEqual([`generate-content.${clause}`]);
});

test("X-OPEN-ENUM: an unknown value of a reply only warns where enums are open", () => {
  const odd = said({ finishReason: "UNHEARD_OF" });
  expect(levelOf(odd, "response.finish-reason-values", { strict: new Set(), openEnums: false })).toBe("error");
  expect(levelOf(odd, "response.finish-reason-values", { strict: new Set(), openEnums: true })).toBe("warning");
});

test("a missing key is undecided if credentials may have been dropped", () => {
  const { findings, undecided } = judge(
    ask({}, null, replaceText(target, "?key=k", "")),
    { source: "", exchange: 0 },
    catalogue,
    { names: namesFrom({ credentials: "may-be-dropped" }), policy: { strict: new Set(), openEnums: false } },
  );
  expect(findings).toEqual([]);
  expect(undecided.map(({ clause }) => clause)).toEqual(["generate-content.auth.key"]);
});

test("a finding points at and quotes the spelling that was sent", () => {
  const film = { mime_type: "video/mp4", file_uri: "https://example.com/film.mp4" };
  const exchange = ask({ contents: { parts: [{ text: "Look." }, { file_data: film }] } });
  const policy = { strict: new Set<string>(), openEnums: false };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
  expect(findings.filter(({ level }) => level === "error")).toMatchObject([
    {
      clause: "generate-content.content.file-data-unsupported",
      pointer: "/contents/parts/1/file_data",
      actual: JSON.stringify(film),
    },
  ]);
});

test("X-INT: an integer written as 1.0 is warned about where it stands, whatever its name is spelt like", () => {
  const exchange = ask({});
  const numbers = { generation_config: { top_k: 7, candidateCount: 1 }, contents: hello["contents"] };
  const texts = replaceText(replaceText(JSON.stringify(numbers), "7", "7.0"), ":1", ":1e0");
  const { findings } = judge(
    { ...exchange, request: { ...exchange.request, body: Buffer.from(texts) } },
    { source: "", exchange: 0 },
    catalogue,
    { names: namesFrom({}), policy: { strict: new Set(), openEnums: false } },
  );
  expect(findings.filter(({ reading }) => reading === "X-INT").map(({ pointer, level }) => [pointer, level])).toEqual([
    ["/generation_config/candidateCount", "warning"],
    ["/generation_config/top_k", "warning"],
  ]);
});

test("X-INT: also where one object stands for a list", () => {
  const exchange = ask({});
  const answered = {
    ...exchange,
    request: {
      ...exchange.request,
      body: Buffer.from(
        '{"contents":{"parts":{"text":"Hi."}},"generation_config":{"response_schema":{"type":"ARRAY","min_items":1.0}}}',
      ),
    },
  };
  const { findings } = judge(answered, { source: "", exchange: 0 }, catalogue, {
    names: namesFrom({}),
    policy: { strict: new Set(), openEnums: false },
  });
  expect(findings.filter(({ reading }) => reading === "X-INT").map(({ pointer }) => pointer)).toEqual([
    "/generation_config/response_schema/min_items",
  ]);
});
