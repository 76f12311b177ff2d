/** Requests that show whether a target keeps request clauses: small good requests, and the proof's variants of them. */
import { boundedOnce } from "../check/bounded-once.ts";
import type { Catalogue } from "../check/catalogue.ts";
import { type Clause, isDecidable } from "../check/clause.ts";
import { editForm } from "../check/edit-form.ts";
import { type Interface, interfaceNamed, keyClausesOf } from "../check/interface.ts";
import { namesFrom } from "../check/names.ts";
import { isKind } from "../check/neutral-names.ts";
import type { Probe, Probes, Twin } from "../check/probe.ts";
import { routeOf } from "../check/route.ts";
import type { Rule } from "../check/rule.ts";
import { modelOf, withModel } from "../interfaces/model.ts";
import { utf8 } from "../wire/build.ts";
import { editBody } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { parseJsonBytes } from "../wire/json.ts";
import { bounded, isCostly } from "./cost.ts";
import { type Variant, variantsOf } from "./counterexamples.ts";
import type { Ground } from "./ground.ts";
import { isPlace, misplacedParts } from "./misplaced-parts.ts";
import { disputedBy, fit, type Good, goodOf, isBeyond, isTooDear, type Tools, whyUnprobed } from "./probe-fitness.ts";
import { createRoom } from "./room.ts";
import { shrink, stayingIn } from "./shrink.ts";
import { withSpellings } from "./spellings.ts";
import { spoiledBy } from "./spoiled.ts";
import type { Visit } from "./trace.ts";
import { ofCredentials, ofModels } from "./unknown-credentials.ts";
import { createValueVariants } from "./value-variants.ts";

/** Variants of a good request that are fit to be sent. */
interface FitVariants {
  readonly good: Good;
  readonly variants: readonly Variant[];
}

type Make = (good: Good) => FitVariants | undefined;

/** Whether variants are worth sending: of most clauses, one at least has to be beyond. */
type Suffices = (variants: readonly Variant[]) => boolean;

/** Makes variants from a schema's keyword, at the first place where it meets something. */
function fromKeyword({ node, keyword, member }: Visit, clause: Clause, tools: Tools, suffices: Suffices): Make {
  return (good) => {
    const found = good.traced.visits.find(
      ({ visit }) =>
        visit.node === node && visit.clause === clause.id && visit.keyword === keyword && visit.member === member,
    );
    if (!found) return undefined;
    const others = tools.forms.of(found.visit);
    const made = isPlace(found.visit)
      ? misplacedParts(good.traced, found.part, found.visit)
      : variantsOf(good.traced, found.part, found.visit, others);
    const variants = fit(made, clause, good, tools);
    return suffices(variants) ? { good, variants } : undefined;
  };
}

/** Makes variants from a rule's spoil, and from what it allows. */
function fromRule({ spoil, within }: Rule, clause: Clause, tools: Tools): Make {
  return (good) => {
    if (!good.judged.exercised[tools.catalogue.indexOf(clause.id)]) return undefined;
    const exchange = spoiledBy(() => spoil(good.exchange));
    if (!exchange) return undefined;
    const beyond: Variant = { clause: clause.id, breaks: true, exchange, how: "the rule's counterexample" };
    const allowed =
      spoiledBy(() => within?.(good.exchange))?.map((one): Variant => ({ clause: clause.id, breaks: false, ...one })) ??
      [];
    const variants = fit([beyond, ...allowed], clause, good, tools);
    return variants.some(isBeyond) ? { good, variants } : undefined;
  };
}

const sizeOf = ({ request }: Exchange): number => request.body.length;

/** The request with the model that recordings ask for, unless it names a kind of models. */
function plainly({ requests, model }: Interface, { request }: Exchange): Exchange["request"] {
  const plain = requests?.plainModel;
  return plain === undefined || isKind(modelOf(request, model)) ? request : withModel(request, plain, model);
}

