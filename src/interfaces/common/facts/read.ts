/** Reads what the facts of several interfaces have in common; takes any JSON. */
import { isObject } from "../../../wire/json.ts";
import type { MediaKind, MediaPart, TextPart } from "./model.ts";

export type Json = Readonly<Record<string, unknown>>;

export const objectsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const objectAt = (value: Json, name: string): Json | undefined => {
  const member = value[name];
  return isObject(member) ? member : undefined;
};
/** The objects that are this member of several ones. */
export const objectsAt = (list: readonly Json[], name: string): readonly Json[] =>
  list.map((one) => one[name]).filter(isObject);
export const textAt = (value: Json, name: string): string | undefined => {
  const member = value[name];
  return typeof member === "string" ? member : undefined;
};
export const numberAt = (value: Json, name: string): number | undefined => {
  const member = value[name];
  return typeof member === "number" ? member : undefined;
};
export const flagAt = (value: Json, name: string): boolean | undefined => {
  const member = value[name];
  return typeof member === "boolean" ? member : undefined;
};

/** An object of those members that are not undefined. */
export function known<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

/** Those that are there. */
export const present = <T>(list: readonly (T | undefined)[]): readonly T[] =>
  list.filter((one): one is T => one !== undefined);

export const textPart = (text: string): TextPart => ({ kind: "text", text });

/** The kind of medium that a media type names; a document where it names no other. */
export function mediaKindOf(mediaType: string | undefined): MediaKind {
  const [top] = (mediaType ?? "").split("/");
  return top === "image" || top === "audio" || top === "video" ? top : "document";
}

/** A media type without parameters, in lower case. */
const bare = (mediaType: string): string => mediaType.split(";")[0]!.trim().toLowerCase();

/** A medium of an address: the data and type of a data URL, else where it lies. */
export function mediaAt(url: string, kind: MediaKind | undefined): MediaPart {
  const comma = url.slice(0, 5).toLowerCase() === "data:" ? url.indexOf(",") : -1;
  if (comma < 0) return { kind: kind ?? "document", url };
  const head = url.slice(5, comma);
  const mediaType = bare(head);
  const isBase64 = /;\s*base64\s*$/i.test(head.slice(-20));
  const rest = url.slice(comma + 1);
  return {
    kind: kind ?? mediaKindOf(mediaType),
    ...(mediaType !== "" && { mediaType }),
    data: isBase64 ? rest : Buffer.from(rest).toString("base64"),
  };
}

/** A medium of base64 data and its type. */
export function mediaOf(data: string, mediaType: string | undefined, kind?: MediaKind): MediaPart {
  const type = mediaType === undefined ? undefined : bare(mediaType);
  return { kind: kind ?? mediaKindOf(type), ...(type !== undefined && { mediaType: type }), data };
}

/** Every member of this name, however deep. */
export function countOf(value: unknown, name: string): number {
  let count = 0;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (Array.isArray(next)) for (const item of next) left.push(item);
    else if (isObject(next))
      for (const [key, item] of Object.entries(next)) {
        if (key === name && item !== null) count++;
        left.push(item);
      }
  }
  return count;
}
