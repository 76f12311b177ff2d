/** Requests that show whether a target keeps request clauses: small good requests, and the proof's variants of them. */
import type { Catalogue } from "../check/catalogue.ts";
import { type Clause, lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { type Names, namesFrom } from "../check/names.ts";
import { requestParts } from "../check/parts.ts";
import type { Probe, Probes, Twin } from "../check/probe.ts";
import { routeOf } from "../check/route.ts";
import type { Rule } from "../check/rule.ts";
import { readSubject } from "../check/subject.ts";
import { examples } from "../interfaces/examples.ts";
import { utf8 } from "../wire/build.ts";
import { editBody } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isObject, parseJson } from "../wire/json.ts";
import { type Traced, type Variant, variantsOf } from "./counterexamples.ts";
import { shrink } from "./shrink.ts";
import { createTracer, type Tracer, type Visit } from "./trace.ts";

/** Bytes of a body beyond which a request is no probe: sending it proves little for what it costs. */
const largest = 256 << 10;

interface Tools {
  readonly catalogue: Catalogue;
  readonly names: Names;
  readonly tracer: Tracer;
}

/** What judging says of a request alone. */
interface Judged {
  readonly errors: readonly string[];
  /** Clauses violated at lower levels. */
  readonly others: readonly string[];
  readonly exercised: Uint8Array;
}

/** A request that breaks nothing. */
interface Good {
  readonly exchange: Exchange;
  readonly judged: Judged;
  readonly traced: Traced;
}

/** Variants of a good request, one of which at least breaks the clause and nothing else. */
interface Made {
  readonly good: Good;
  readonly variants: readonly Variant[];
}

type Make = (good: Good) => Made | undefined;

const isBeyond = ({ breaks }: Variant): boolean => breaks;

function judgedAlone(exchange: Exchange, { catalogue, names }: Tools): Judged {
  const at = { source: "probe", exchange: 0 };
  const { findings, exercised } = judge(exchange, at, catalogue, { names, policy: lenient, side: "request" });
  const of = (error: boolean): string[] => [
    ...new Set(findings.filter(({ level }) => (level === "error") === error).map(({ clause }) => clause)),
  ];
  return { errors: of(true), others: of(false), exercised };
}

/** Tokens that a reply to a probe may have, where the request does not say otherwise. */
const shortReply = 16;

/** The request with a bound on what it has generated: an accepted probe costs little then. */
function bounded(exchange: Exchange): Exchange {
  const { target, body } = exchange.request;
  const json = parseJson(Buffer.from(body).toString("utf8"));
  if (!json.ok || !isObject(json.value)) return exchange;
  const { value } = json;
  const put = (members: object): Exchange =>
    editBody(exchange, "request", utf8(JSON.stringify({ ...value, ...members })));
  if (target.startsWith("/v1/chat/completions"))
    return "max_tokens" in value || "max_completion_tokens" in value
      ? exchange
      : put({ max_completion_tokens: shortReply });
  if (target.startsWith("/v1/messages"))
    return typeof value["max_tokens"] === "number" && value["max_tokens"] > shortReply && !("thinking" in value)
      ? put({ max_tokens: shortReply })
      : exchange;
  const config = value["generationConfig"] ?? {};
  const isBound = !isObject(config) || "thinkingConfig" in config || "maxOutputTokens" in config;
  if (target.includes("enerateContent") && !("generation_config" in value) && !isBound)
    return put({ generationConfig: { ...config, maxOutputTokens: shortReply } });
  return exchange;
}

/** Reads a request; undefined where it breaks a clause, or breaks more at lower levels than `allowed`. */
function goodOf(exchange: Exchange, tools: Tools, allowed?: readonly string[]): Good | undefined {
  const judged = judgedAlone(exchange, tools);
  if (judged.errors.length > 0 || (allowed && !judged.others.every((id) => allowed.includes(id)))) return undefined;
  const route = routeOf(tools.catalogue.interfaces, exchange.request.method, exchange.request.target);
  if (!route) return undefined;
  const subject = readSubject(exchange, route, tools.names);
  const visits = requestParts(subject).flatMap((part) =>
    tools.tracer.visits(part.schema, part.value).map((visit) => ({ part, visit })),
  );
  return { exchange, judged, traced: { exchange, subject, visits } };
}

/** The variants that are fit to be sent: beyond exactly one rule, or within all of them. */
function fit(variants: Iterable<Variant>, clause: Clause, { others }: Judged, tools: Tools): Variant[] {
  const allowed = new Set([clause.id, ...(clause.alsoBreaks ?? [])]);
  const kept: Variant[] = [];
  for (const variant of variants) {
    const exchange: Exchange = { ...variant.exchange, response: null };
    // Another model is another thing to ask for, which a target need not have.
    if (!variant.breaks && / at \/model(\/0)?$/.test(variant.how)) continue;
    // Of what breaks a clause in several ways, one shows whether it is kept.
    if (exchange.request.body.length > largest || (variant.breaks && kept.some(isBeyond))) continue;
    const judged = judgedAlone(exchange, tools);
    const exact = judged.errors.includes(clause.id) && judged.errors.every((id) => allowed.has(id));
    const legal = judged.errors.length === 0 && judged.others.every((id) => others.includes(id));
    if (variant.breaks ? exact : legal) kept.push({ ...variant, exchange });
  }
  return kept;
}

