/** Reads the results of gateways and clients. */
import { statSync } from "node:fs";
import type { ClientDocument } from "../../cases/document.ts";
import type { GatewayDocument } from "../../gateway/document.ts";
import { readJsonFile } from "../../json-file.ts";
import { UserError } from "../../user-error.ts";
import { formatChecker } from "../../verdict/read-results.ts";
import { isObject } from "../../wire/json.ts";

/** What `touchstone gateway` or `touchstone client` came to. */
export type OutcomeDocument = GatewayDocument | ClientDocument;

const remedy = "Give a folder that touchstone gateway --out DIR or touchstone client --out DIR wrote, as it wrote it.";

/**
 * The results of a gateway or a client; undefined where the file holds anything else. UserError where they are damaged, or where
 * what they come from did not end.
 */
export async function readOutcomes(file: string): Promise<OutcomeDocument | undefined> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const content = readJsonFile(file, file, remedy);
  if (!isObject(content) || (content["kind"] !== "gateway" && content["kind"] !== "client")) return undefined;
  const { kind } = content;
  const problem = (await formatChecker(kind))(content);
  if (problem !== undefined) throw new UserError(`${file}: no results of touchstone ${kind}: ${problem}`, remedy);
  const document = content as unknown as OutcomeDocument;
  if (!document.complete) throw new UserError(`${file}: what it comes from did not finish`, "Run it again.");
  return document;
}
