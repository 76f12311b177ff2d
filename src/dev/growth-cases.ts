/** Growth families of clients under test: what is read of a program's output, and compared with what an answer said. */
import { compareText } from "../cases/compare-text.ts";
import { raisedError } from "../cases/judge/errors.ts";
import { handedBack } from "../cases/judge/handed-back.ts";
import type { Handed } from "../cases/observation.ts";
import { createReportReader } from "../cases/run/once/report-lines.ts";
import { createTail } from "../cases/run/once/tail.ts";
import { canaries } from "../cases/words.ts";
import { type Family, list, reading } from "./growth-family.ts";

const said = canaries("growth", 1000);
const text = said.join(" ");
const comparing = (name: string, make: (n: number) => string): Family =>
  reading(`compare text: ${name}`, make, (output) => compareText(output, text));

const exited = (output: string, errors = ""): Handed => ({ output, errors, end: "exited", exitCode: 0, after: 1 });
const telling = (name: string, make: (n: number) => string): Family =>
  reading(
    `errors in output: ${name}`,
    (n) => exited(make(n), make(n)),
    (handed) => raisedError(handed, undefined, said.slice(0, 100).join(" ")),
  );

const pieces = (n: number): readonly Buffer[] =>
  list(n, (i) => Buffer.from(i % 9 === 0 ? '"}\n{"case":"a","text":"' : "x".repeat(20)));

export const families: readonly Family[] = [
  comparing("whole, over and over", (n) => `${text} `.repeat(Math.ceil(n / 1000))),
  comparing("nothing of it", (n) => canaries("other", n).join(" ")),
  comparing("every second word", (n) => list(n, (i) => said[(2 * i) % 1000]).join(" ")),
  comparing("backwards", (n) => list(n, (i) => said[999 - (i % 1000)]).join(" ")),
  comparing("beginnings of words", (n) => `${said[999]} ${list(n, (i) => said[i % 1000]!.slice(0, 3)).join(" ")}`),
  comparing("escapes of JSON", (n) => JSON.stringify(list(n, (i) => said[i % 1000])).replaceAll("é", "\\u00e9")),
  comparing("torn terminal sequences", (n) => "\u001b]0;\u001b[12;".repeat(n)),
  comparing("one letter", (n) => said[0]![0]!.repeat(8 * n)),
  telling("long words", (n) => "error_".repeat(2 * n)),
  telling("lines that tell nothing", (n) => list(n, (i) => `at line ${i}`).join("\n")),
  telling("names without end", (n) => `${"a.".repeat(2 * n)}\n`.repeat(2)),
  reading(
    "compare calls: many of one tool",
    (n) => list(n, (i) => ({ name: "tool", arguments: `{"word":"${said[i % 1000]}"}` })),
    (calls) => {
      const one = { name: "tool", arguments: '{"word":"none"}' };
      return handedBack({ text: "", calls: [one] }, { end: "returned", after: 1, calls }, [], undefined);
    },
  ),
  reading("reports of cases: many pieces", pieces, (all) => all.forEach(createReportReader(() => undefined))),
  reading("end of an output", pieces, (all) => {
    const tail = createTail(1 << 12);
    for (const bytes of all) tail.add(bytes);
    return tail.take();
  }),
];
