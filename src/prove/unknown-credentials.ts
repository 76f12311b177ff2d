/** Makes probes with unknown credentials and models. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Clause } from "../check/clause.ts";
import { type Interface, interfaceNamed } from "../check/interface.ts";
import type { Probe, Twin } from "../check/probe.ts";
import { modelOf, withModel } from "../interfaces/model.ts";
import { utf8 } from "../wire/build.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { isObject, parseJsonBytes } from "../wire/json.ts";
import { replaceAt } from "../wire/pointer.ts";

/** A model id that no service has. */
const unknownModel = "unknown-touchstone-model";

/** The target's own key is put in here. */
const ownKey = "[redacted]";

/** The first twin of every operation: the simplest request of it. */
function firsts(twins: readonly Twin[]): { readonly twin: Twin; readonly position: number }[] {
  const found = new Map<string, { readonly twin: Twin; readonly position: number }>();
  for (const [position, twin] of twins.entries())
    if (!found.has(twin.operation) && twin.request.body.length > 0) found.set(twin.operation, { twin, position });
  return [...found.values()];
}

const clauseIn = (catalogue: Catalogue, of: string, section: string, fits: (clause: Clause) => boolean) =>
  catalogue.clauses.find((clause) => clause.interface === of && clause.section === section && fits(clause));

/** Wrong keys in the documented place, and the target's own without the scheme before it. */
export function ofCredentials(twins: readonly Twin[], catalogue: Catalogue): Probe[] {
  return firsts(twins).flatMap(({ twin: { interface: of, operation, request }, position: twin }): Probe[] => {
    const { unknown, scheme, operations } = interfaceNamed(catalogue.interfaces, of)?.keyClauses ?? {};
    if (operations?.includes(operation) === false) return [];
    const bare = request.headers.map(([name, value]): readonly [string, string] =>
      /^authorization$/i.test(name) ? [name, ownKey] : [name, value],
    );
    return [
      ...(unknown !== undefined
        ? [
            {
              clause: unknown,
              kind: "beyond",
              how: "a key that nobody gave out",
              twin,
              request,
              wrongKey: true,
            } as const,
          ]
        : []),
      ...(scheme !== undefined
        ? [
            {
              clause: scheme,
              kind: "beyond",
              how: "a key alone",
              twin,
              request: { ...request, headers: bare },
            } as const,
          ]
        : []),
    ];
  });
}

/** The request with another model, in its target or its JSON body; undefined where it has no place for one. */
function withUnknownModel(request: WireRequest, { model: place }: Interface): WireRequest | undefined {
  if (place === undefined) return undefined;
  if (modelOf(request, place) !== undefined && place.target?.test(request.target))
    return withModel(request, unknownModel, place);
  const json = parseJsonBytes(request.body);
  if (place.body === undefined || !json.ok || !isObject(json.value)) return undefined;
  return { ...request, body: utf8(JSON.stringify(replaceAt(json.value, place.body, unknownModel))) };
}

/** Requests for a model that nobody has, of whose refusals the documents of some interfaces say how they look. */
export function ofModels(twins: readonly Twin[], catalogue: Catalogue): Probe[] {
  return firsts(twins).flatMap(({ twin: { interface: of, request }, position: twin }): Probe[] => {
    const clause = clauseIn(catalogue, of, "errors", ({ kind, on }) => kind !== "unobservable" && on !== "request");
    const described = interfaceNamed(catalogue.interfaces, of);
    const changed = described && withUnknownModel(request, described);
    return clause && changed
      ? [{ clause: clause.id, kind: "stranger", how: "a model that nobody has", twin, request: changed }]
      : [];
  });
}
