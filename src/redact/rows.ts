/** Whole numbers in a row, in room that grows: a hostile body has millions of places, which take gigabytes as objects. */

export interface Row {
  /** Room; what lies beyond `length` says nothing. */
  all: Int32Array;
  length: number;
}

export const createRow = (room = 64): Row => ({ all: new Int32Array(room), length: 0 });

export function push(row: Row, value: number): void {
  if (row.length === row.all.length) {
    const larger = new Int32Array(2 * row.length);
    larger.set(row.all);
    row.all = larger;
  }
  row.all[row.length++] = value;
}
