/** Changes one place of an exchange without reading its document: most changes violate the document, some do not. */
import type { Finding } from "../../check/clause.ts";
import { utf8 } from "../../wire/build.ts";
import { editBody, editEvents, editHeader, editStatus, editTarget, jsonBodyOf } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { escapeToken, replaceAt, resolvePointer } from "../../wire/pointer.ts";
import type { Chance } from "../legal/chance.ts";

/** An exchange with one change. */
export interface Mutant extends Pick<Finding, "side" | "in" | "event" | "pointer"> {
  /** The change, in words: `member dropped`. */
  readonly kind: string;
  readonly exchange: Exchange;
}

/** Length of a text that is too long for most limits, and of a list. */
const longText = 70_000;
const longList = 300;
/** Bytes of an item that is repeated. */
const maxItem = 2_000;

/** A JSON value of a message. */
interface Part extends Pick<Finding, "side" | "in" | "event"> {
  readonly value: unknown;
  readonly replace: (value: unknown) => Exchange;
}

function partsOf(exchange: Exchange): Part[] {
  const parts: Part[] = [];
  for (const side of ["request", "response"] as const) {
    const message = exchange[side];
    const value = message && jsonBodyOf(message);
    if (value !== undefined && value !== null)
      parts.push({
        side,
        in: "body",
        event: null,
        value,
        replace: (other) => editBody(exchange, side, utf8(JSON.stringify(other))),
      });
  }
  const isWhole = parts.some(({ side }) => side === "response");
  if (!isWhole && exchange.response && exchange.response.body.length > 0)
    editEvents(exchange, (events) => {
      for (const [event, { data }] of events.entries())
        if (isObject(data))
          parts.push({
            side: "response",
            in: "stream",
            event,
            value: data,
            replace: (other) =>
              editEvents(exchange, (list) => list.map((one, i) => (i === event ? { ...one, data: other } : one))),
          });
    });
  return parts;
}

interface Place {
  readonly pointer: string;
  readonly value: unknown;
  /** The parent; undefined for the root. */
  readonly parent: unknown;
}

function placesIn(value: unknown): Place[] {
  const places: Place[] = [{ pointer: "", value, parent: undefined }];
  for (const { pointer, value: parent } of places)
    if (typeof parent === "object" && parent !== null)
      for (const [name, inner] of Object.entries(parent))
        places.push({ pointer: `${pointer}/${escapeToken(name)}`, value: inner, parent });
  return places;
}

interface Change {
  readonly kind: string;
  readonly applies: (place: Place) => boolean;
  /** @returns the value in its place; undefined drops the member */
  readonly make: (value: never, chance: Chance) => unknown;
  /** Suffix of the pointer of the place. */
  readonly below?: string;
}

const isText = ({ value }: Place): boolean => typeof value === "string";
const isNumber = ({ value }: Place): boolean => typeof value === "number";
const isList = ({ value }: Place): boolean => Array.isArray(value) && value.length > 0;

/** Returns a value of another type, never null. */
function otherType(value: unknown, chance: Chance): unknown {
  const isInteger = Number.isInteger(value);
  return chance.pick(
    ["text", 7, true, [[]], { unexpected: true }, ...(isInteger ? [0.5] : [])].filter(
      (one) => Array.isArray(one) !== Array.isArray(value) || typeof one !== typeof value || (isInteger && one === 0.5),
    ),
  );
}

const changes: readonly Change[] = [
  { kind: "member dropped", applies: ({ parent }) => isObject(parent), make: () => undefined },
  { kind: "other type", applies: ({ value }) => value !== null, make: otherType },
  { kind: "null", applies: ({ value }) => value !== null, make: () => null },
  { kind: "other text", applies: isText, make: () => "not-a-value" },
  { kind: "empty text", applies: (place) => isText(place) && place.value !== "", make: () => "" },
  { kind: "long text", applies: isText, make: (value: string) => (value || "x").repeat(longText).slice(0, longText) },
  { kind: "low number", applies: isNumber, make: () => -1_000_003 },
  { kind: "high number", applies: isNumber, make: () => 1_000_003 },
  {
    kind: "member added",
    applies: ({ value }) => isObject(value),
    make: (value: object) => ({ ...value, "zz-unheard-of": 1 }),
    below: "/zz-unheard-of",
  },
  { kind: "list emptied", applies: isList, make: () => [] },
  {
    kind: "long list",
    applies: (place) => isList(place) && JSON.stringify(place.value).length < maxItem,
    make: (value: unknown[]) => Array.from({ length: longList }, (_, i) => value[i] ?? value.at(-1)),
  },
];