/** Makes variants from a schema's keyword, at the first place where it meets something. */
function fromKeyword({ node, keyword, member }: Visit, clause: Clause, tools: Tools): Make {
  return (good) => {
    const found = good.traced.visits.find(
      ({ visit }) =>
        visit.node === node && visit.clause === clause.id && visit.keyword === keyword && visit.member === member,
    );
    const variants = found && fit(variantsOf(good.traced, found.part, found.visit), clause, good.judged, tools);
    return variants?.some(isBeyond) ? { good, variants } : undefined;
  };
}

/** Makes a variant from a rule's spoil. */
function fromRule({ spoil }: Rule, clause: Clause, tools: Tools): Make {
  return (good) => {
    const exchange = good.judged.exercised[tools.catalogue.indexOf(clause.id)] ? spoil(good.exchange) : undefined;
    const variant = exchange && { clause: clause.id, breaks: true, exchange, how: "the rule's counterexample" };
    const variants = variant && fit([variant], clause, good.judged, tools);
    return variants?.some(isBeyond) ? { good, variants } : undefined;
  };
}

/** The same of the smallest request of which it can be made. */
function smallest(made: Made, make: Make, tools: Tools): Made {
  const { exchange, judged } = made.good;
  const body = parseJson(Buffer.from(exchange.request.body).toString("utf8"));
  let best = made;
  if (body.ok)
    shrink(body.value, (smaller) => {
      const good = goodOf(editBody(exchange, "request", utf8(JSON.stringify(smaller))), tools, judged.others);
      const again = good && make(good);
      if (again) best = again;
      return again !== undefined;
    });
  return best;
}

/**
 * Every probe of the request clauses of all interfaces, with their twins; takes some seconds.
 * Of one keyword of one subschema, the first place at which it can be broken alone.
 */
export function probesOf(catalogue: Catalogue): Probes {
  const tools: Tools = { catalogue, names: namesFrom(), tracer: createTracer() };
  const twins = new Map<string, { readonly position: number; readonly twin: Twin }>();
  const probes: Probe[] = [];
  const positionOf = ({ id, interface: of }: Pick<Clause, "id" | "interface">, { request }: Exchange): number => {
    const key = JSON.stringify([request.target, request.headers, Buffer.from(request.body).toString("latin1")]);
    const operation = routeOf(catalogue.interfaces, request.method, request.target)?.operation.name ?? id;
    const own = twins.get(key) ?? { position: twins.size, twin: { interface: of, operation, request } };
    twins.set(key, own);
    return own.position;
  };
  for (const { name, rules } of catalogue.interfaces) {
    const clauses = new Map(
      catalogue.clauses
        .filter((clause) => clause.interface === name && clause.on === "request" && clause.kind !== "unobservable")
        .map((clause) => [clause.id, clause]),
    );
    const goods = (examples[name] ?? [])
      .filter(({ probe }) => !probe)
      .map(({ exchange }): Exchange => bounded({ ...exchange, response: null }))
      // What has a body is what targets offer first; lists of what was stored come last.
      .sort((a, b) => (a.request.body.length || largest) - (b.request.body.length || largest))
      .flatMap((exchange) => goodOf(exchange, tools) ?? []);
    const done = new Map<object, Set<string>>();
    const attempt = (good: Good, origin: object, key: string, clause: Clause, make: Make): void => {
      const keys = done.get(origin) ?? new Set();
      done.set(origin, keys);
      const made = keys.has(key) ? undefined : make(good);
      if (!made) return;
      keys.add(key);
      const { good: from, variants } = smallest(made, make, tools);
      const twin = positionOf(clause, from.exchange);
      for (const { breaks, how, exchange } of variants)
        probes.push({ clause: clause.id, kind: breaks ? "beyond" : "within", how, twin, request: exchange.request });
    };
    for (const good of goods) {
      for (const { visit } of good.traced.visits) {
        const clause = clauses.get(visit.clause);
        const key = `${visit.clause} ${visit.keyword} ${visit.member ?? ""}`;
        if (clause) attempt(good, visit.node, key, clause, fromKeyword(visit, clause, tools));
      }
      for (const rule of rules) {
        const clause = clauses.get(rule.clause);
        if (clause) attempt(good, rule, "", clause, fromRule(rule, clause, tools));
      }
    }
  }
  return { twins: [...twins.values()].map(({ twin }) => twin), probes };
}
