/** Probes of members that a document writes in two spellings: each in the one that the twin does not use. */
import type { SpeltTwice } from "../check/interface-signs.ts";
import type { Probe, Twin } from "../check/probe.ts";
import { utf8 } from "../wire/build.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isObject, parseJsonBytes } from "../wire/json.ts";
import { goodOf, type Tools } from "./probe-fitness.ts";

const inCamel = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** A value with members named otherwise, at every depth. */
function respelled(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => respelled(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [names.get(name) ?? name, respelled(member, names)]),
  );
}

const inSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** One probe for each name, made of the smallest twin that has it in either spelling. */
export const withSpellings = (twins: readonly Twin[], tools: Tools): Probe[] =>
  tools.catalogue.interfaces.flatMap(({ requests }) =>
    requests?.speltTwice ? spellingsOf(requests.speltTwice, twins, tools) : [],
  );

function spellingsOf({ clause, names: listed, along }: SpeltTwice, twins: readonly Twin[], tools: Tools): Probe[] {
  const candidates = twins
    .map(({ interface: of, request, costly }, twin) => ({ of, request, costly, twin }))
    .filter(({ of, costly }) => clause.startsWith(`${of}.`) && !costly)
    .sort((a, b) => a.request.body.length - b.request.body.length);
  return [...listed].flatMap((snake): Probe[] => {
    const camel = inCamel(snake);
    for (const { request, twin } of candidates)
      for (const [from, to] of [
        [camel, snake],
        [snake, camel],
      ] as const) {
        const json = parseJsonBytes(request.body);
        if (!json.ok) continue;
        const names = new Map([[from, to]]);
        const other = along[camel];
        if (other !== undefined && from === camel) names.set(other, inSnake(other));
        else if (other !== undefined) names.set(inSnake(other), other);
        const body = JSON.stringify(respelled(json.value, names));
        if (body === JSON.stringify(json.value) || !body.includes(`"${to}"`)) continue;
        const exchange: Exchange = { request: { ...request, body: utf8(body) }, response: null };
        const before = goodOf({ request, response: null }, tools);
        if (!before || !goodOf(exchange, tools, before.judged.others)) continue;
        return [{ clause, kind: "within", how: `${to} for ${from}`, twin, request: exchange.request }];
      }
    return [];
  });
}
