/** Cassette JSON to exchanges: checks every member it reads, and names the place of what does not fit. */

import { UserError } from "../user-error.ts";
import type { MaskedVerdict, MaskedViolation, Upgraded } from "../wire/exchange.ts";
import {
  type Bind,
  type BodyJson,
  type CassetteHeader,
  type ChunkJson,
  cassetteVersion,
  type Gap,
  type Recorded,
  type RecordedBindings,
  type SentJson,
} from "./format.ts";
import {
  base64,
  items,
  list,
  number,
  object,
  optional,
  pairs,
  type Read,
  readAt,
  refuse,
  text,
  texts,
  under,
} from "./json-readers.ts";
import { type KeptExchange, KeptRequest, KeptResponse, plainExchange } from "./kept.ts";

function chunk(value: unknown): ChunkJson {
  const { length, 0: time, 1: content, 2: form } = list(value);
  if (length !== 2 && (length !== 3 || form !== "base64")) refuse("[milliseconds, text]");
  under(0, time, number);
  under(1, content, length === 3 ? base64 : text);
  return value as unknown as ChunkJson;
}

const forms: Readonly<Record<string, Read<unknown>>> = {
  json: (value) => value,
  text,
  base64,
  chunks: (value) => items(value, chunk),
};
const formNames = Object.keys(forms);

function body(value: unknown): BodyJson {
  const members = object(value);
  let present: string | undefined;
  let count = 0;
  for (const form of formNames)
    if (members[form] !== undefined) {
      present = form;
      count++;
    }
  if (present === undefined || count > 1) refuse(`a body with exactly one of ${formNames.join(", ")}`);
  under(present, members[present], forms[present]!);
  return value as BodyJson;
}

const digest: Read<string> = (value) => (/^[\da-f]{64}$/.test(text(value)) ? (value as string) : refuse("a SHA-256"));

const headPlaces: ReadonlySet<unknown> = new Set(["path", "query", "headers"] satisfies MaskedViolation["in"][]);
const headPlace: Read<MaskedViolation["in"]> = (value) =>
  headPlaces.has(value) ? (value as MaskedViolation["in"]) : refuse(`"path", "query" or "headers"`);

type Grade = NonNullable<MaskedViolation["reading"]>;
const grades: ReadonlySet<unknown> = new Set<Grade["default"]>(["error", "warning", "note", "unenforced", "off"]);
const grade: Read<Grade["default"]> = (value) =>
  grades.has(value) ? (value as Grade["default"]) : refuse("a level or off");

const strictGrade: Read<Grade["strict"]> = (value) => {
  const level = grade(value);
  return level === "unenforced" ? refuse("a level or off") : level;
};

const reading: Read<Grade> = (value) => {
  const { id, or, default: usual, strict } = object(value);
  return {
    id: under("id", id, text),
    ...(or !== undefined && { or: under("or", or, text) }),
    default: under("default", usual, grade),
    strict: under("strict", strict, strictGrade),
  };
};

const maskedViolation: Read<MaskedViolation> = (value) => {
  const members = object(value);
  const graded = optional(members, "reading", reading);
  return {
    clause: under("clause", members["clause"], text),
    in: under("in", members["in"], headPlace),
    pointer: under("pointer", members["pointer"], text),
    expected: under("expected", members["expected"], text),
    ...(members["missing"] === true && { missing: true as const }),
    ...(graded && { reading: graded }),
  };
};

/** The verdict on masked values, in a cassette or a HAR file. */
export const judged: Read<MaskedVerdict> = (value) => {
  const members = object(value);
  return {
    document: under("document", members["document"], digest),
    clauses: under("clauses", members["clauses"], texts),
    violations: under("violations", members["violations"], (list) => items(list, maskedViolation)),
  };
};

function request(value: unknown): KeptRequest {
  const members = object(value);
  const cut = optional(members, "cut", number);
  const redacted = optional(members, "redacted", texts);
  const verdict = optional(members, "judged", judged);
  const message = new KeptRequest(
    under("method", members["method"], text),
    under("target", members["target"], text),
    under("headers", members["headers"], pairs),
    optional(members, "body", body),
  );
  if (cut !== undefined) message.cut = cut;
  if (redacted !== undefined) message.redacted = redacted;
  if (verdict !== undefined) message.judged = verdict;
  return message;
}

