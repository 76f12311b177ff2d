/** Writes what client libraries keep as a page of the documentation, with every reason. */
import type { GatewayDocument } from "../../../gateway/document.ts";
import { lossesOf } from "./expected.ts";
import type { Reasons } from "./page.ts";

/** Facts with an outcome, in words: it is the worst of a fact, which other requests may have kept. */
const factsOf = ({ facts }: GatewayDocument, outcome: string): string =>
  facts
    .filter((one) => one.outcome === outcome)
    .map(({ side, fact, outcomes }) => `${side} \`${fact}\`${(outcomes.kept ?? 0) > 0 ? " (of some requests)" : ""}`)
    .join(", ");

function sectionOf(name: string, document: GatewayDocument, reasons: Reasons): readonly string[] {
  const rows = (reasons[name] ?? []).map((one) => `| ${one.reason} | ${lossesOf(one).join(", ")} |`);
  const rest = [
    ["No word for", "no-counterpart"],
    ["Refused or warned of", "refused"],
    ["Not asked for", "not-shown"],
  ].flatMap(([title, outcome]) => {
    const facts = factsOf(document, outcome!);
    return facts === "" ? [] : ["", `${title}: ${facts}.`];
  });
  return [
    `## ${name.replace(":", ",")}`,
    "",
    `${document.target.name}.`,
    "",
    ...(rows.length > 0 ? ["| what it does | what is lost |", "| --- | --- |", ...rows] : ["Nothing is lost."]),
    ...rest,
    "",
  ];
}

/** @param documents by names such as `ai: messages` */
export const libraryPage = (documents: ReadonlyMap<string, GatewayDocument>, reasons: Reasons): string =>
  [
    "# Results of client libraries",
    "",
    "`touchstone gateway --client NAME --to INTERFACE` measured these libraries. Each loss was checked by hand against the bytes that arrived.",
    "[Test a gateway](gateways.md#client-libraries) says what the facts and outcomes mean.",
    "",
    ...[...documents].flatMap(([name, document]) => sectionOf(name, document, reasons)),
  ].join("\n");
