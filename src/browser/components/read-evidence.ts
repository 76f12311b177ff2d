/** Reads what a page knows of an exchange, and of the good request that a probe was made from. */
import { useEffect, useState } from "preact/hooks";
import type { PageEvidence } from "../../report/page/data.ts";
import type { EvidenceStore } from "./evidence-store.ts";

export type ReadEvidence =
  | { readonly evidence: PageEvidence | undefined; readonly twin: PageEvidence | undefined }
  | { readonly problem: string };

/**
 * Undefined while it is read.
 * @param row of the exchange; nothing is read without one
 * @param twinRow of the good request
 */
export function useEvidence(
  store: EvidenceStore,
  row: number | undefined,
  twinRow: number | undefined,
): ReadEvidence | undefined {
  const [loaded, setLoaded] = useState<{ readonly store: EvidenceStore; readonly row: number } & ReadEvidence>();
  useEffect(() => {
    if (row === undefined) return;
    let isWanted = true;
    Promise.all([store.read(row), twinRow === undefined ? undefined : store.read(twinRow)]).then(
      ([evidence, twin]) => isWanted && setLoaded({ store, row, evidence, twin }),
      (error: unknown) => isWanted && setLoaded({ store, row, problem: String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [row, store]);
  return loaded?.row === row && loaded?.store === store ? loaded : undefined;
}
