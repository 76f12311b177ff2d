/** A growing list of integers in typed memory. A hostile body has millions of positions, too many for objects. */

export interface IntBuffer {
  /** Room; what lies beyond `length` says nothing. */
  all: Int32Array;
  length: number;
}

export const createIntBuffer = (room = 64): IntBuffer => ({ all: new Int32Array(room), length: 0 });

export function push(row: IntBuffer, value: number): void {
  if (row.length === row.all.length) {
    const larger = new Int32Array(2 * row.length);
    larger.set(row.all);
    row.all = larger;
  }
  row.all[row.length++] = value;
}

/** Room that stays from body to body: to make and clear it anew costs more than most bodies take to be read. */
export interface Spare {
  all: Int32Array<ArrayBuffer>;
}

/** More than so many numbers do not stay. */
const maxSpare = 1 << 16;

export const createSpare = (): Spare => ({ all: new Int32Array(1024) });

/** Room for so many numbers at least, with anything in it, until the next one asks. */
export function roomIn(spare: Spare, length: number): Int32Array<ArrayBuffer> {
  if (spare.all.length < length) return keepRoom(spare, new Int32Array(2 ** Math.ceil(Math.log2(length))));
  return spare.all;
}

/** Lets room that has grown stay, within bounds. */
export function keepRoom(spare: Spare, room: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  if (room.length <= maxSpare) spare.all = room;
  return room;
}
