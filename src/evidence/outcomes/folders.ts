/** The folders of gateways and clients: which files they hold beside results and exchanges, and how these are made. */
import { bundleOf } from "../../bundle.ts";
import type { ClientDocument } from "../../cases/document.ts";
import type { Recorded } from "../../cassette/format.ts";
import type { Clause } from "../../check/clause.ts";
import type { GatewayDocument } from "../../gateway/document.ts";
import { type Format, formats, type Render } from "../../report/formats.ts";
import { clientTable } from "../../report/outcomes/client.ts";
import { gatewayTable } from "../../report/outcomes/gateway.ts";
import { cellsOf } from "../../report/outcomes/outline.ts";
import { createOutcomePacker, outcomePage } from "../../report/outcomes/page.ts";
import type { OutcomeTable } from "../../report/outcomes/table.ts";
import type { VerdictDocument } from "../../verdict/document.ts";
import { observationsName } from "../manifest.ts";
import { type FolderContents, type FolderKind, loadedReports, type MakeFile } from "../reports.ts";

/** Makes the table of a document. @param started when it began, ISO 8601; null where nobody knows */
export type TableOf<D> = (document: D, clauses: readonly Clause[], started: string | null) => OutcomeTable;

/** The page of a document. @param exchanges those that lie beside it; undefined where there are none to look at */
export function pageOfOutcomes(
  table: OutcomeTable,
  document: VerdictDocument,
  exchanges: Iterable<Recorded> | undefined,
  { catalogue, made }: Pick<FolderContents, "catalogue"> & { readonly made: FolderContents["made"] | null },
): Iterable<string> {
  const { clauses, readings, interfaces } = catalogue;
  const packer = createOutcomePacker(table, 0, document, interfaces);
  for (const recorded of exchanges ?? []) packer.add(recorded);
  const packed = packer.finish(exchanges ? (made?.evidence ?? "all") : "absent");
  return outcomePage(
    table,
    { command: made?.command ?? null, clauses, readings, findings: document.findings, exchanges: [packed] },
    bundleOf("outcomes"),
  );
}

async function folderOf<D extends VerdictDocument>(
  tableOf: TableOf<D>,
  own: Pick<FolderKind<D>, "commands"> & { readonly beside?: string },
): Promise<FolderKind<D>> {
  const makes =
    (render: Render<"outcomes">): MakeFile<D> =>
    (document, contents) => {
      const { catalogue, exchanges, made } = contents;
      const table = tableOf(document, catalogue.clauses, made.started);
      const page = () => pageOfOutcomes(table, document, exchanges, contents);
      return render({ document, table }, { clauses: catalogue.clauses, page });
    };
  const withFile = formats.outcomes.filter((format: Format<"outcomes">) => format.file !== undefined);
  return {
    reports: await loadedReports(withFile, makes),
    trackers: {},
    failing(document) {
      const cells = cellsOf(tableOf(document, [], null), 0).filter(({ level }) => level !== null);
      const places = cells.flatMap(({ examples }) => examples.flatMap(({ exchanges }) => exchanges));
      return [...document.findings.filter(({ level }) => level !== "note"), ...places];
    },
    unshown: () => [],
    ...own,
  };
}

export const gatewayFolder: FolderKind<GatewayDocument> = await folderOf(gatewayTable, {
  commands: ({ facts }) =>
    facts.flatMap(({ examples }) =>
      examples.flatMap(({ trip, curl }) => (curl === undefined ? [] : [{ source: trip, exchange: 0, curl }])),
    ),
});

export const clientFolder: FolderKind<ClientDocument> = await folderOf(clientTable, {
  beside: observationsName,
  commands: () => [],
});
