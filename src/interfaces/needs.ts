/** The needs of a request beyond plain text, told by the members it holds. */
import type { Interface } from "../check/interface.ts";
import { utf8Text } from "../wire/bytes.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { isObject, parseJsonBytes } from "../wire/json.ts";
import { maxValueLength, memberPaths } from "../wire/member-paths.ts";
import { parseForm } from "../wire/multipart.ts";

/** The need of names in the other spelling. */
const snakeCase = "snake-case";

/** Every need that requests show by themselves. */
export const shownNeeds = (interfaces: readonly Interface[]): ReadonlySet<string> =>
  new Set(
    interfaces.flatMap(({ requests: { needs = [], needsOfTarget = [], namedByClients } = {} }) => [
      ...[...needs, ...needsOfTarget].map(([need]) => need),
      ...(namedByClients ? [snakeCase] : []),
    ]),
  );

const inCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** The needs of one request of an interface, sorted. A need that only its wording shows, such as an answer that is begun, is not among them. */
export function needsShownBy(request: WireRequest, of: Interface | undefined): string[] {
  const { needs: signs = [], needsOfTarget = [], namedByClients } = of?.requests ?? {};
  const needs = new Set(needsOfTarget.filter(([, sign]) => sign.test(request.target)).map(([need]) => need));
  const add = (member: string): void => {
    for (const [need, sign] of signs) if (sign.test(member)) needs.add(need);
  };
  const json = parseJsonBytes(request.body);
  if (json.ok) {
    for (const member of memberPaths(json.value, namedByClients && inCamelCase)) add(member);
    if (namedByClients && isInSnakeCase(json.value, namedByClients)) needs.add(snakeCase);
  } else {
    for (const [name, value] of fieldsOf(request)) add(`${name}=${value}`);
  }
  return [...needs].sort();
}

/** How a request with tools binds the model to use them: a part of the need `tools` that a target may lack, sorted. */
export function toolChoicesIn({ body }: WireRequest, of: Interface | undefined): string[] {
  const { toolChoices: signs = [], namedByClients } = of?.requests ?? {};
  const json = parseJsonBytes(body);
  if (!json.ok || signs.length === 0) return [];
  const members = [...memberPaths(json.value, namedByClients && inCamelCase)];
  return signs.filter(([, sign]) => members.some((member) => sign.test(member))).map(([need]) => need);
}

/** The optional members of a request, sorted: those of the body and of what configures it, and what it asks for otherwise. */
export function optionalMembers(request: WireRequest, of: Interface | undefined): string[] {
  const { essential = ["model"], settings, options = [] } = of?.requests ?? {};
  const json = parseJsonBytes(request.body);
  const body = json.ok ? json.value : Object.fromEntries(fieldsOf(request));
  if (!isObject(body)) return [];
  const inner = settings === undefined ? undefined : body[settings];
  const all = [body, ...(isObject(inner) ? [inner] : [])].flatMap(Object.entries);
  const said = all.filter(([name, value]) => value !== null && value !== false && !essential.includes(name));
  const members = options.length > 0 ? [...memberPaths(body)] : [];
  const shown = options.filter(([, sign]) => members.some((member) => sign.test(member)));
  return [...said, ...shown].map(([name]) => name).sort();
}

/** The parts of a form with their values; of files an empty one. */
function fieldsOf({ body, headers }: WireRequest): [name: string, value: string][] {
  const form = parseForm(body, headerValue(headers, "content-type"));
  return (form.ok ? form.parts : []).map(({ name, filename, bytes }) => [
    name,
    filename === undefined ? utf8Text(bytes).slice(0, maxValueLength) : "",
  ]);
}

/** @param named members whose own members are names of the client's */
function isInSnakeCase(value: unknown, named: RegExp): boolean {
  if (Array.isArray(value)) return value.some((item) => isInSnakeCase(item, named));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => name.includes("_") || (!named.test(name) && isInSnakeCase(inner, named)),
  );
}
