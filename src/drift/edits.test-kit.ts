/** Makes edits of every kind at every place of a recording, each with how many changes it is. */
import { gzipSync } from "node:zlib";
import { type EditableEvent, editBody, editEvents, editHeader, editJson, editStatus } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { headerValue, isEventStream } from "../wire/headers.ts";
import { isObject, parseJson } from "../wire/json.ts";
import { pointer, resolvePointer } from "../wire/pointer.ts";

/** What of the documents decides how many changes an edit is, by names of members. */
export interface Oracle {
  /** Members whose values the documents list. */
  readonly listed: ReadonlySet<string>;
  /** Objects of which the documents name no member. */
  readonly maps: ReadonlySet<string>;
  /** Places of listed members at which the documents list no value. */
  readonly open: RegExp;
}

export interface AnEdit {
  readonly what: string;
  readonly change: (exchange: Exchange) => Exchange;
  /** How many changes it is, at least and at most. */
  readonly changes: Amount;
}

export type Amount = number | readonly [least: number, most: number];

type Side = "request" | "response";
type Path = readonly (string | number)[];

/** Where in a JSON value something stands. */
interface Found {
  readonly path: Path;
  readonly value: unknown;
  readonly parent: unknown;
  readonly isInMap: boolean;
}

/** Every place of a value but its root; of lists the first item. */
function* placesIn(value: unknown, oracle: Oracle, path: Path = [], isInMap = false): Generator<Found> {
  if (typeof value !== "object" || value === null) return;
  const { maps } = oracle;
  const children: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.slice(0, 1).map((one) => [0, one])
    : Object.entries(value);
  for (const [step, child] of children) {
    const name = String(path.findLast((one) => typeof one === "string") ?? "");
    const isContent = isInMap || (maps.has(name) && path.at(-1) === name);
    const own = [...path, step];
    yield { path: own, value: child, parent: value, isInMap: isContent };
    yield* placesIn(child, oracle, own, isContent);
  }
}

type Change = (parent: Record<string | number, unknown>, name: string | number) => void;

const put =
  (value: unknown): Change =>
  (parent, name) => {
    parent[name] = value;
  };

/** Edits of a place of JSON: what, how, and how many changes that is where no map of a client's is around it. */
function* editsAt({ path, value, parent }: Found, { listed, maps, open }: Oracle): Generator<[string, Change, Amount]> {
  const name = String(path.at(-1));
  const isItem = Array.isArray(parent);
  const isOneOfMany = path.some((step) => typeof step === "number");
  if (isItem) {
    yield ["again in its list", (list, i) => void (list as unknown as unknown[]).push(structuredClone(list[i])), 0];
  } else {
    yield ["away", (object, key) => void delete object[key], 1];
    yield [
      "by another name",
      (object, key) => {
        delete object[key];
        put(value)(object, `${key}_renamed`);
      },
      listed.has(name) ? [1, 2] : 2,
    ];
  }
  if (value !== null) yield ["null", put(null), 1];
  if (typeof value === "string") {
    yield ["a number", put(7), 1];
    if (value !== "" && !listed.has(name)) yield ["another text", put("Something else was said."), 0];
    if (listed.has(name) && !isItem)
      yield ["another of its values", put("zzz"), open.test(pointer(...path)) ? [0, 1] : 1];
  }
  if (typeof value === "number") {
    yield ["a string", put(String(value)), 1];
    yield ["another number", put(Number.isInteger(value) ? value + 1 : value / 2), 0];
  }
  if (typeof value === "boolean") yield ["a string", put(String(value)), 1];
  if (Array.isArray(value)) {
    if (value.length > 0) yield ["an empty list", put([]), isOneOfMany ? [0, 1] : 1];
    if (value.length === 1 || !isObject(value[0]))
      yield ["an object in place of a list", put(isObject(value[0]) ? value[0] : { of: 1 }), 1];
  } else if (isObject(value)) {
    yield ["a list in place of an object", put([value]), 1];
    yield [
      "with one more member",
      (object, key) => put(1)(object[key] as Record<string, unknown>, "more_of_it"),
      maps.has(name) ? 0 : 1,
    ];
  }
}

function edited(root: unknown, path: Path, change: Change): void {
  change(resolvePointer(root, pointer(...path.slice(0, -1))) as Record<string, unknown>, path.at(-1)!);
}

/** The text of a value in which the member at a path stands twice. */
function withRepeated(root: unknown, path: Path): string {
  const marker = "\u0001again";
  const copy = structuredClone(root);
  edited(copy, path, (parent, name) => {
    const value = parent[name];
    delete parent[name];
    parent[name] = value;
    parent[marker] = value;
  });
  return JSON.stringify(copy).replace(JSON.stringify(marker), () => JSON.stringify(path.at(-1)));
}

const bodyText = (exchange: Exchange, side: Side): string => Buffer.from(exchange[side]!.body).toString("utf8");

