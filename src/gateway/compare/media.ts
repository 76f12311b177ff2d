/** Compares pictures, sounds, films and documents of prompts. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { FileFact, MediaKind, MediaPart, RequestFacts } from "../../interfaces/common/facts/model.ts";
import type { FactComparison } from "../trip.ts";
import {
  changed,
  converted,
  dropped,
  type Ends,
  gone,
  invented,
  kept,
  noCounterpart,
  requestFact,
  told,
  type Verdict,
} from "./ends.ts";

const kinds: readonly MediaKind[] = ["image", "audio", "video", "document"];

const isMedium = (part: { readonly kind: string }): part is MediaPart => kinds.includes(part.kind as MediaKind);

/** Media beside the results of tools. */
export const mediaOf = ({ turns }: RequestFacts): readonly MediaPart[] =>
  turns.flatMap(({ parts }) => parts.filter(isMedium));

/** Media within the results of tools. */
export const mediaOfResults = ({ turns }: RequestFacts): readonly MediaPart[] =>
  turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "result" ? part.content.filter(isMedium) : [])));

/** Base64 in one spelling, so that the same bytes are the same text. */
const plain = (data: string): string =>
  /[-_=\s]/.test(data)
    ? data
        .replaceAll("-", "+")
        .replaceAll("_", "/")
        .replace(/[=\s]+/g, "")
    : data;

const aliases: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/x-png": "image/png",
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "application/x-pdf": "application/pdf",
};

const typeOf = (mediaType: string | undefined): string | undefined =>
  mediaType === undefined ? undefined : (aliases[mediaType] ?? mediaType);

const digest = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 12);

/** A medium for people: its type, size and digest, or where it lies. */
export function shownMedium({ mediaType, data, url, file, opaque }: MediaPart): unknown {
  if (opaque) return { source: opaque };
  if (data === undefined) return { ...(mediaType && { type: mediaType }), ...(url && { url }), ...(file && { file }) };
  const text = plain(data);
  return { ...(mediaType && { type: mediaType }), bytes: Math.floor((text.length * 3) / 4), digest: digest(text) };
}

const shown = (media: readonly MediaPart[]): unknown => (media.length > 0 ? media.map(shownMedium) : undefined);

/** The outcome of one medium. */
export function compareMedium(ends: Ends, asked: MediaPart, arrived: MediaPart): Verdict {
  if (asked.opaque) return isDeepStrictEqual(asked.opaque, arrived.opaque) ? kept : changed("Another source arrived.");
  if (asked.data === undefined) {
    if (arrived.data !== undefined && asked.url !== undefined)
      return converted(ends, "G-FACT-MEDIA", "What lies at the address was sent in its place.");
    const isSame = asked.url === arrived.url && asked.file === arrived.file;
    return isSame ? kept : changed("Another address arrived.");
  }
  if (arrived.data === undefined) return changed("Its data became an address.");
  if (plain(asked.data) !== plain(arrived.data)) return changed("Other bytes arrived.");
  const [before, after] = [typeOf(asked.mediaType), typeOf(arrived.mediaType)];
  if (before !== undefined && after !== undefined && before !== after)
    return changed(`Its media type ${before} became ${after}.`);
  if (before !== undefined && after === undefined && ends.route.from === ends.route.to)
    return changed("Its media type is lost.");
  return asked.mediaType === arrived.mediaType || before === undefined || after === undefined
    ? kept
    : converted(ends, "G-FACT-MEDIA", `${asked.mediaType} is spelt ${arrived.mediaType}.`);
}

/** Whether the upstream's interface takes this medium in any way. */
function canTake(ends: Ends, { kind, data, url }: MediaPart): boolean {
  const { at, addresses = [] } = requestFact(kind);
  const { from, to } = ends.route;
  if (!at[to]) return false;
  if (from === to || data !== undefined) return true;
  return url !== undefined && addresses.includes(to);
}

const otherTypesIn = ({ turns }: RequestFacts): readonly string[] =>
  turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "other" ? [part.type] : [])));

/** Types of parts that arrived in no word of the upstream's interface, as if nobody had translated them. */
function foreignTypes({ asked, arrived }: Ends): readonly string[] {
  const own = new Set(otherTypesIn(asked));
  return otherTypesIn(arrived).filter((type) => !own.has(type));
}

