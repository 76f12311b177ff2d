/** Cassette JSON to exchanges: checks every member it reads, and names the place of what does not fit. */
import type { Exchange, HeaderPairs, WireRequest, WireResponse } from "../wire/exchange.ts";
import { pointer } from "../wire/pointer.ts";
import { decodeBody } from "./body.ts";
import { type Bind, type BodyJson, type CassetteHeader, cassetteVersion, type Recorded } from "./format.ts";
import { UnreadableInput } from "./unreadable.ts";

/** A value with its place, so that complaints can name it. */
interface Spot {
  readonly value: unknown;
  /** File, line or position: what stands before the pointer. */
  readonly source: string;
  readonly path: readonly (string | number)[];
}

type Members = Readonly<Record<string, unknown>>;

function refuse({ source, path }: Spot, wanted: string): never {
  throw new UnreadableInput(
    `${source}: ${path.length === 0 ? "the document" : pointer(...path)} is not ${wanted}`,
    "Mend that place by hand, or record the session again.",
  );
}

const at = (spot: Spot, key: string | number): Spot => ({
  source: spot.source,
  path: [...spot.path, key],
  value: (spot.value as Record<string | number, unknown>)[key],
});

function object(spot: Spot): Members {
  const { value } = spot;
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Members)
    : refuse(spot, "an object");
}
const list = (spot: Spot): readonly unknown[] => (Array.isArray(spot.value) ? spot.value : refuse(spot, "a list"));
const text = (spot: Spot): string => (typeof spot.value === "string" ? spot.value : refuse(spot, "a string"));
const number = (spot: Spot): number =>
  typeof spot.value === "number" && spot.value >= 0 ? spot.value : refuse(spot, "a number from 0 up");

/** A member that may be absent, under its own name, ready to be spread. */
function optional<K extends string, T>(spot: Spot, key: K, read: (spot: Spot) => T): { [P in K]?: T } {
  const inner = at(spot, key);
  return (inner.value === undefined ? {} : { [key]: read(inner) }) as { [P in K]?: T };
}

const texts = (spot: Spot): string[] => list(spot).map((_, i) => text(at(spot, i)));

const pairs = (spot: Spot): HeaderPairs =>
  list(spot).map((_, i) => {
    const pair = at(spot, i);
    if (list(pair).length !== 2) refuse(pair, "a pair of name and value");
    return [text(at(pair, 0)), text(at(pair, 1))] as const;
  });

const forms = ["json", "text", "base64", "chunks"] as const;

function base64(spot: Spot): void {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text(spot))) refuse(spot, "base64");
}

function body(spot: Spot): ReturnType<typeof decodeBody> {
  const value = object(spot);
  const present = forms.filter((form) => value[form] !== undefined);
  if (present.length !== 1) refuse(spot, `a body with exactly one of ${forms.join(", ")}`);
  const inner = at(spot, present[0]!);
  if (present[0] === "text") text(inner);
  if (present[0] === "base64") base64(inner);
  if (present[0] === "chunks")
    for (const i of list(inner).keys()) {
      const chunk = at(inner, i);
      const { length, 2: form } = list(chunk);
      if (length !== 2 && (length !== 3 || form !== "base64")) refuse(chunk, "[milliseconds, text]");
      number(at(chunk, 0));
      if (length === 3) base64(at(chunk, 1));
      else text(at(chunk, 1));
    }
  return decodeBody(value as unknown as BodyJson);
}

function request(spot: Spot): WireRequest {
  object(spot);
  return {
    method: text(at(spot, "method")),
    target: text(at(spot, "target")),
    headers: pairs(at(spot, "headers")),
    body: optional(spot, "body", body).body?.bytes ?? Buffer.alloc(0),
    ...optional(spot, "cut", number),
  };
}

function status(spot: Spot): number {
  const value = number(spot);
  return Number.isInteger(value) && value >= 100 && value <= 999 ? value : refuse(spot, "a status from 100 to 999");
}

function response(spot: Spot): WireResponse {
  object(spot);
  const { bytes = Buffer.alloc(0), chunks } = optional(spot, "body", body).body ?? {};
  const { arrived } = optional(spot, "arrived", number);
  const marks = chunks ?? (arrived === undefined ? undefined : [[arrived, bytes.length] as const]);
  return {
    status: status(at(spot, "status")),
    ...optional(spot, "reason", text),
    headers: pairs(at(spot, "headers")),
    body: bytes,
    ...(marks !== undefined && { chunks: marks }),
    ...optional(spot, "trailers", pairs),
    ...optional(spot, "time", number),
    ...optional(spot, "cut", number),
  };
}

function aborted(spot: Spot): "client" | "upstream" {
  return spot.value === "client" || spot.value === "upstream" ? spot.value : refuse(spot, `"client" or "upstream"`);
}

function started(spot: Spot): number {
  const time = Date.parse(text(spot));
  return Number.isNaN(time) ? refuse(spot, "an ISO 8601 time") : time;
}

const binds = (spot: Spot): Bind[] =>
  list(spot).map((_, i) => {
    const bind = at(spot, i);
    object(bind);
    const from = at(bind, "from");
    object(from);
    return {
      from: { exchange: number(at(from, "exchange")), pointer: text(at(from, "pointer")) },
      to: text(at(bind, "to")),
    };
  });

/**
 * An exchange from its JSON. `source` names the file and line in complaints, `path` the place within it.
 * Throws UnreadableInput. Members it does not know are passed over, so that others may add their own.
 */
export function decodeExchange(value: unknown, source = "exchange", path: readonly (string | number)[] = []): Recorded {
  const spot: Spot = { value, source, path };
  object(spot);
  const answer = at(spot, "response");
  const exchange: Exchange = {
    ...optional(spot, "origin", text),
    ...optional(spot, "started", started),
    request: request(at(spot, "request")),
    response: answer.value === null ? null : response(answer),
    ...optional(spot, "aborted", aborted),
  };
  return { exchange, ...optional(spot, "bind", binds) };
}

/** What a cassette says of itself; throws UnreadableInput where the version is unknown or a member does not fit. */
export function decodeHeader(value: unknown, source: string): CassetteHeader {
  const spot: Spot = { value, source, path: [] };
  const { touchstone } = object(spot);
  if (touchstone !== cassetteVersion)
    throw new UnreadableInput(
      `${source}: cassette version ${JSON.stringify(touchstone)} is not known`,
      `This touchstone reads version ${cassetteVersion}; update it, or record the session again.`,
    );
  return {
    ...optional(spot, "title", text),
    ...optional(spot, "interface", text),
    ...optional(spot, "needs", texts),
    ...optional(spot, "violates", texts),
    ...optional(spot, "bindings", object),
  };
}
