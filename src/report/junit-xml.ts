/** Suites of test cases as JUnit XML, within the bounds of what CI systems show. */
import { printable, shortened, xmlText } from "./clean.ts";
import type { Command } from "./reproduce.ts";
import { withoutCommands } from "./terminal/workflow-commands.ts";

/** Characters of one attribute, of what one case says, and of what all cases say together: pages of CI systems show no more. */
const [longestAttribute, longestText, maxText] = [500, 4000, 1_000_000];

export interface TestOutcome {
  readonly kind: "passed" | "failure" | "error" | "skipped";
  readonly message: string;
  readonly text: string;
}

export interface TestCase {
  /** Its class name: a clause id, or what stands in for one. */
  readonly id: string;
  readonly name: string;
  readonly outcome: TestOutcome;
  /** Milliseconds that the answer it shows took. */
  readonly time?: number | undefined;
  readonly properties?: Properties;
  /** How to see it again. */
  readonly commands?: readonly Command[];
}

export interface TestSuite {
  readonly name: string;
  /** Milliseconds. */
  readonly time: number;
  readonly cases: readonly TestCase[];
}

export type Properties = Readonly<Record<string, string | number>>;

export const passed: TestOutcome = { kind: "passed", message: "", text: "" };
export const skipped = (message: string, text = ""): TestOutcome => ({ kind: "skipped", message, text });
export const failed = (kind: "failure" | "error", message: string, text: string): TestOutcome => ({
  kind,
  message,
  text,
});

/** The suite that says that something was broken off. */
export const brokenOff: TestSuite = {
  name: "complete",
  time: 0,
  cases: [
    {
      id: "complete",
      name: "The run came to its end.",
      outcome: failed("error", "it was broken off", "The results so far do not count: run it again."),
    },
  ],
};

/**
 * The document. @param properties of every suite; none where they are undefined
 * @param time milliseconds of all suites
 */
export function junitXml(suites: readonly TestSuite[], properties: Properties | undefined, time: number): string {
  const budget = { left: maxText };
  const written = suites.map((suite) => writeSuite(suite, properties, budget));
  const cases = suites.flatMap((suite) => suite.cases);
  return withoutCommands()(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="touchstone" ${countsOf(cases, time)}>
${written.join("")}</testsuites>
`);
}

const attribute = (text: string): string => xmlText(printable(shortened(text, longestAttribute)));

function propertiesOf(properties: Properties): string {
  const lines = Object.entries(properties).map(
    ([name, value]) => `<property name="${attribute(name)}" value="${attribute(String(value))}"/>`,
  );
  return `<properties>${lines.join("")}</properties>`;
}

/** Milliseconds as seconds. */
const seconds = (time = 0): string => String(Math.round(time) / 1000);

const countsOf = (cases: readonly TestCase[], time: number): string => {
  const count = (kind: TestOutcome["kind"]): number => cases.filter(({ outcome }) => outcome.kind === kind).length;
  return `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}" time="${seconds(time)}"`;
};

function writeSuite({ name, time, cases }: TestSuite, properties: Properties | undefined, budget: { left: number }) {
  const texts = cases.map((one) => writeCase(one, budget)).join("");
  const own = properties ? `    ${propertiesOf(properties)}\n` : "";
  return `  <testsuite name="${attribute(name)}" ${countsOf(cases, time)}>\n${own}${texts}  </testsuite>\n`;
}

function writeCase({ id, name, outcome, time, properties, commands = [] }: TestCase, budget: { left: number }): string {
  const open = `    <testcase classname="${attribute(id)}" name="${attribute(name)}" time="${seconds(time)}"`;
  if (outcome.kind === "passed") return `${open}/>\n`;
  const text = shortened(outcome.text, Math.min(longestText, Math.max(0, budget.left)));
  budget.left -= text.length;
  const inner = [
    ...(properties ? [propertiesOf(properties)] : []),
    `<${outcome.kind} message="${attribute(outcome.message)}">${xmlText(text)}</${outcome.kind}>`,
    ...(commands.length === 0
      ? []
      : [
          `<system-out>${xmlText(commands.map(({ says, command, note }) => `${says}:\n${command}${note === undefined ? "" : `\n(${note})`}`).join("\n\n"))}</system-out>`,
        ]),
  ];
  return `${open}>\n${inner.map((line) => `      ${line}\n`).join("")}    </testcase>\n`;
}
