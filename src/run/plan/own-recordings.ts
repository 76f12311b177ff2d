/** The requests that a run sends of users' own documents: the recordings in their folders, or else requests made from schemas, each once. */
import type { Catalogue } from "../../check/catalogue.ts";
import type { OwnRecording } from "../../check/example.ts";
import { routeOfExchange } from "../../check/route.ts";
import type { Exchange } from "../../wire/exchange.ts";
import type { Recording } from "./recordings.ts";

/** Their section, beside the sections of recordings. */
const section = "examples";

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "example";

const asks = ({ request: { method, target, body } }: Exchange): string =>
  `${method} ${target} ${Buffer.from(body).toString("latin1")}`;

/** Why refusing such a request is no fault: a service may know no such model or file. */
export const madeUp = "values made up from the schema";

/** Nothing is deleted unasked. */
const isSafe = ({ request: { method } }: Exchange): boolean => method !== "DELETE";

const isAnswered = ({ response }: Exchange): boolean => response !== null && response.status < 300;

/**
 * The recordings beside documents. Of operations that they do not ask for, a recording for each different request of the examples
 * that a service is to answer well.
 * @param taken sources that recordings have already
 */
export async function ownRecordings(catalogue: Catalogue, taken: ReadonlySet<string>): Promise<Recording[]> {
  const { own } = catalogue;
  if (own.size === 0) return [];
  const { exchanges } = await catalogue.examples();
  const known = new Set(taken);
  const onRequests = new Set(catalogue.clauses.filter(({ on }) => on === "request").map(({ id }) => id));
  // A broken reply on purpose shows that its clause is checked, and is nothing to ask for.
  const isToBeSent = ({ violates }: OwnRecording): boolean =>
    violates.length === 0 || violates.some((id) => onRequests.has(id));
  const recorded = Object.entries(await catalogue.recordings()).flatMap(([of, list]) =>
    list.filter(isToBeSent).map(({ section: at, name, needs, violates, bindings, exchanges: own }): Recording => {
      const source = `${of}/${at}/${name}`;
      known.add(source);
      return { source, interface: of, section: at, needs, violates, bindings, exchanges: own };
    }),
  );
  const operationOf = (exchange: Exchange): string => {
    const { interface: of, operation } = routeOfExchange(catalogue.interfaces, exchange) ?? {};
    return `${of?.name} ${operation?.name}`;
  };
  const covered = new Set(
    recorded.flatMap(({ violates, exchanges }) =>
      violates.length > 0 ? [] : exchanges.map(({ exchange }) => operationOf(exchange)),
    ),
  );
  const made = [...own].flatMap((of) => {
    const seen = new Set<string>();
    return (exchanges[of] ?? []).flatMap(({ name, exchange, probe, recorded: isRecorded }): Recording[] => {
      const key = asks(exchange);
      if (covered.has(operationOf(exchange))) return [];
      if (probe || isRecorded || !isAnswered(exchange) || !isSafe(exchange) || seen.has(key)) return [];
      seen.add(key);
      const path = `${of}/${section}/${slug(name)}`;
      let source = `${path}.json`;
      for (let n = 2; known.has(source); n++) source = `${path}-${n}.json`;
      known.add(source);
      const says = { needs: [], violates: [], undocumented: madeUp, bindings: {} };
      return [{ source, interface: of, section, ...says, exchanges: [{ exchange }] }];
    });
  });
  return [...recorded, ...made];
}