function* jsonEdits(exchange: Exchange, side: Side, oracle: Oracle): Generator<AnEdit> {
  const body = parseJson(bodyText(exchange, side));
  if (!body.ok) return;
  for (const found of placesIn(body.value, oracle)) {
    const at = `${side} ${pointer(...found.path)}`;
    const isNested = !Array.isArray(found.parent);
    for (const [what, change, changes] of editsAt(found, oracle))
      yield {
        what: `${at}: ${what}`,
        changes: found.isInMap ? 0 : changes,
        change: (one) => editJson(one, side, (root: unknown) => edited(root, found.path, change)),
      };
    if (isNested)
      yield {
        what: `${at}: twice`,
        changes: 1,
        change: (one) => editBody(one, side, Buffer.from(withRepeated(body.value, found.path))),
      };
  }
  const bytes = (of: (text: string) => string | Uint8Array): AnEdit["change"] => {
    return (one) => editBody(one, side, Buffer.from(of(bodyText(one, side)) as string));
  };
  yield { what: `${side}: white space behind it`, changes: 0, change: bytes((text) => `${text}\n\n  `) };
  yield { what: `${side}: indented`, changes: 0, change: bytes((text) => JSON.stringify(JSON.parse(text), null, 2)) };
  yield { what: `${side}: a byte order mark`, changes: 1, change: bytes((text) => `\ufeff${text}`) };
  yield { what: `${side}: cut in its middle`, changes: 1, change: bytes((text) => text.slice(0, text.length >> 1)) };
  yield* notUtf8(exchange, side);
}

/** A byte that is not UTF-8 at the beginning of a text that says something. */
function* notUtf8(exchange: Exchange, side: Side): Generator<AnEdit> {
  const found = /"(?:content|text|message|prompt|partial_json)":\s*"(?=[^"])/.exec(bodyText(exchange, side));
  if (!found) return;
  yield {
    what: `${side}: a byte that is not UTF-8`,
    changes: 1,
    change: (one) => {
      const text = bodyText(one, side);
      const at = found.index + found[0].length;
      const pieces = [Buffer.from(text.slice(0, at)), Buffer.from([0xff]), Buffer.from(text.slice(at))];
      return editBody(one, side, Buffer.concat(pieces));
    },
  };
}

