/** Reads image responses for the rules on them, and changes them for counterexamples. */

import type { Fault } from "../../../check/rule.ts";
import { remember, type Subject } from "../../../check/subject.ts";
import { base64Problem } from "../../../wire/base64.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { type ImageFacts, imageFacts } from "../../../wire/image.ts";
import { isObject } from "../../../wire/json.ts";
import { editObject } from "../examples/edit-form.ts";

export type Image = Readonly<Record<string, unknown>>;

/** A fault at a place of the reply. */
export const at = (place: string, fault: Omit<Fault, "side" | "in" | "pointer">): Fault => ({
  side: "response",
  in: "body",
  pointer: place,
  ...fault,
});
/** The image objects of a successful reply by position; entries that are none have no place here. */
export const imagesOf: (subject: Subject) => ReadonlyMap<number, Image> = remember(readImages);

function readImages(subject: Subject): ReturnType<typeof imagesOf> {
  const data = subject.replyJson?.["data"];
  const entries: readonly unknown[] = Array.isArray(data) ? data : [];
  return new Map(entries.flatMap((entry, i) => (isObject(entry) ? [[i, entry] as const] : [])));
}

/** Facts of every b64_json that can be decoded, by position. */
export const picturesOf: (
  subject: Subject,
) => ReadonlyMap<number, { readonly bytes: Uint8Array; readonly facts: ImageFacts }> = remember(readPictures);

function readPictures(subject: Subject): ReturnType<typeof picturesOf> {
  return new Map(
    [...imagesOf(subject)].flatMap(([i, { b64_json: text }]) => {
      if (typeof text !== "string" || base64Problem(text) !== undefined) return [];
      const bytes = Buffer.from(text, "base64");
      return [[i, { bytes, facts: imageFacts(bytes) }] as const];
    }),
  );
}

/** Changes every image object of a reply; undefined where there is none. */
export function editImages(exchange: Exchange, change: (image: Record<string, unknown>) => void): Exchange | undefined {
  return editObject(exchange, "response", ({ data }) => {
    if (Array.isArray(data)) for (const image of data) if (isObject(image)) change(image);
  });
}

/** Whether a member carries something; null counts as absent. */
export const isThere = (value: unknown): boolean => value !== undefined && value !== null;
