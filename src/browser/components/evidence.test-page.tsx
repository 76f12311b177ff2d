/** A page that shows nothing but evidence: for tests of it. */
import { render } from "preact";
import type { PageClause } from "../../report/page/data.ts";
import { readBlock } from "./blocks.ts";
import { Evidence, type EvidenceProps } from "./evidence.tsx";

/** The data that crosses into the page. */
export type EvidencePage = Omit<EvidenceProps, "clauses" | "hrefOf"> & { readonly clauses: readonly PageClause[] };

readBlock<EvidencePage>(0).then(({ clauses, ...props }) => {
  const root = document.getElementById("page")!;
  root.replaceChildren();
  render(
    <main style={{ padding: "0 16px" }}>
      <h1>Evidence</h1>
      <Evidence {...props} clauses={new Map(clauses.map((clause) => [clause.id, clause]))} />
    </main>,
    root,
  );
});
