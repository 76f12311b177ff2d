/** Judges recorded chat traffic by a document of others beside our own clauses, and tells where only one of the two objects. */
import { basename } from "node:path";
import { openSource } from "../../cassette/read.ts";
import { listSources } from "../../cassette/sources.ts";
import type { Catalogue } from "../../check/catalogue.ts";
import type { Finding } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { judgingFrom } from "../../interfaces/judging.ts";
import type { Exchange } from "../../wire/exchange.ts";

export interface Compared {
  readonly exchanges: number;
  /** Findings at places to which both object. */
  readonly agreed: number;
  /** Clause to the first message of it, where the other catalogue does not object. */
  readonly onlyDocument: ReadonlyMap<string, string>;
  readonly onlyTouchstone: ReadonlyMap<string, string>;
  /** Exchanges with findings of rules: what compares several values is nothing that a schema can say. */
  readonly ofRules: number;
}

/** Errors and warnings, since a note accuses nobody. */
type Judge = (exchange: Exchange, source: string, index: number) => readonly Finding[];

function judgeBy(catalogue: Catalogue): Judge {
  const { names, policy } = judgingFrom({ preset: "vendors" }, catalogue);
  return (exchange, source, index) => {
    const { findings } = judge(exchange, { source, exchange: index }, catalogue, { names, policy });
    return findings;
  };
}

const placeOf = ({ side, in: where, event, pointer }: Finding): string => `${side} ${where} ${event} ${pointer}`;

/** Compares on every recording of chat in a folder. @param theirs the catalogue with the document */
export async function compareTraffic(folder: string, theirs: Catalogue): Promise<Compared> {
  const own = await openCatalogue();
  const behaviours = new Set(own.clauses.filter(({ kind }) => kind !== "shape").map(({ id }) => id));
  const byOwn = judgeBy(own);
  const byDocument = judgeBy(theirs);
  const onlyDocument = new Map<string, string>();
  const onlyTouchstone = new Map<string, string>();
  let [exchanges, agreed, ofRules] = [0, 0, 0];
  for (const file of await listSources([folder])) {
    if (!basename(file).startsWith("chat-")) continue;
    for await (const { exchange, index } of await openSource(file)) {
      exchanges++;
      const ours = byOwn(exchange, file, index);
      const others = byDocument(exchange, file, index);
      const tell = (found: readonly Finding[], against: readonly Finding[], into: Map<string, string>): void => {
        const places = new Set(against.map(placeOf));
        for (const finding of found) {
          if (finding.level === "note") continue;
          if (places.has(placeOf(finding))) agreed++;
          else if (!into.has(finding.clause))
            into.set(finding.clause, `${basename(file)}, exchange ${index}: ${finding.message}`);
        }
      };
      const shapes = ours.filter(({ clause }) => !behaviours.has(clause));
      if (shapes.length < ours.length) ofRules++;
      tell(shapes, others, onlyTouchstone);
      tell(others, ours, onlyDocument);
    }
  }
  return { exchanges, agreed, onlyDocument, onlyTouchstone, ofRules };
}
