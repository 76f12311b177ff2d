/** The names that files of a target may hold, as a JSON Schema from which editors complete them. */
import { join } from "node:path";
import { home } from "../home.ts";
import { shippedClauses } from "../interfaces/clause-data.ts";
import { interfaces } from "../interfaces/index.ts";
import { lackable } from "../run/plan/plan.ts";
import { readRecording, recordingsIn } from "../run/plan/recordings.ts";
import { groupSource, shippedProbes } from "../run/send/probes.ts";

/** Its path, from the top. */
export const namesFile = join("schemas", "formats", "names.schema.json");

/** The text of the file: clauses, recordings, groups of probes, interfaces, and what a target may lack. */
export async function namesSchema(): Promise<string> {
  const folder = join(home, "recordings");
  const sources = recordingsIn(folder);
  const recordings = await Promise.all(sources.map((source) => readRecording(folder, source)));
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "/formats/names.schema.json",
    title: "Names of clauses, recordings, groups of probes, interfaces and of what a target may lack",
    description: "Written by the build.",
    $defs: {
      clause: {
        enum: shippedClauses.clauses.map(({ id }) => id).sort(),
      },
      cassette: { enum: sources },
      probes: { enum: shippedProbes().twins.map(groupSource).sort() },
      interface: { enum: interfaces.map(({ name }) => name) },
      lack: { enum: lackable(recordings) },
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
