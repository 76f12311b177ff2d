/** `flatMap` for lists that nearly always hold one item: rules walk them for every exchange. */

const nothing: readonly never[] = Object.freeze([]);

/** The results for every item, as one list; the list of a single item is returned as it is. */
export function ofEach<T, R>(items: readonly T[], read: (item: T) => readonly R[]): readonly R[] {
  if (items.length === 0) return nothing;
  if (items.length === 1) return read(items[0]!);
  const all: R[] = [];
  for (const item of items) for (const one of read(item)) all.push(one);
  return all;
}
