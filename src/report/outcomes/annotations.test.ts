/** Annotations of a gateway or a client: what fails is an error, what warns a warning, and what is known neither. */
import { expect, test } from "vitest";
import { evil } from "../results.test-kit.ts";
import { formatOutcomeAnnotations } from "./annotations.ts";
import { gatewayTable } from "./table.test-kit.ts";
import type { OutcomeCell, OutcomeTable } from "./table.ts";

const table = gatewayTable();
const column = table.columns[0]!;

/** The table with these cells as its only rows. */
const withCells = (...cells: readonly OutcomeCell[]): OutcomeTable => ({
  ...table,
  groups: [
    {
      ...table.groups[0]!,
      rows: cells.map((cell, i) => ({ id: `fact-${i}`, says: `What ${i} asks for.`, cells: [cell] })),
    },
  ],
});
const dropped: OutcomeCell = { outcome: "dropped", level: "error", examples: [] };

test("a failure is an error, a warning a warning", () => {
  const lines = formatOutcomeAnnotations(table).trimEnd().split("\n");
  expect(lines[0]).toMatch(
    /^::error title=gateway\.request\.sampling\.temperature::What sampling\.temperature asks for\.%0Adropped: /,
  );
  expect(lines.some((line) => line.startsWith("::warning title=gateway.request.thinking::"))).toBe(true);
  expect(lines.join()).not.toContain("turns");
});

test("a known failure is told in none", () => {
  expect(formatOutcomeAnnotations(withCells({ ...dropped, expected: { reason: "known" } }))).toBe("");
});

test("what was broken off, and a gateway that ended, are errors", () => {
  const { columns: _, ...rest } = withCells({ ...dropped, outcome: "kept", level: null });
  const broken = formatOutcomeAnnotations({ ...rest, columns: [{ ...column, complete: false }] });
  expect(broken).toBe("::error title=touchstone gateway::it was broken off\n");
  const ended = formatOutcomeAnnotations({ ...rest, columns: [{ ...column, troubles: ["it ended with code 3"] }] });
  expect(ended).toBe("::error title=touchstone gateway::it ended with code 3\n");
});

test("ten of each level at most, and one line each whatever is quoted", () => {
  const many = withCells(...Array.from({ length: 30 }, () => ({ ...dropped, why: evil })));
  const lines = formatOutcomeAnnotations(many).trimEnd().split("\n");
  expect(lines).toHaveLength(10);
  expect(lines.every((line) => line.startsWith("::error title="))).toBe(true);
  expect(lines[9]).toContain("and 21 more");
});
