/** Holds the summary to what GitHub makes of it: rendered by its dialect of Markdown, and read as the HTML that comes of it. */
import { expect, test } from "vitest";
import { rendered } from "./markdown.test-kit.ts";
import { formatMarkdown } from "./markdown.ts";
import type { Results } from "./options.ts";
import { bad, finding, green, options, results } from "./results.test-kit.ts";

const render = (of: Results, most?: number) => rendered(formatMarkdown(of, options, most));

test("a failure is folded under its sentence, each of its places and quotes a line of its own, with its command", () => {
  const { texts } = render(results);
  expect(texts("h1")).toEqual(["touchstone: http://127.0.0.1:8080"]);
  expect(texts("p")[0]).toBe(
    "Does not conform: 1 clause fails, 1 request not answered as recorded, 1 stale known failure",
  );
  expect(texts("p")[1]).toBe(
    "5 clauses: 1 pass, 1 fail, 1 known failure, 1 no verdict, 1 untested; 3 exchanges judged",
  );
  expect(texts("h2")).toEqual([
    "Failing",
    "Not answered as recorded",
    "Stale known failures",
    "Known failures",
    "Without verdict",
  ]);
  expect(texts("summary")[1]).toBe(
    "messages.response.stop-reason (1 of 3 exchanges): The stop-reason is as documented.",
  );
  const items = texts("li").map((text) => text.trim());
  expect(items).toContain(`expected one of "end_turn"`);
  expect(items.find((text) => text.startsWith("got"))).toContain(`got <b>"x" & ]]> \\u001b[31m`);
  expect(texts("pre").map((text) => text.trim())).toContain(`curl -sS -i \\\n  -H 'x-api-key: '"$TOUCHSTONE_KEY"''`);
  expect(texts("td")).toEqual(["messages/response", "1", "2", "1", "0", "messages/streaming", "0", "0", "0", "1"]);
  expect(texts("p").join()).toContain("known failure: known since spring");
  expect(formatMarkdown(green, options)).toContain("**Conforms as far as tested**");
});

test("backticks in the sentence of a document mark code", () => {
  const clauses = options.clauses.map((clause) => ({ ...clause, says: "Has `<b>x</b>`, a member." }));
  const { texts } = rendered(formatMarkdown(results, { ...options, clauses }));
  expect(texts("code")).toContain("<b>x</b>");
  expect(texts("summary")[1]).toMatch(/: Has <b>x<\/b>, a member\.$/);
});

test("nothing a target sent becomes markup, a link, a picture or a call of somebody", () => {
  const odd = [
    "`",
    "``x`",
    " ",
    "",
    "`a",
    "a|b",
    "\\",
    "</code></summary><img src=x>",
    "@all",
    "<!--",
    "~~~\n```",
    "`<img/>`",
  ];
  const own = new Set("h1 h2 p ul li table thead tbody tr th td details summary code pre strong br".split(" "));
  const variants: Results[] = [bad, ...odd.map((actual) => ({ ...results, findings: [{ ...finding, actual }] }))];
  for (const text of odd)
    variants.push({
      ...bad,
      target: { ...bad.target, url: text },
      clauses: bad.clauses.map((one, i) => ({ ...one, id: `${text}.${text}.${i}` })),
      incidents: [{ ...bad.incidents[0]!, source: text, problem: text }],
      reproduce: [{ source: finding.source, exchange: 2, curl: text }],
    });
  for (const variant of variants) {
    const { elements, searched } = render(variant);
    expect([...elements].filter((name) => !own.has(name))).toEqual([]);
    expect(searched.filter((text) => /@\w/.test(text))).toEqual([]);
  }
});

test("a table has the columns of its head, whatever a section is called", () => {
  const [verdict] = green.clauses;
  const { texts } = render({ ...green, clauses: [{ ...verdict!, id: "a|b.c`|`d.e" }] });
  expect(texts("td")).toEqual(["a|b/c`|`d", "1"]);
});

test("a summary that would grow too large leaves items out and counts them", () => {
  const ids = Array.from({ length: 1500 }, (_, i) => `messages.response.c${i}`);
  const incidents = ids.map((id) => ({ ...results.incidents[0]!, problem: `${id} ${"é".repeat(900)}` }));
  const large: Results = {
    ...results,
    clauses: ids.map((id) => ({ id, verdict: "fail", exercised: 1, failed: 1 })),
    findings: ids.map((clause) => ({ ...finding, clause, expected: "é".repeat(900), actual: "é".repeat(900) })),
    groups: ids.map((clause, i) => ({
      ...{ clause, level: "error", side: "response", in: "body", pointer: finding.pointer, count: 1, exchanges: 1 },
      first: [i],
    })),
    incidents,
  };
  for (const most of [undefined, 50_000]) {
    const text = formatMarkdown(large, options, most);
    expect(Buffer.byteLength(text)).toBeLessThan(most ?? 1_000_000);
    const shown = text.split("<summary>").length - 2;
    // A renderer takes seconds for the whole.
    if (most) expect(render(large, most).texts("summary")).toHaveLength(shown + 1);
    expect(text).toContain(`and ${1500 - shown} more, in report.html and results.json`);
    expect(text.match(/^(?:and )?\d+ more, in report\.html and results\.json$/gm)).toHaveLength(2);
  }
});
