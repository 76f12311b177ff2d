/** What judging the folder of a gateway or a client again takes, and what it gives. */
import type { CassetteHeader, Recorded } from "../../cassette/format.ts";
import type { Catalogue } from "../../check/catalogue.ts";
import type { Problem } from "../compare.ts";
import type { Manifest } from "../manifest.ts";

export interface EvidenceFolder {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Every exchange, in the order of the file. */
  readonly kept: readonly Recorded[];
  readonly catalogue: Catalogue;
  /** Users' own documents that judged. */
  readonly documents: readonly string[] | undefined;
}

/** What the evidence of a folder comes to. */
export interface JudgedAgain<D> {
  readonly right: D;
  /** The first line of the exchanges. */
  readonly header: CassetteHeader;
  /** What is amiss in the evidence itself. */
  readonly problems: readonly Problem[];
}

/** What to do about evidence that nobody can judge. */
export const asWritten = "Verify the folder as it was written.";
