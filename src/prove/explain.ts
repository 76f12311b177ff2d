/** Explains a clause by what passes and what fails it: the part of an example that matters, before and after. */

import type { Body } from "../check/body.ts";
import type { Catalogue } from "../check/catalogue.ts";
import type { Clause, Finding, FindingLevel } from "../check/clause.ts";
import { lenient } from "../check/clause.ts";
import { excerptOf } from "../check/excerpt.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import { utf8Text } from "../wire/bytes.ts";
import type { Exchange } from "../wire/exchange.ts";
import { parseJson } from "../wire/json.ts";
import { resolvePointer, tokensOf } from "../wire/pointer.ts";
import { pathOf, searchOf } from "../wire/target.ts";
import type { Ground } from "./ground.ts";
import { prove } from "./prove.ts";

/** The explanation of a clause. */
export interface Explanation {
  /** Name of the good example. */
  readonly example: string;
  /** The place at which the two differ: `the request body at /temperature`. */
  readonly place: string;
  /** The value there in the example, shortened; absent if the difference lies elsewhere, such as in a missing value. */
  readonly passes?: string;
  readonly fails: string;
  /** The finding's own sentence. */
  readonly message: string;
  readonly level: FindingLevel;
  /** Whether only the strict readings find it. */
  readonly strict: boolean;
}

const names = namesFrom();

function findingOn(clause: Clause, exchange: Exchange, probe: boolean, catalogue: Catalogue) {
  for (const strict of [false, true]) {
    const policy = strict ? { strict: "all" as const, openEnums: false } : lenient;
    const at = { source: clause.id, exchange: 0 };
    const { findings } = judge(exchange, at, catalogue, { names, policy, probe });
    const own = findings.filter((finding) => finding.clause === clause.id);
    const finding = own.find(({ level }) => level === "error") ?? own[0];
    if (finding) return { finding, strict };
  }
  return undefined;
}

/** A body as it was sent; canonical spelling is undone. */
function sentJson(body: Body): unknown {
  if (body.kind !== "json") return undefined;
  const json = parseJson(body.text());
  return json.ok ? json.value : undefined;
}

function formField(body: Body, name: string | undefined): unknown {
  if (body.kind !== "form") return undefined;
  const own = body.parts.filter((part) => part.name === name);
  if (own.length === 0) return undefined;
  return own
    .map(({ filename, bytes }) => (filename === undefined ? utf8Text(bytes) : `${filename}, ${bytes.length} bytes`))
    .join(" and ");
}

/** The value in an exchange at the place a finding names; undefined for nothing. */
function valueAt(exchange: Exchange, { side, in: place, event, pointer }: Finding, catalogue: Catalogue): unknown {
  const { method, target } = exchange.request;
  if (place === "method") return method;
  if (place === "path" && pointer === "") return pathOf(target);
  if (place === "status") return exchange.response?.status;
  const route = routeOf(catalogue.interfaces, method, target);
  const subject = route && readSubject(exchange, route, names);
  const message = subject?.[side];
  if (!subject || !message) return undefined;
  const [name] = tokensOf(pointer);
  const { headers, body } = message;
  const { parameters } = subject.operation;
  if (place === "path") return parameters?.path?.read(subject.path)[name ?? ""];
  if (place === "query") return subject.query[name ?? ""] ?? parameters?.query?.read(searchOf(target))[name ?? ""];
  if (place === "headers") return headers[name ?? ""];
  if (place === "form") return formField(body, name);
  if (place === "body") return resolvePointer(sentJson(body), pointer);
  const data = body.kind === "stream" && event !== null ? body.events[event]?.data : undefined;
  if (data === undefined) return undefined;
  const json = parseJson(data);
  return json.ok ? resolvePointer(json.value, pointer) : data;
}

function placeOf({ side, in: place, event, pointer }: Finding): string {
  if (place === "method" || (place === "path" && pointer === "") || place === "status") return `the ${place}`;
  if (place === "stream") return `${event === null ? "the stream" : `event ${event}`}${pointer && ` at ${pointer}`}`;
  if (place === "body") return `the ${side} body${pointer && ` at ${pointer}`}`;
  const what =
    place === "query" || place === "path"
      ? `${place} parameter`
      : place === "headers"
        ? `${side} header`
        : "form field";
  return `the ${what} ${tokensOf(pointer)[0] ?? ""}`.trimEnd();
}

/** An exchange that passes a clause and one that fails it, as `prove` makes them; undefined for what nothing can show. */
export function explainClause(clause: Clause, catalogue: Catalogue, ground: Ground): Explanation | undefined {
  const { counterexamples, origins } = prove(catalogue, ground, ({ id }) => id === clause.id);
  const broken = counterexamples.get(clause.id);
  const origin = origins.get(clause.id);
  if (!broken || !origin) return undefined;
  const found = findingOn(clause, broken, origin.probe ?? false, catalogue);
  if (!found) return undefined;
  const { finding, strict } = found;
  const [before, after] = [origin.exchange, broken].map((one) => excerptOf(valueAt(one, finding, catalogue))) as [
    string,
    string,
  ];
  return {
    example: origin.name,
    place: placeOf(finding),
    ...(before !== after && { passes: before }),
    fails: finding.actual,
    message: finding.message,
    level: finding.level,
    strict,
  };
}
