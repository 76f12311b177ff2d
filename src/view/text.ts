/** Bytes as text of which too much is left out: what is not UTF-8 stays visible, images become facts. */
import { isUtf8 } from "node:buffer";
import { viewOf } from "../wire/bytes.ts";
import { closingQuote } from "../wire/find.ts";
import { type Bounds, maxBroken } from "./bounds.ts";
import { imageIn, imageStart } from "./images.ts";
import type { PlacedImage, ViewedText } from "./viewed.ts";

type Broken = readonly [at: number, byte: number];

/** Bytes of the character that begins at `at`; 0 where that is none of UTF-8. */
function characterAt(view: Buffer, at: number): number {
  const first = view[at]!;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  return length > 0 && at + length <= view.length && isUtf8(view.subarray(at, at + length)) ? length : 0;
}

/** A text, and the bytes that are not UTF-8 each as U+FFFD. */
export function decodedText(bytes: Uint8Array): { readonly text: string; readonly broken?: readonly Broken[] } {
  const view = viewOf(bytes);
  if (isUtf8(view)) return { text: view.toString("utf8") };
  const broken: Broken[] = [];
  let text = "";
  let from = 0;
  for (let at = 0; at < view.length; ) {
    const length = characterAt(view, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += view.toString("utf8", from, at);
    if (broken.length < maxBroken) broken.push([text.length, view[at]!]);
    text += "\ufffd";
    from = ++at;
  }
  return { text: text + view.toString("utf8", from), broken };
}

/** Puts a text together from parts of another, and knows where things that are marked in the one stand in the other. */
function createCutter(text: string, broken: readonly Broken[]) {
  const pieces: string[] = [];
  const cuts: [number, number][] = [];
  const kept: Broken[] = [];
  let length = 0;
  let next = 0;
  return {
    length: () => length,
    keep(from: number, to: number): void {
      for (; next < broken.length && broken[next]![0] < to; next++)
        if (broken[next]![0] >= from) kept.push([broken[next]![0] - from + length, broken[next]![1]]);
      pieces.push(text.slice(from, to));
      length += to - from;
    },
    leave(characters: number): void {
      if (characters > 0) cuts.push([length, characters]);
    },
    end: (images: readonly PlacedImage[] = []): ViewedText => ({
      text: pieces.join(""),
      ...(cuts.length > 0 && { cuts }),
      ...(kept.length > 0 && { broken: kept }),
      ...(images.length > 0 && { images }),
    }),
  };
}

/** Characters at the end of a long text that are kept. */
const tail = 1_000;

/** A place at or before `at` that cuts neither a pair of surrogates nor, in JSON, an escape in two. */
function seam(text: string, at: number, min: number): number {
  const from = Math.max(min, at - 12);
  const slash = text.slice(from, at).lastIndexOf("\\");
  let seam = at;
  // The first of several backslashes escapes the second, so the cut goes before all of them.
  if (slash >= 0) for (seam = from + slash; seam > min && text[seam - 1] === "\\"; ) seam--;
  const unit = text.charCodeAt(seam);
  return unit >= 0xdc00 && unit <= 0xdfff && seam > min ? seam - 1 : seam;
}

/** A text that is no JSON: its beginning and its end. */
export function shortText(
  { text, broken = [] }: ReturnType<typeof decodedText>,
  { string: maxLength }: Bounds,
): ViewedText {
  const cutter = createCutter(text, broken);
  if (text.length <= maxLength) cutter.keep(0, text.length);
  else {
    const head = seam(text, maxLength - tail, 0);
    const end = seam(text, text.length - tail, head);
    cutter.keep(0, head);
    cutter.leave(end - head);
    cutter.keep(end, text.length);
  }
  return cutter.end();
}

/** A text that is JSON: of long strings their beginning and their end, of images their facts, and no more than may be in all. */
export function shortJson({ text, broken = [] }: ReturnType<typeof decodedText>, bounds: Bounds): ViewedText {
  const cutter = createCutter(text, broken);
  const images: PlacedImage[] = [];
  let from = 0;
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = closingQuote(text, open);
    // The text between two strings may be long, too: a list of numbers.
    if (cutter.length() + open - from > bounds.body) break;
    const image = close - open > 64 ? imageIn(text, open, close, bounds) : undefined;
    if (image) {
      images.push({ at: cutter.length() + open - from, ...image });
      const head = open + 1 + imageStart;
      cutter.keep(from, head);
      cutter.leave(close - head);
      from = close;
    } else if (close - open > bounds.string) {
      const head = seam(text, open + bounds.string - tail, open + 1);
      const end = seam(text, close - tail, head);
      cutter.keep(from, head);
      cutter.leave(end - head);
      from = end;
    } else if (cutter.length() + close - from > bounds.body) break;
    open = close < text.length ? text.indexOf('"', close + 1) : -1;
  }
  const rest = text.length - from;
  const room = Math.max(0, bounds.body - cutter.length());
  if (rest <= room || rest <= tail) cutter.keep(from, text.length);
  else {
    cutter.keep(from, from + room);
    cutter.leave(rest - room);
  }
  return cutter.end(images);
}