function* streamEdits(exchange: Exchange, oracle: Oracle): Generator<AnEdit> {
  const events: EditableEvent[] = [];
  editEvents(exchange, (list) => void events.push(...list));
  const known = new Set<string>();
  for (const [position, { data }] of events.entries()) {
    if (!isObject(data)) continue;
    for (const found of placesIn(data, oracle)) {
      const at = pointer(...found.path).replace(/\/\d+/g, "/*");
      const name = `${(data as { type?: unknown }).type ?? ""} ${at}`;
      if (known.has(name)) continue;
      known.add(name);
      for (const [what, change, changes] of editsAt(found, oracle)) {
        // Lists of a stream that are emptied once still hold items elsewhere.
        if (what === "an empty list") continue;
        const isOfAll = what === "away" || what === "by another name";
        const isOf = (one: unknown): boolean =>
          isObject(one) &&
          `${one["type"] ?? ""} ${at}` === name &&
          resolvePointer(one, pointer(...found.path)) !== undefined;
        yield {
          what: `event ${position} ${name}: ${what}`,
          changes: found.isInMap ? 0 : changes,
          change: (one) =>
            editEvents(one, (list) => {
              for (const [i, { data: own }] of list.entries())
                if (isOfAll ? isOf(own) : i === position) edited(own, found.path, change);
            }),
        };
      }
      if (!Array.isArray(found.parent))
        yield {
          what: `event ${position} ${name}: twice`,
          changes: 1,
          change: (one) => {
            const json = JSON.stringify(data);
            const text = bodyText(one, "response");
            const again = withRepeated(data, found.path);
            return editBody(one, "response", Buffer.from(text.replace(json, () => again)));
          },
        };
    }
  }
  const list = (change: (all: EditableEvent[]) => EditableEvent[]): AnEdit["change"] => {
    return (one) => editEvents(one, change);
  };
  const last = events.findLastIndex(({ data }) => isObject(data));
  const deltas = events.findIndex(({ data }) => JSON.stringify(data).includes('"delta":{"content"'));
  if (deltas > 0)
    yield {
      what: "a piece of what is said twice",
      changes: 0,
      change: list((all) => all.toSpliced(deltas, 0, all[deltas]!)),
    };
  if (events.at(-1)?.data === "[DONE]")
    yield { what: "no [DONE]", changes: 1, change: list((all) => all.slice(0, -1)) };
  yield { what: "an event that is no JSON", changes: 1, change: list((all) => all.toSpliced(last, 0, { data: "{" })) };
  if (events.every(({ event }) => event !== undefined))
    yield { what: "no names of events", changes: 1, change: list((all) => all.map(({ data }) => ({ data }))) };
  yield {
    what: "an event by another name",
    changes: 1,
    change: list((all) => all.map((one, i) => (i === last ? { ...one, event: "renamed" } : one))),
  };
  const whole = (of: (text: string) => string): AnEdit["change"] => {
    return (one) => editBody(one, "response", Buffer.from(of(bodyText(one, "response"))));
  };
  yield { what: "a comment between events", changes: 0, change: whole((text) => `: ping\n\n${text}`) };
  yield {
    what: "lines that end otherwise",
    changes: 0,
    change: whole((text) => text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n")),
  };
  yield { what: "no blank line at its end", changes: 1, change: whole((text) => text.replace(/\s+$/, "\n")) };
  yield { what: "a byte order mark before the stream", changes: 0, change: whole((text) => `\ufeff${text}`) };
  yield* notUtf8(exchange, "response");
}

function* headEdits(exchange: Exchange): Generator<AnEdit> {
  const header = (name: string, value: string | undefined, side: Side = "response"): AnEdit["change"] => {
    return (one) => editHeader(one, side, name, value);
  };
  const type = headerValue(exchange.response!.headers, "content-type");
  const pairs = (of: (list: (readonly [string, string])[]) => (readonly [string, string])[]): AnEdit["change"] => {
    return (one) => ({ ...one, response: { ...one.response!, headers: of([...one.response!.headers]) } });
  };
  yield {
    what: "another status",
    changes: 1,
    change: (one) => editStatus(one, one.response!.status === 418 ? 419 : 418),
  };
  yield { what: "another status of success", changes: 1, change: (one) => editStatus(one, one.response!.status + 3) };
  yield { what: "no answer", changes: 1, change: (one) => ({ ...one, response: null }) };
  yield { what: "an answer that breaks off", changes: 1, change: (one) => ({ ...one, aborted: "upstream" }) };
  yield { what: "an empty body", changes: 1, change: (one) => editBody(one, "response", Buffer.alloc(0)) };
  yield { what: "a header of the answer", changes: 1, change: header("X-More", "1") };
  yield { what: "a header of the request", changes: 1, change: header("X-More", "1", "request") };
  yield { what: "another date", changes: 0, change: header("Date", "Sun, 22 Nov 2026 20:00:00 GMT") };
  yield { what: "another media type", changes: 1, change: header("Content-Type", "text/csv") };
  yield { what: "no media type", changes: 1, change: header("Content-Type", undefined) };
  if (type !== undefined) {
    yield {
      what: "the media type in capitals",
      changes: 0,
      change: header(
        "Content-Type",
        type.replace(/^[^;]+/, (own) => own.toUpperCase()),
      ),
    };
    yield {
      what: "the media type twice",
      changes: 1,
      change: pairs((list) => [...list, ["Content-Type", "text/x-more"]]),
    };
  }
  yield { what: "headers in another order", changes: 0, change: pairs((list) => list.reverse()) };
  yield {
    what: "names of headers in capitals",
    changes: 0,
    change: pairs((list) => list.map(([name, value]) => [name.toUpperCase(), value])),
  };
  if (exchange.response!.body.length > 0 && headerValue(exchange.response!.headers, "content-encoding") === undefined)
    yield {
      what: "gzip",
      changes: 1,
      change: (one) => {
        const { chunks: _chunks, ...response } = one.response!;
        const body = gzipSync(response.body);
        return {
          ...one,
          response: { ...response, body, headers: [...response.headers, ["Content-Encoding", "gzip"]] },
        };
      },
    };
  const { chunks } = exchange.response!;
  yield {
    what: "other chunks",
    changes: 0,
    change: (one) => ({
      ...one,
      response: chunks ? { ...one.response!, chunks: [[5, one.response!.body.length]] } : one.response!,
    }),
  };
}

/** Edits of every kind at every place of an exchange. */
export function* editsOf(exchange: Exchange, oracle: Oracle): Generator<AnEdit> {
  yield* jsonEdits(exchange, "request", oracle);
  if (!exchange.response) return;
  if (isEventStream(exchange.response)) yield* streamEdits(exchange, oracle);
  else yield* jsonEdits(exchange, "response", oracle);
  yield* headEdits(exchange);
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** The four documents, as far as the recordings of `everyKind` need it. */
export const documents: Oracle = {
  listed:
    words(`type object role finish_reason stop_reason finishReason category probability modality threshold mode size quality
    style detail tool_choice response_format responseMimeType mimeType media_type service_tier blocked alt status`),
  maps: words("metadata input args response parameters input_schema responseSchema schema source"),
  open: /^\/(?:error|content_block|delta)\/type$|^\/size$/,
};

/** Recordings that hold whole answers, streams, failures, forms and tools of every interface. */
export const everyKind: readonly string[] = [
  "chat-completions/errors/temperature-too-high",
  "chat-completions/response/log-probabilities",
  "chat-completions/response/text",
  "chat-completions/streaming/two-tool-calls",
  "chat-completions/streaming/usage",
  "chat-completions/tools/two-calls",
  "generate-content/errors/temperature-too-high",
  "generate-content/generation-config/json",
  "generate-content/response/text",
  "generate-content/streaming/function-call",
  "generate-content/streaming/text",
  "generate-content/tools/round-trip",
  "images/edits/with-mask",
  "images/errors/eleven",
  "images/generations/two-base64",
  "messages/content/document",
  "messages/errors/temperature-too-high",
  "messages/response/text",
  "messages/streaming/text",
  "messages/streaming/thinking",
  "messages/tools/round-trip",
  "messages/tools/two-calls",
];
