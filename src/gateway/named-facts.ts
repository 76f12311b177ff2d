/** The names and sentences of facts. */
import { factData, hasWord } from "../interfaces/fact-data.ts";
import type { NamedFact } from "./build-document.ts";
import type { FactSide, Route } from "./trip.ts";

const sides: readonly FactSide[] = ["request", "answer"];

/** The facts that either interface of a route has a word for, those of requests first; all facts without a route. */
export const namedFacts = (route?: Route): readonly NamedFact[] =>
  sides.flatMap((side) =>
    Object.entries(factData()[side])
      .filter(([, entry]) => !route || hasWord(entry, route.from) || hasWord(entry, route.to))
      .map(([name, { says }]) => ({ name, side, says })),
  );