/** The same of the smallest request of which it can be made. */
function smallest(made: FitVariants, make: Make, tools: Tools): FitVariants {
  const { exchange, judged } = made.good;
  const body = parseJsonBytes(exchange.request.body);
  let best = made;
  // A smaller request serves only if it has every form that the larger one has.
  const serving = (other: Exchange): FitVariants | undefined => {
    const good = goodOf(other, tools, judged.others);
    const again = good && make(good);
    return again && again.variants.length >= made.variants.length ? again : undefined;
  };
  const serves = (other: Exchange): boolean => {
    const again = serving(other);
    // It does not serve either if a strict reading objects to what is gone.
    if (!again || disputedBy(other, exchange, tools) !== undefined) return false;
    best = again;
    return true;
  };
  const of = made.good.traced.subject.interface;
  const described = interfaceNamed(tools.catalogue.interfaces, of);
  if (body.ok && described)
    shrink(body.value, stayingIn(described), (smaller) =>
      serves(editBody(exchange, "request", utf8(JSON.stringify(smaller)))),
    );
  // A model of a known kind is asked for only where the rule is about it: few targets say which of theirs is one.
  const { request } = best.good.exchange;
  const plain = described?.requests?.plainModel;
  if (plain !== undefined && isKind(modelOf(request, described?.model))) {
    const ofAnyModel = { ...best.good.exchange, request: withModel(request, plain, described?.model) };
    // Forms need no model at all; JSON is without one already where that serves.
    const unnamed = editForm(best.good.exchange, (fields) => fields.filter(([name]) => name !== "model"));
    if (serving(ofAnyModel)) serves(unnamed ?? ofAnyModel);
  }
  // The part that needed a longer reply may be gone.
  serves(bounded(best.good.exchange, described));
  return best;
}

/**
 * Twins, each with a name by its first clause. The name stays when clauses are added before and behind, as a position would
 * not, and when an example is worded anew.
 */
function named(twins: readonly Omit<Twin, "name">[], probes: readonly Probe[]): Twin[] {
  const uses = new Map<string, number>();
  return twins.map((twin, i) => {
    const [, section, clause] = probes.find((probe) => probe.twin === i)!.clause.split(".");
    const id = `${twin.interface}/${section}/${clause}`;
    const use = (uses.get(id) ?? 0) + 1;
    uses.set(id, use);
    return { ...twin, name: `${section}/${clause}${use > 1 ? `-${use}` : ""}` };
  });
}

/**
 * Every probe of the request clauses of interfaces, with their twins; takes some seconds for those that ship with touchstone.
 * One probe a keyword of a subschema, at the first place where it can be broken alone.
 * @param wanted names of interfaces; all where it is left out
 */
