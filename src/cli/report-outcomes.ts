/** Results of gateways and clients, for `touchstone report`: one rendered again, several side by side. */
import type { ClauseData } from "../check/catalogue.ts";
import type { OutcomeSource } from "../evidence/outcomes/pages.ts";
import type { NamedPath } from "../evidence/read-comparison.ts";
import { formats, rendered } from "../report/formats.ts";
import type { OutcomeTable } from "../report/outcomes/table.ts";
import { createPrinter, wantsColor } from "../report/terminal/printer.ts";
import { UserError } from "../user-error.ts";

export interface OutcomesOutput {
  readonly format: string;
  readonly out: string | undefined;
  readonly verbose: boolean;
  readonly catalogue: ClauseData;
  /** Paths of users' own documents. */
  readonly documents: readonly string[] | undefined;
}

/** The results that these files hold; undefined where they are of no gateway and no client. UserError where only some of them are. */
export async function readAllOutcomes(files: readonly string[]): Promise<readonly OutcomeSource[] | undefined> {
  const { readOutcomes } = await import("../evidence/outcomes/read.ts");
  const read = await Promise.all(files.map((file) => readOutcomes(file)));
  const known = read.flatMap((document, i) => (document ? [{ document, file: files[i]! }] : []));
  if (known.length === 0) return undefined;
  const kinds = new Set(known.map(({ document }) => document.kind));
  if (known.length < files.length || kinds.size > 1)
    throw new UserError(
      `${files.join(", ")} are not results of one kind`,
      "Set gateways beside gateways, clients beside clients, and runs beside runs.",
    );
  return known;
}

/** Prints them, and writes a folder where one is named. */
export async function reportOutcomes(
  sources: readonly OutcomeSource[],
  named: readonly NamedPath[],
  options: OutcomesOutput,
): Promise<void> {
  const { outcomeExitCode } = await import("../report/outcomes/outline.ts");
  const table =
    sources.length === 1 ? await reportOne(sources[0]!, options) : await reportSeveral(sources, named, options);
  process.exitCode = outcomeExitCode(table);
}

async function tableFrom({ document, file }: OutcomeSource, { clauses }: ClauseData): Promise<OutcomeTable> {
  const [{ tableOf }, { startedOf }] = await Promise.all([
    import("../evidence/outcomes/tables.ts"),
    import("../evidence/read-comparison.ts"),
  ]);
  return tableOf(document, clauses, (await startedOf([file])) ?? null);
}

async function pageOf(
  table: OutcomeTable,
  sources: readonly OutcomeSource[],
  { documents }: Pick<OutcomesOutput, "documents">,
): Promise<Iterable<string>> {
  const [{ outcomesPage }, { openInterfaces }] = await Promise.all([
    import("../evidence/outcomes/pages.ts"),
    import("../interfaces/open-interfaces.ts"),
  ]);
  return outcomesPage(table, sources, await openInterfaces(documents));
}

/** UserError for a format that there is not. */
function refuseFormat(of: "outcomes" | "outcomeColumns", format: string): void {
  const names = formats[of].map(({ name }) => name);
  if (!names.some((name) => name === format))
    throw new UserError(
      `--format ${format} shows ${of === "outcomes" ? "a run" : "one gateway or client"}`,
      `Give one of --format ${names.join(", ")}.`,
    );
}

async function reportOne(source: OutcomeSource, options: OutcomesOutput): Promise<OutcomeTable> {
  const { format, out, verbose, catalogue } = options;
  refuseFormat("outcomes", format);
  if (out !== undefined)
    throw new UserError(
      `--out ${out}: the folder of one ${source.document.kind} holds all its reports already`,
      "Leave it out, or set several side by side: touchstone report A=DIR B=DIR --out DIR",
    );
  const table = await tableFrom(source, catalogue);
  const page = format === "html" ? await pageOf(table, [source], options) : [];
  const reported = { document: source.document, table };
  const sources = { clauses: catalogue.clauses, color: wantsColor(), verbose, page: () => page };
  const { write } = createPrinter();
  for (const piece of await rendered("outcomes", format, reported, sources)) await write(piece);
  return table;
}

/** Sets them side by side, with the names that they were given, or that tell them apart. */
async function reportSeveral(
  sources: readonly OutcomeSource[],
  named: readonly NamedPath[],
  options: OutcomesOutput,
): Promise<OutcomeTable> {
  const { format, out, verbose, catalogue } = options;
  refuseFormat("outcomeColumns", format);
  const [{ besideOneAnother }, { columnNames }, { writeSideBySide }] = await Promise.all([
    import("../report/outcomes/side-by-side.ts"),
    import("../report/side-by-side/names.ts"),
    import("./side-by-side.ts"),
  ]);
  const tables: OutcomeTable[] = [];
  for (const source of sources) tables.push(await tableFrom(source, catalogue));
  const routes = new Set(tables.map(({ title }) => title));
  const names = columnNames(
    tables.map(({ title, columns: [column] }, i) => ({
      name: named[i]!.name,
      target: routes.size > 1 ? `${column!.name}, ${title}` : column!.name,
      started: column!.started ?? "",
      path: named[i]!.path,
    })),
  );
  const [{ kind, title }] = tables as [OutcomeTable];
  const of =
    routes.size === 1 && kind === "gateway" ? title.replace("Gateway", `${tables.length} gateways`) : undefined;
  const table = besideOneAnother(tables, of ?? `${tables.length} ${kind}s side by side`, names);
  await writeSideBySide("outcomeColumns", format, out, async (name) => {
    const page = name === "html" ? await pageOf(table, sources, options) : [];
    const color = wantsColor() && name === format;
    return rendered("outcomeColumns", name, table, { clauses: catalogue.clauses, color, verbose, page: () => page });
  });
  return table;
}
