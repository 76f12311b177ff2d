/** The lines of JSON as it is shown: which of them there are while some containers are folded. */
import type { JsonNodes } from "./json-nodes.ts";
import type { Mark, PlacedMarks } from "./marks.ts";

export type JsonRow =
  /** A value that stands in one line, or the first line of a container. */
  | { readonly kind: "value"; readonly position: number; readonly isOpen: boolean }
  | { readonly kind: "close"; readonly position: number }
  /** A member that is not there. */
  | { readonly kind: "missing"; readonly position: number; readonly name: string; readonly mark: Mark };

/** Values of a text that is shown whole. */
const fewNodes = 150;
/** Levels that are open in a longer one. */
const openDepth = 3;
/** Values in a container that is open in a longer text. */
const openSize = 60;

/** Containers that must be open for marks to be seen. */
export function opened({ nodes }: JsonNodes, { at, missing }: PlacedMarks): ReadonlySet<number> {
  const open = new Set<number>();
  for (const position of missing.keys()) open.add(position);
  for (const start of [...at.keys(), ...missing.keys()])
    for (let position = nodes[start]!.parent; position >= 0 && !open.has(position); position = nodes[position]!.parent)
      open.add(position);
  return open;
}

/** Whether a container is open as long as nobody said. */
export function isOpenFirst({ nodes }: JsonNodes, position: number): boolean {
  const { depth, size } = nodes[position]!;
  return nodes.length <= fewNodes ? depth < 100 : depth < openDepth && size <= openSize;
}

/** All lines, in order. @param isOpen asked of containers that hold something */
export function rowsOf(
  { nodes }: JsonNodes,
  { missing }: PlacedMarks,
  isOpen: (position: number) => boolean,
): JsonRow[] {
  const rows: JsonRow[] = [];
  const stack: number[] = [];
  const close = (): void => {
    const position = stack.pop()!;
    for (const { name, mark } of missing.get(position) ?? []) rows.push({ kind: "missing", position, name, mark });
    rows.push({ kind: "close", position });
  };
  for (let position = 0; position < nodes.length; ) {
    const node = nodes[position]!;
    while (stack.length > 0 && position >= nodes[stack.at(-1)!]!.next) close();
    const isContainer = (node.kind === "object" || node.kind === "array") && (node.size > 0 || missing.has(position));
    const open = isContainer && isOpen(position);
    rows.push({ kind: "value", position, isOpen: open });
    if (open) stack.push(position);
    position = open ? position + 1 : node.next;
  }
  while (stack.length > 0) close();
  return rows;
}