function status(value: unknown): number {
  const code = number(value);
  // Upstreams may say 042, and a recording says what they said.
  return Number.isInteger(code) && code >= 0 && code <= 999 ? code : refuse("a status of three digits");
}

const side: Read<"client" | "upstream"> = (value) =>
  value === "client" || value === "upstream" ? value : refuse(`"client" or "upstream"`);

const upgraded: Read<Upgraded> = (value) => {
  const members = object(value);
  return {
    sent: under("sent", members["sent"], number),
    received: under("received", members["received"], number),
    ended: under("ended", members["ended"], side),
  };
};

function response(value: unknown): KeptResponse {
  const members = object(value);
  const kept = optional(members, "body", body);
  const arrived = optional(members, "arrived", number);
  const reason = optional(members, "reason", text);
  const trailers = optional(members, "trailers", pairs);
  const time = optional(members, "time", number);
  const switched = optional(members, "upgraded", upgraded);
  const cut = optional(members, "cut", number);
  const redacted = optional(members, "redacted", texts);
  const verdict = optional(members, "judged", judged);
  const message = new KeptResponse(
    under("status", members["status"], status),
    under("headers", members["headers"], pairs),
    kept,
    arrived,
  );
  if (reason !== undefined) message.reason = reason;
  if (trailers !== undefined) message.trailers = trailers;
  if (time !== undefined) message.time = time;
  if (switched !== undefined) message.upgraded = switched;
  if (cut !== undefined) message.cut = cut;
  if (redacted !== undefined) message.redacted = redacted;
  if (verdict !== undefined) message.judged = verdict;
  return message;
}

const imported: Read<"HAR" | "VCR"> = (value) =>
  value === "HAR" || value === "VCR" ? value : refuse(`"HAR" or "VCR"`);

function started(value: unknown): number {
  const time = Date.parse(text(value));
  return Number.isNaN(time) ? refuse("an ISO 8601 time") : time;
}

const from: Read<Bind["from"]> = (value) => {
  const members = object(value);
  return {
    exchange: under("exchange", members["exchange"], number),
    pointer: under("pointer", members["pointer"], text),
  };
};

const bind: Read<Bind> = (value) => {
  const members = object(value);
  return { from: under("from", members["from"], from), to: under("to", members["to"], text) };
};

const asked: Read<SentJson> = (value) => {
  const members = object(value);
  const of = optional(members, "interface", text);
  const failure = optional(members, "failure", text);
  const shard = optional(members, "shard", (found) => {
    const { index, of: count } = object(found);
    return { index: under("index", index, number), of: under("of", count, number) };
  });
  const tries = optional(members, "tries", number);
  const situation = optional(members, "situation", text);
  const ended = optional(members, "ended", text);
  const timing = optional(members, "timing", (found) => {
    const times = object(found);
    const last = optional(times, "upstreamEnded", number);
    const gaveUp = optional(times, "gaveUp", number);
    const reached = times["disconnectReached"] === null ? null : optional(times, "disconnectReached", number);
    return {
      ...(last !== undefined && { upstreamEnded: last }),
      ...(reached !== undefined && { disconnectReached: reached }),
      ...(gaveUp !== undefined && { gaveUp }),
    };
  });
  const whole = optional(members, "whole", (found) => {
    const bodies = object(found);
    const request = optional(bodies, "request", digest);
    const response = optional(bodies, "response", digest);
    return { ...(request !== undefined && { request }), ...(response !== undefined && { response }) };
  });
  return {
    source: under("source", members["source"], text),
    exchange: under("exchange", members["exchange"], number),
    part: under("part", members["part"], text),
    ...(of !== undefined && { interface: of }),
    ...(shard !== undefined && { shard }),
    ...(failure !== undefined && { failure }),
    ...(members["unsendable"] === true && { unsendable: true as const }),
    ...(tries !== undefined && { tries }),
    ...(situation !== undefined && { situation }),
    ...(ended !== undefined && { ended }),
    ...(timing !== undefined && { timing }),
    ...(whole !== undefined && { whole }),
  };
};