function without(value: unknown, pointer: string): unknown {
  const end = pointer.lastIndexOf("/");
  const parent = resolvePointer(value, pointer.slice(0, end)) as object;
  return replaceAt(
    value,
    pointer.slice(0, end),
    Object.fromEntries(Object.entries(parent).filter(([name]) => escapeToken(name) !== pointer.slice(end + 1))),
  );
}

function mutantOfPart({ value, replace, side, in: where, event }: Part, chance: Chance): Mutant | undefined {
  const places = placesIn(value);
  for (const { kind, applies, make, below = "" } of chance.shuffled(changes)) {
    const fit = places.filter(applies);
    if (fit.length === 0) continue;
    const place = chance.pick(fit);
    const made = make(place.value as never, chance);
    const changed = made === undefined ? without(value, place.pointer) : replaceAt(value, place.pointer, made);
    return { kind, side, in: where, event, pointer: place.pointer + below, exchange: replace(changed) };
  }
  return undefined;
}

/** All changes outside bodies. */
function headMutants(exchange: Exchange): Mutant[] {
  const mutants: Mutant[] = [];
  const add = (kind: string, side: Mutant["side"], where: Mutant["in"], pointer: string, changed: Exchange): void =>
    void mutants.push({ kind, side, in: where, event: null, pointer, exchange: changed });
  const { request, response } = exchange;
  const [path = "", query = ""] = request.target.split("?", 2);
  for (const [name] of new URLSearchParams(query)) {
    const place = `/${escapeToken(name)}`;
    const left = new URLSearchParams(query);
    left.delete(name);
    add(
      "parameter dropped",
      "request",
      "query",
      place,
      editTarget(exchange, () => `${path}?${left}`),
    );
    const other = new URLSearchParams(query);
    other.set(name, "not-a-value");
    add(
      "other parameter",
      "request",
      "query",
      place,
      editTarget(exchange, () => `${path}?${other}`),
    );
  }
  for (const side of ["request", "response"] as const)
    for (const [name] of exchange[side]?.headers ?? []) {
      const place = `/${escapeToken(name.toLowerCase())}`;
      add("header dropped", side, "headers", place, editHeader(exchange, side, name, undefined));
      if (!/^(?:authorization|content-type)$/i.test(name))
        add("other header", side, "headers", place, editHeader(exchange, side, name, "not-a-value"));
    }
  const method = request.method === "PATCH" ? "DELETE" : "PATCH";
  add("other method", "request", "method", "", { ...exchange, request: { ...request, method } });
  if (request.body.length > 0) {
    add("no body", "request", "body", "", editBody(exchange, "request", new Uint8Array()));
    add("other media type", "request", "headers", "/content-type", typed(exchange, "request"));
  }
  if (response) {
    add("other status", "response", "status", "", editStatus(exchange, 418));
    add("other success", "response", "status", "", editStatus(exchange, 299));
    if (response.body.length > 0) {
      add("no body", "response", "body", "", editBody(exchange, "response", new Uint8Array()));
      add("other media type", "response", "headers", "/content-type", typed(exchange, "response"));
    }
  }
  return mutants;
}

const typed = (exchange: Exchange, side: "request" | "response"): Exchange =>
  editHeader(exchange, side, "content-type", "text/html");

/** Changes one place of an exchange, mostly a value in a body. */
export function mutantOf(exchange: Exchange, chance: Chance): Mutant {
  const parts = partsOf(exchange);
  const part = parts.length > 0 && !chance.once(5) ? chance.pick(parts) : undefined;
  return (part && mutantOfPart(part, chance)) ?? chance.pick(headMutants(exchange));
}
