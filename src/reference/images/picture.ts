/** Pictures the reference makes: eight by eight colours, written in the picture's own address, drawn at any size. */
import { imageFacts } from "../../wire/image.ts";
import { encodePng, pixelReader } from "../../wire/png.ts";

/** Colours of a picture row by row, three bytes each: red, green, blue. */
export type Cells = Uint8Array;

const side = 8;
/** Larger uploads are read by their bytes alone. */
const maxPixels = 16 << 20;

/** Colours that follow from a text and nothing else. */
export function cellsFrom(seed: string): Cells {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(seed)) state = Math.imul(state ^ byte, 0x01000193);
  return Uint8Array.from({ length: side * side * 3 }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return (state >>> 16) & 0xff;
  });
}

/** The look of an uploaded picture from afar, and which of its cells are fully transparent. */
export interface Seen {
  readonly cells: Cells;
  readonly transparent: readonly boolean[];
}

/** Looks at an upload: PNG by the pixel in the middle of each cell, other formats and damaged files by their bytes. */
export function look(bytes: Uint8Array): Seen {
  const { width = 0, height = 0 } = imageFacts(bytes);
  const pixelAt = width * height <= maxPixels ? pixelReader(bytes) : undefined;
  if (!pixelAt) {
    const seed = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
    return { cells: cellsFrom(seed), transparent: new Array(side * side).fill(false) };
  }
  const pixels = Array.from({ length: side * side }, (_, cell) => {
    const [x, y] = [cell % side, Math.floor(cell / side)];
    return pixelAt(Math.floor(((x + 0.5) * width) / side), Math.floor(((y + 0.5) * height) / side));
  });
  return {
    cells: Uint8Array.from(pixels.flatMap((pixel) => pixel.slice(0, 3))),
    transparent: pixels.map(([, , , alpha]) => alpha === 0),
  };
}

/** The upload with other colours where the mask, or the upload itself, is fully transparent; everywhere where nothing is. */
export function edited(image: Seen, mask: Seen | undefined, seed: string): Cells {
  const fresh = cellsFrom(seed);
  const { transparent } = mask ?? image;
  const everywhere = !transparent.includes(true);
  return image.cells.map((old, i) => (everywhere || transparent[Math.floor(i / 3)] ? fresh[i]! : old));
}

/** The upload mirrored, its colours turned a little further with every variation. */
export function varied(image: Seen, turn: number): Cells {
  return image.cells.map((_, i) => {
    const [cell, channel] = [Math.floor(i / 3), i % 3];
    const mirrored = cell - (cell % side) + (side - 1 - (cell % side));
    return (image.cells[mirrored * 3 + ((channel + turn) % 3)]! + 16 * turn) & 0xff;
  });
}

/** Pictures drawn last, by colours and size: most requests of a run ask for the same few, and compressing one takes some 10 ms. */
const drawn = new Map<string, Uint8Array>();
const maxDrawn = 16;

/** Draws a picture as a PNG file. */
export function draw(cells: Cells, width: number, height: number): Uint8Array {
  const key = `${Buffer.from(cells).toString("latin1")}${width}x${height}`;
  const picture = drawn.get(key) ?? drawAnew(cells, width, height);
  drawn.delete(key);
  drawn.set(key, picture);
  if (drawn.size > maxDrawn) drawn.delete(drawn.keys().next().value!);
  return picture;
}

/** Each of 64 colours is a byte: a third of what there is to compress. */
function drawAnew(cells: Cells, width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height);
  const rowOf = (y: number): number => Math.floor((y * side) / height);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    if (y > 0 && rowOf(y) === rowOf(y - 1)) {
      data.copyWithin(start, start - width, start);
      continue;
    }
    for (let x = 0; x < width; x++) data[start + x] = rowOf(y) * side + Math.floor((x * side) / width);
  }
  const palette = Array.from({ length: side * side }, (_, cell) => [...cells.subarray(cell * 3, cell * 3 + 3)]);
  return encodePng({ width, height, channels: 1, data, palette });
}

/** The path under which a picture is served: everything it takes to draw it again. */
export function picturePath(cells: Cells, width: number, height: number): string {
  return `/images/${width}x${height}/${Buffer.from(cells).toString("base64url")}.png`;
}

/** The picture a path of `picturePath` stands for, or undefined for other paths; no side is longer than 2048 pixels. */
export function drawFrom(path: string): Uint8Array | undefined {
  const [, width, height, code] = /^\/images\/(\d{1,4})x(\d{1,4})\/([\w-]+)\.png$/.exec(path) ?? [];
  if (!width || !height || !code || Number(width) > 2048 || Number(height) > 2048) return undefined;
  const cells = Buffer.from(code, "base64url");
  if (cells.length !== side * side * 3 || Number(width) * Number(height) === 0) return undefined;
  return draw(cells, Number(width), Number(height));
}