const gap: Read<Gap> = (value) => {
  const members = object(value);
  return {
    from: under("from", members["from"], text),
    to: under("to", members["to"], text),
    exchanges: under("exchanges", members["exchanges"], number),
  };
};

/** An exchange as a cassette keeps it. */
export interface Kept extends Recorded {
  readonly exchange: KeptExchange;
}

const recorded: Read<Kept> = (value) => {
  const members = object(value);
  const origin = optional(members, "origin", text);
  const start = optional(members, "started", started);
  const end = optional(members, "aborted", side);
  const by = optional(members, "imported", imported);
  const exchange: { -readonly [K in keyof KeptExchange]: KeptExchange[K] } = {
    request: under("request", members["request"], request),
    response: members["response"] === null ? null : under("response", members["response"], response),
  };
  if (origin !== undefined) exchange.origin = origin;
  if (start !== undefined) exchange.started = start;
  if (end !== undefined) exchange.aborted = end;
  if (by !== undefined) exchange.imported = by;
  const binds = optional(members, "bind", (list) => items(list, bind));
  const occasion = optional(members, "asked", asked);
  const missing = optional(members, "gap", gap);
  return {
    exchange,
    ...(binds !== undefined && { bind: binds }),
    ...(occasion !== undefined && { asked: occasion }),
    ...(missing !== undefined && { gap: missing }),
  };
};

/**
 * An exchange from its JSON. `source` names the file and line in complaints, `path` the place within it.
 * Throws UserError. Members it does not know are passed over, so that others may add their own.
 */
export function decodeExchange(value: unknown, source = "exchange", path: readonly (string | number)[] = []): Recorded {
  const kept = decodeKept(value, source, path);
  return { ...kept, exchange: plainExchange(kept.exchange) };
}

/** The same, whose bodies become bytes only where they are asked for. */
export function decodeKept(value: unknown, source: string, path: readonly (string | number)[] = []): Kept {
  return readAt(source, path, value, recorded);
}

/** The header of a cassette; throws UserError if the version is unknown or a member does not fit. */
export function decodeHeader(value: unknown, source: string): CassetteHeader {
  const members = readAt(source, [], value, object);
  const { touchstone } = members;
  if (touchstone !== cassetteVersion)
    throw new UserError(
      `${source}: cassette version ${JSON.stringify(touchstone)} is not known`,
      `This touchstone reads version ${cassetteVersion}; update it, or record the session again.`,
    );
  return readAt(source, [], members, header);
}

/** Reads every member of an object, whatever they are called. */
const each = (value: unknown, read: Read<unknown>): void => {
  for (const [key, item] of Object.entries(object(value))) under(key, item, read);
};
const nameOrNames: Read<unknown> = (value) =>
  typeof value === "string" ? value : Array.isArray(value) ? texts(value) : refuse("a string or a list of strings");
const keptOrDropped: Read<unknown> = (value) =>
  value === "kept" || value === "may-be-dropped" ? value : refuse('"kept" or "may-be-dropped"');

/** Bindings with all their members, also those that nobody reads. */
const bindings: Read<RecordedBindings> = (value) => {
  const members = object(value);
  optional(members, "names", (found) => each(found, nameOrNames));
  optional(members, "models", (found) => each(found, texts));
  optional(members, "credentials", keptOrDropped);
  return members;
};

const header: Read<CassetteHeader> = (value) => {
  const members = object(value);
  const read = <T>(key: string, reader: Read<T>): object => {
    const found = optional(members, key, reader);
    return found === undefined ? {} : { [key]: found };
  };
  return {
    ...read("title", text),
    ...read("interface", text),
    ...read("spans", texts),
    ...read("needs", texts),
    ...read("violates", texts),
    ...read("undocumented", text),
    ...read("bindings", bindings),
  };
};
