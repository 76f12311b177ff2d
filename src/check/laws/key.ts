/** Keys of `by`: equal lists of values are the same object, so that comparing keys makes no texts. */

/** Values of one key so far, as a node of a tree. */
export class Key {
  readonly parent: Key | undefined;
  readonly value: unknown;
  private readonly children = new Map<unknown, Key>();

  constructor(parent?: Key, value?: unknown) {
    this.parent = parent;
    this.value = value;
  }

  /** Returns the key with one more value. A missing value counts as null. */
  next(value: unknown): Key {
    const index = indexOf(value);
    let child = this.children.get(index);
    if (!child) this.children.set(index, (child = new Key(this, value)));
    return child;
  }

  values(): unknown[] {
    return this.parent ? [...this.parent.values(), this.value ?? null] : [];
  }
}

/** Objects and lists are compared by their JSON. Other values never equal such a text. */
function indexOf(value: unknown): unknown {
  if (typeof value === "object" && value !== null) return `\0${JSON.stringify(value)}`;
  if (typeof value === "string" && value.startsWith("\0")) return `\0${JSON.stringify(value)}`;
  return value ?? null;
}
