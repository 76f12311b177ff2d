/** A body as a page shows it: JSON, events, a form, an image, text, or bytes. */
import { decodeContent } from "../wire/encoding.ts";
import type { HeaderPairs, WireRequest, WireResponse } from "../wire/exchange.ts";
import { headerValue, mediaType } from "../wire/headers.ts";
import { maxValues, parseJson } from "../wire/json.ts";
import { isJsonLines } from "../wire/json-lines.ts";
import { type FormPart, parseForm } from "../wire/multipart.ts";
import { isStream } from "../wire/read.ts";
import { type Bounds, maxFields, maxHex } from "./bounds.ts";
import { viewedEvents } from "./events.ts";
import { viewedImage } from "./images.ts";
import { decodedText, shortJson, shortText } from "./text.ts";
import type { ViewedBody, ViewedField } from "./viewed.ts";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, maxHex)).toString("hex");

/** Whether bytes are rather no text: controls that no text has, or much that is not UTF-8. */
function isBinary(bytes: Uint8Array, { broken = [] }: ReturnType<typeof decodedText>): boolean {
  return bytes.subarray(0, 1_024).includes(0) || broken.length > bytes.length / 8;
}

function fieldOf({ name, filename, contentType, bytes }: FormPart, bounds: Bounds): ViewedField {
  const image = viewedImage(bytes, bounds);
  const text = image ? undefined : decodedText(bytes);
  return {
    name,
    ...(filename !== undefined && { filename }),
    ...(contentType !== undefined && { contentType }),
    bytes: bytes.length,
    ...(image && { image }),
    ...(text && (isBinary(bytes, text) ? { hex: hexOf(bytes) } : { value: shortText(text, bounds) })),
  };
}

function formBody(bytes: Uint8Array, type: string | undefined, bounds: Bounds): ViewedBody {
  const form = parseForm(bytes, type);
  if (!form.ok) return { kind: "text", problem: form.problem, ...shortText(decodedText(bytes), bounds) };
  const fields = form.parts.slice(0, maxFields).map((part) => fieldOf(part, bounds));
  return { kind: "form", count: form.parts.length, fields };
}

function urlencodedBody(bytes: Uint8Array, bounds: Bounds): ViewedBody {
  const pairs = [...new URLSearchParams(decodedText(bytes).text)];
  const fields = pairs.slice(0, maxFields).map(([name, value]): ViewedField => {
    const own = Buffer.from(value, "utf8");
    return { name, bytes: own.length, value: shortText(decodedText(own), bounds) };
  });
  return { kind: "form", count: pairs.length, fields };
}

/** Media types under which a text that is no JSON is nobody's mistake. */
const isPlain = (type: string | undefined): boolean =>
  type?.startsWith("text/") === true && type !== "text/event-stream";

/** How the body arrived, and which of its events are not to be left out. */
export interface Arrival {
  readonly chunks?: WireResponse["chunks"];
  readonly events?: ReadonlySet<number>;
}

/** Undefined for a body that is empty. */
export function viewedBody(
  { headers, body }: Pick<WireRequest, "body"> & { readonly headers: HeaderPairs },
  bounds: Bounds,
  { chunks, events }: Arrival = {},
): ViewedBody | undefined {
  if (body.length === 0) return undefined;
  const coding = headerValue(headers, "content-encoding");
  const decoded = decodeContent(body, coding);
  if (!decoded.ok) return { kind: "bytes", hex: hexOf(body), problem: decoded.problem };
  const { bytes } = decoded;
  const type = headerValue(headers, "content-type");
  const media = mediaType(type);
  if (media?.startsWith("multipart/")) return formBody(bytes, type, bounds);
  if (media === "application/x-www-form-urlencoded") return urlencodedBody(bytes, bounds);
  const lines = isJsonLines(type) ? type : undefined;
  if (lines !== undefined || isStream(bytes))
    return viewedEvents(bytes, bytes === body ? chunks : undefined, bounds, { wanted: events, lines });
  const image = viewedImage(bytes, bounds);
  if (image) return { kind: "image", image };
  const text = decodedText(bytes);
  const json = parseJson(text.text, maxValues);
  if (json.ok || json.beyond) return { kind: "json", ...shortJson(text, bounds) };
  if (isBinary(bytes, text)) return { kind: "bytes", hex: hexOf(bytes), problem: "neither text nor an image" };
  return { kind: "text", ...(!isPlain(media) && { problem: json.problem }), ...shortText(text, bounds) };
}