function mediaVerdicts(ends: Ends, asked: readonly MediaPart[], arrived: readonly MediaPart[]): readonly Verdict[] {
  const takeable = asked.filter((one) => canTake(ends, one));
  const rest = arrived.length < asked.length ? takeable : asked;
  const verdicts = rest.slice(0, arrived.length).map((one, i) => compareMedium(ends, one, arrived[i]!));
  const missing = rest.length - verdicts.length;
  const [foreign] = foreignTypes(ends);
  if (missing > 0)
    verdicts.push(
      foreign !== undefined
        ? changed(`It arrived as ${foreign}, which ${ends.route.to} does not have.`)
        : verdicts.length === 0
          ? dropped()
          : changed(`${verdicts.length} of ${rest.length} arrived.`),
    );
  if (rest.length < asked.length) verdicts.push(noCounterpart(`${ends.route.to} has no word for it.`));
  return verdicts;
}

/** The first verdict of each outcome on things of one kind. */
export function perOutcome(verdicts: readonly Verdict[]): readonly Verdict[] {
  const first = new Map<string, Verdict>();
  for (const verdict of verdicts)
    if (!first.has(verdict.outcome) || (verdict.conversion && !first.get(verdict.outcome)?.conversion))
      first.set(verdict.outcome, verdict);
  // Kept things are no news beside lost ones, nor are things not shown beside those that are.
  for (const outcome of ["not-shown", "kept"]) if (first.size > 1) first.delete(outcome);
  return [...first.values()];
}

/** Media that arrived; one at an address whose media type is lost is of the kind that was sent from there. */
function arrivedMedia({ asked, arrived }: Ends): readonly MediaPart[] {
  const kindAt = new Map(mediaOf(asked).flatMap(({ kind, url }) => (url === undefined ? [] : [[url, kind] as const])));
  return mediaOf(arrived).map((one) => {
    const kind = one.mediaType === undefined && one.url !== undefined ? kindAt.get(one.url) : undefined;
    return kind === undefined ? one : { ...one, kind };
  });
}

/** Media of prompts; those in results of tools belong to the results. */
export function* compareMedia(ends: Ends): Generator<FactComparison> {
  const [inResults, all] = [mediaOfResults(ends.asked), arrivedMedia(ends)];
  for (const kind of kinds) {
    const ofKind = (media: readonly MediaPart[]): readonly MediaPart[] => media.filter((one) => one.kind === kind);
    const asked = ofKind(mediaOf(ends.asked));
    const moved = new Set(ofKind(inResults).map((one) => plain(one.data ?? one.url ?? "")));
    const known = new Set(asked.map((one) => plain(one.data ?? one.url ?? "")));
    const arrived = ofKind(all).filter((one) => {
      const own = plain(one.data ?? one.url ?? "");
      return known.has(own) || !moved.has(own);
    });
    if (asked.length === 0 && arrived.length === 0) continue;
    const verdicts =
      asked.length === 0
        ? [invented("Nobody sent it.")]
        : arrived.length > asked.length
          ? [invented(`${asked.length} were sent, and ${arrived.length} arrived.`)]
          : mediaVerdicts(ends, asked, arrived);
    for (const verdict of perOutcome(verdicts)) yield told("request", kind, verdict, shown(asked), shown(arrived));
  }
  yield* compareFiles(ends);
}

const shownFiles = (files: readonly FileFact[] | undefined): unknown =>
  files?.map(({ mediaType, bytes }) => ({
    ...(mediaType && { type: mediaType }),
    bytes: bytes.length,
    digest: digest(bytes),
  }));

function filesVerdict(ends: Ends, fact: string, asked: readonly FileFact[], arrived: readonly FileFact[]): Verdict {
  if (arrived.length === 0) return gone(ends, fact);
  if (asked.length === 0) return invented("Nobody sent it.");
  if (asked.length !== arrived.length) return changed(`${asked.length} files became ${arrived.length}.`);
  for (const [i, { bytes, mediaType }] of asked.entries()) {
    const other = arrived[i]!;
    if (!Buffer.from(bytes).equals(other.bytes)) return changed("Other bytes arrived.");
    const [before, after] = [typeOf(mediaType), typeOf(other.mediaType)];
    if (before !== after) return changed(`Its media type ${before ?? "nothing"} became ${after ?? "nothing"}.`);
  }
  return kept;
}

/** Files of forms. */
function* compareFiles(ends: Ends): Generator<FactComparison> {
  for (const fact of ["image", "mask"]) {
    const [asked, arrived] = [ends.asked.files?.[fact], ends.arrived.files?.[fact]];
    if (!asked && !arrived) continue;
    yield told(
      "request",
      fact,
      filesVerdict(ends, fact, asked ?? [], arrived ?? []),
      shownFiles(asked),
      shownFiles(arrived),
    );
  }
}
