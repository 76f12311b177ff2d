/** VCR cassettes to exchanges: those of the Ruby gem, of vcrpy and of go-vcr, as YAML or JSON. */

import { UserError } from "../user-error.ts";
import { isObject } from "../wire/json.ts";
import type { Recorded } from "./format.ts";
import { fromHar } from "./har.ts";

type Members = Readonly<Record<string, unknown>>;

const members = (value: unknown): Members => (isObject(value) ? value : {});

/** Whether a parsed document is one: interactions in a list, under either name. */
export function isVcr(document: unknown): boolean {
  const { http_interactions: ruby, interactions } = members(document);
  return Array.isArray(ruby) || Array.isArray(interactions);
}

/** Bytes of a text: YAML gives binary ones as bytes; the gem names the charset of others. */
function bytesOf(value: unknown, charset: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value);
  const text = typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
  return Buffer.from(text, /^iso-8859-1$/i.test(String(charset)) ? "latin1" : "utf8");
}

/** A body: itself, or an object around it (`string`, `base64_string`); old vcrpy writes it as `content` beside the rest. */
function bodyOf({ body, content }: Members): Buffer {
  if (typeof body !== "object" || body === null || body instanceof Uint8Array)
    return bytesOf(body ?? content, undefined);
  const { string, base64_string: base64, encoding } = body as Members;
  return typeof base64 === "string" ? Buffer.from(base64, "base64") : bytesOf(string, encoding);
}

/** Headers with lists of values as pairs. */
const headersOf = (headers: unknown): Members[] =>
  Object.entries(members(headers)).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value) => ({
      name,
      value: value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value ?? ""),
    })),
  );

function contentOf(message: Members): Members {
  const bytes = bodyOf(message);
  return bytes.length === 0 ? {} : { text: bytes.toString("base64"), encoding: "base64" };
}

/** Status and reason: `{ code, message }`, or numbers and a status line beside each other. */
function statusOf({ status, status_code: old, code }: Members): Members {
  const { code: inner, message } = members(status);
  const line = typeof status === "string" ? /^(\d{3})\s*(.*)$/.exec(status) : undefined;
  return { status: Number(inner ?? old ?? code ?? line?.[1] ?? status), statusText: message ?? line?.[2] ?? "" };
}

/** An interaction as the HAR entry it would be, whose importer knows what to do with codings already undone. */
function entryOf(interaction: Members): Members {
  const request = members(interaction["request"]);
  const response = members(interaction["response"]);
  const { uri, url, method } = request;
  return {
    startedDateTime: interaction["recorded_at"],
    request: {
      method: String(method ?? "GET").toUpperCase(),
      url: uri ?? url,
      headers: headersOf(request["headers"]),
      postData: contentOf(request),
    },
    response: { ...statusOf(response), headers: headersOf(response["headers"]), content: contentOf(response) },
  };
}

/** The exchanges of a parsed VCR document, one an interaction. Throws UserError where one has no address. */
export function fromVcr(document: unknown, name: string): Recorded[] {
  const { http_interactions: ruby, interactions } = members(document);
  const entries = ((ruby ?? interactions) as unknown[]).map((item) => entryOf(members(item)));
  const odd = entries.findIndex(({ request }) => typeof members(request)["url"] !== "string");
  if (odd >= 0)
    throw new UserError(
      `${name}: /${ruby ? "http_interactions" : "interactions"}/${odd}/request/uri is not a string`,
      "Remove that interaction, or record the session again.",
    );
  return fromHar({ log: { entries } }, name).map(({ exchange }) => ({ exchange: { ...exchange, imported: "VCR" } }));
}

/** The beginning of a YAML document that may be a VCR cassette: comments and markers, then a list of interactions early on. */
const beginning = /^(?:(?:#.*|---.*|%.*|[^\S\r\n]*)\r?\n)*(?:[\w-]+:.*\r?\n)*(?:http_)?interactions:/;

/** Whether a text that is no JSON looks like one. */
export const looksLikeVcr = (text: string): boolean => beginning.test(text.slice(0, 4096));

/** Parses a YAML text as a VCR cassette; throws UserError. The parser is loaded only here: few need it. */
export async function parseVcr(text: string, name: string): Promise<unknown> {
  const { parse } = await import("yaml");
  // Ruby writes `!binary`, Python `!!binary`.
  const binary = { tag: "!binary", resolve: (data: string) => Buffer.from(data, "base64") };
  try {
    return parse(text, { logLevel: "silent", customTags: (tags) => [...tags, "binary", binary] });
  } catch (error) {
    const why = (error as Error).message.split("\n", 1)[0]!;
    throw new UserError(`${name}: not YAML: ${why}`, "Mend that place by hand, or record the session again.");
  }
}
