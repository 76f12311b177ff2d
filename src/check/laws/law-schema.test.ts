import { expect, test } from "vitest";
import { mistakeIn } from "./law-schema.ts";

const of = { response: "/id" };

test.each([
  [{ of }, 'its law has no "kind"', /^Kinds: equal, count, /u],
  [{ kind: "equals", of }, 'its law has the unknown kind "equals"', /^Did you mean equal\? Kinds: /u],
  [{ kind: "equal", off: of, of }, "its law of the kind equal has the unknown member off", /^Did you mean of\? /u],
  [{ kind: "equal" }, 'its law of the kind equal has no "of"', /^All values of `of` are equal/u],
  [{ kind: "sum", of }, "its law of the kind sum has none of is, atMost, atLeast", /^The number `of` equals/u],
  [{ kind: "equal", of: {} }, 'its law\'s "of" picks nothing', /^Write exactly one of request, /u],
  [{ kind: "equal", of: { at: "/id" } }, 'its law\'s "of" picks nothing', /^Write exactly one of /u],
  [
    { kind: "equal", of: { request: "/id", response: "/id" } },
    'its law\'s "of" has both request and response',
    /^Write exactly one of /u,
  ],
  [{ kind: "equal", of: { resp: "/id" } }, "its law at /of has the unknown member resp", /Members: request, /u],
  [
    { kind: "equal", of: { response: "id" } },
    'its law at /of/response has the wrong pointer "id"',
    /^A JSON Pointer is empty or starts with \//u,
  ],
  [
    { kind: "equal", of: { ...of, where: { type: "x" } } },
    'its law at /of/where has the wrong pointer "type"',
    /^A JSON Pointer /u,
  ],
  [{ kind: "text", of, is: "jason" }, 'its law at /is has the unknown value "jason"', /^Did you mean json\? /u],
  [
    { kind: "equal", of, when: { request: "/a", request_: 1 } },
    "its law at /when has the unknown member request_",
    /^Did you mean request\? /u,
  ],
])("explains what is wrong with %j", (law, problem, remedy) => {
  const mistake = mistakeIn(law);
  expect(mistake?.problem).toBe(problem);
  expect(mistake?.remedy).toMatch(remedy);
});

test.each([
  { kind: "equal", of },
  { kind: "count", of: { data: "[DONE]" }, is: 1, when: { request: "/stream", is: true } },
])("accepts %j", (law) => {
  expect(mistakeIn(law)).toBeUndefined();
});
