/** Reads which features and clients there are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { didYouMean } from "../../check/suggest.ts";
import { home } from "../../home.ts";
import { UserError } from "../../user-error.ts";
import type { FitnessData } from "../../verdict/fitness.ts";

const read = (name: string): never => JSON.parse(readFileSync(join(home, "schemas", `${name}.json`), "utf8")) as never;

/** The features and clients that touchstone knows. */
export const loadFitness = (): FitnessData => ({ features: read("features"), clients: read("clients") });

/** UserError for a client nobody knows. */
export function checkClient(name: string, { clients }: FitnessData): void {
  const names = clients.map((client) => client.name);
  if (names.includes(name)) return;
  throw new UserError(
    `--for ${name}: there is no such client`,
    `${didYouMean(name, names)}There are: ${names.join(", ")}.`,
  );
}
