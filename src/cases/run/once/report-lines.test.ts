/** Reports of cases in the output of programs. */
import { expect, test } from "vitest";
import { type CaseReport, createReportReader, reportIn } from "./report-lines.ts";
import { createTail } from "./tail.ts";

test("a line of JSON with a case is its report; all other lines are none", () => {
  expect(reportIn('{"case":"stream/lf","text":"hello"}')).toEqual({
    case: "stream/lf",
    handed: { text: "hello", error: null, end: "returned" },
  });
  expect(reportIn('{"case":"a","interface":"messages","error":"no"}')).toEqual({
    case: "a",
    interface: "messages",
    handed: { text: "", error: { name: "Error", message: "no" }, end: "threw" },
  });
  expect(reportIn('{"case":"a","error":{"name":"APIError","message":"m","status":429},"text":"part"}')?.handed).toEqual(
    {
      text: "part",
      error: { name: "APIError", message: "m", status: 429 },
      end: "threw",
    },
  );
  expect(
    reportIn('{"case":"a","calls":[{"name":"f","arguments":{"x":1}},{"name":"g","arguments":"{}"},7]}')?.handed.calls,
  ).toEqual([
    { name: "f", arguments: '{"x":1}' },
    { name: "g", arguments: "{}" },
  ]);
  for (const line of ["", "hello", "{", '{"level":"info"}', '{"case":1}', '["case"]'])
    expect(reportIn(line)).toBeUndefined();
});

test("reports are read however the output is cut, and between lines of logs", () => {
  const bytes = Buffer.from(
    'starting\n{"case":"a","text":"é漢"}\r\nlog {"case":"b"}\n{"case":"c"}\nno end {"case":"d"}',
  );
  for (let size = 1; size < 9; size++) {
    const told: CaseReport[] = [];
    const read = createReportReader((report) => told.push(report));
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
    expect(told.map((report) => [report.case, report.handed.text])).toEqual([
      ["a", "é漢"],
      ["c", ""],
    ]);
  }
});

test("a line without end is not kept, and the next one is read", () => {
  const told: CaseReport[] = [];
  const read = createReportReader((report) => told.push(report));
  read(Buffer.from('{"case":"a","text":"'));
  for (let i = 0; i < 6; i++) read(Buffer.alloc(1 << 20, "x"));
  read(Buffer.from('"}\n{"case":"b"}\n'));
  expect(told.map((report) => report.case)).toEqual(["b"]);
});

test("the end of an output is kept, once", () => {
  const tail = createTail(10);
  for (let i = 0; i < 100; i++) tail.add(Buffer.from(`${i} `));
  expect(tail.take()).toMatch(/^\d* ?9[67] 98 99 $/);
  expect(tail.take()).toBe("");
});
