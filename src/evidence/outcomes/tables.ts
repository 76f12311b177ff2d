/** The table of a document, whatever it is of. */
import type { Clause } from "../../check/clause.ts";
import { clientTable } from "../../report/outcomes/client.ts";
import { gatewayTable } from "../../report/outcomes/gateway.ts";
import type { OutcomeTable } from "../../report/outcomes/table.ts";
import type { OutcomeDocument } from "./read.ts";

/** @param started when it began, ISO 8601; null where nobody knows */
export const tableOf = (document: OutcomeDocument, clauses: readonly Clause[], started: string | null): OutcomeTable =>
  document.kind === "gateway" ? gatewayTable(document, clauses, started) : clientTable(document, clauses, started);