export function probesOf(catalogue: Catalogue, ground: Ground, wanted?: ReadonlySet<string>): Probes {
  const isWanted = ({ name }: { readonly name: string }): boolean => wanted?.has(name) ?? true;
  const forms = createValueVariants();
  const shared = { catalogue, names: namesFrom(), tracer: ground.tracer, forms, missed: new Map<string, number>() };
  const tools: Tools = { ...shared, room: createRoom(catalogue) };
  const twins = new Map<string, { readonly position: number; readonly twin: Omit<Twin, "name"> }>();
  const probes: Probe[] = [];
  const byClause = new Map<string, Probe[]>();
  const positions = new WeakMap<Exchange["request"], number>();
  const positionOf = ({ id, interface: of }: Pick<Clause, "id" | "interface">, { request }: Exchange): number => {
    const known = positions.get(request);
    if (known !== undefined) return known;
    const key = JSON.stringify([request.target, request.headers, Buffer.from(request.body).toString("latin1")]);
    const operation = routeOf(catalogue.interfaces, request.method, request.target)?.operation.name ?? id;
    const isDear = isCostly(request, interfaceNamed(catalogue.interfaces, of));
    const twin = { interface: of, operation, request, ...(isDear && { costly: true as const }) };
    const own = twins.get(key) ?? { position: twins.size, twin };
    twins.set(key, own);
    positions.set(request, own.position);
    return own.position;
  };
  const add = (clause: Clause, from: Exchange, { breaks, how, exchange }: Variant): void => {
    const { request } = exchange;
    // Skip a request that is equal to the twin, or to another probe of this clause.
    const isSame = (one: Exchange["request"]): boolean =>
      one.target === request.target && Buffer.from(one.body).equals(request.body);
    const twin = positionOf(clause, from);
    const own = byClause.get(clause.id) ?? [];
    byClause.set(clause.id, own);
    const isAsked = (): boolean => own.some((probe) => probe.twin === twin && isSame(probe.request));
    if (!breaks && (isSame(from.request) || isAsked())) return;
    const reading = breaks ? undefined : boundedOnce(catalogue.interfaces, () => disputedBy(exchange, from, tools));
    const probe: Probe = {
      clause: clause.id,
      kind: breaks ? "beyond" : "within",
      how,
      twin,
      request,
      ...(reading !== undefined && { reading }),
      ...(isCostly(request, interfaceNamed(catalogue.interfaces, clause.interface)) && { costly: true as const }),
    };
    probes.push(probe);
    own.push(probe);
  };
  const asked = catalogue.clauses.filter(
    (one) => one.on === "request" && isDecidable(one) && isWanted({ name: one.interface }),
  );
  for (const one of catalogue.interfaces.filter(isWanted)) {
    const { name, rules } = one;
    const tools: Tools = { ...shared, room: createRoom(catalogue) };
    const clauses = new Map(asked.filter((clause) => clause.interface === name).map((clause) => [clause.id, clause]));
    const goods = (ground.exchanges[name] ?? [])
      .filter(({ probe }) => !probe)
      .map(({ exchange, late = false }) => ({
        exchange: bounded({ ...exchange, request: plainly(one, exchange), response: null }, one),
        late,
      }))
      // Targets offer requests with a body first; lists of what was stored come last.
      .sort((a, b) => (sizeOf(a.exchange) || Infinity) - (sizeOf(b.exchange) || Infinity))
      .sort((a, b) => Number(a.late) - Number(b.late))
      .map(({ exchange }) => exchange)
      .flatMap((exchange) => goodOf(exchange, tools) ?? []);
    for (const { traced } of goods) for (const { visit } of traced.visits) forms.add(visit);
    const done = new Map<object, Set<string>>();
    const attempt = (good: Good, origin: object, key: string, clause: Clause, make: Make): void => {
      const keys = done.get(origin) ?? new Set();
      done.set(origin, keys);
      if (keys.has(key) || isTooDear(good.exchange, clause, tools)) return;
      const made = boundedOnce(catalogue.interfaces, () => {
        const first = make(good);
        return first && smallest(first, make, tools);
      });
      if (!made) return;
      keys.add(key);
      for (const variant of made.variants) add(clause, made.good.exchange, variant);
    };
    const keywords = (good: Good, suffices: Suffices, of: (clause: Clause) => boolean): void => {
      for (const { visit } of good.traced.visits) {
        const clause = clauses.get(visit.clause);
        const key = `${visit.clause} ${visit.keyword} ${visit.member ?? ""}`;
        if (clause && of(clause)) attempt(good, visit.node, key, clause, fromKeyword(visit, clause, tools, suffices));
      }
    };
    for (const good of goods) {
      keywords(
        good,
        (variants) => variants.some(isBeyond),
        () => true,
      );
      for (const rule of rules) {
        const clause = clauses.get(rule.clause);
        if (clause && good.judged.exercised[catalogue.indexOf(clause.id)])
          attempt(good, rule, "", clause, fromRule(rule, clause, tools));
      }
    }
    // A clause whose violation need not be refused has limits that are to be accepted all the same.
    const beyond = new Set(probes.map(({ clause }) => clause));
    for (const good of goods)
      keywords(
        good,
        (variants) => variants.length > 0,
        ({ id }) => !beyond.has(id),
      );
  }
  const made = named(
    [...twins.values()].map(({ twin }) => twin),
    probes,
  );
  const others = [...withSpellings(made, tools), ...ofCredentials(made, catalogue), ...ofModels(made, catalogue)];
  const onKeys = keyClausesOf(catalogue.interfaces);
  const all = [...probes, ...others].map((probe) =>
    onKeys.has(probe.clause) ? { ...probe, ofKey: true as const } : probe,
  );
  const probed = new Set(all.map(({ clause }) => clause));
  const unprobed = asked
    .filter(({ id }) => !probed.has(id))
    .map((clause): [string, string] => [clause.id, whyUnprobed(clause, tools)]);
  return { twins: made, probes: all, unprobed: Object.fromEntries(unprobed) };
}
