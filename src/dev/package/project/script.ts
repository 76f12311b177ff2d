/** A script that judges a folder of HAR files: prints what it found of each, and ends with 1 where a clause fails. */
import { check } from "touchstone";

const { operations, findings, clauses } = await check("har", { preset: "vendors" });
console.log(JSON.stringify({ operations, found: findings.map(({ source, clause }) => `${source}: ${clause}`) }));
if (clauses.some(({ verdict }) => verdict === "fail")) process.exitCode = 1;
